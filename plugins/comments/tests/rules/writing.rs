//! Writing a comment: who may, and what is refused.

use super::*;

#[test]
fn creating_answers_201_with_the_record() {
    let review = review();
    let answer = review.host.post(COMMENTS).as_user(&review.ann).json(comment()).send();
    assert_eq!(answer.status, 201);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(review.listed(), [answer.json()]);
}

#[test]
fn anonymous_visitors_may_write_while_the_setting_is_on() {
    let review = review();
    assert_eq!(review.host.post(COMMENTS).json(comment()).send().status, 201);
}

#[test]
fn anonymous_visitors_are_refused_on_all_four_routes_while_it_is_off() {
    let review = review();
    let (path, _) = review.written(|call| call);
    review.host.setting("allowAnonymousComments", false);
    let replies = format!("{path}/replies");
    for call in [
        review.host.post(COMMENTS).json(comment()),
        review.host.patch(&path).json(json!({ "resolved": true })),
        review.host.delete(&path),
        review.host.post(&replies).json(json!({ "body": "Yes" })),
    ] {
        refused(call.send(), 403, "Sign in to comment on this project");
    }
    assert_eq!(
        review
            .host
            .post(COMMENTS)
            .as_user(&review.ann)
            .json(comment())
            .send()
            .status,
        201
    );
}

#[test]
fn a_read_only_token_never_writes() {
    let review = review();
    let (path, _) = review.written(|call| call.as_token(&review.ann));
    let replies = format!("{path}/replies");
    for call in [
        review.host.post(COMMENTS).json(comment()),
        review.host.patch(&path).json(json!({ "resolved": true })),
        review.host.delete(&path),
        review.host.post(&replies).json(json!({ "body": "Yes" })),
    ] {
        assert_eq!(call.as_read_token(&review.ann).send().status, 403);
    }
}

#[test]
fn a_body_is_stored_trimmed() {
    let review = review();
    let answer = review.host.post(COMMENTS).json(with("/body", " \n Fine \t")).send();
    assert_eq!(answer.json()["body"], "Fine");
}

#[test]
fn a_body_has_1_to_10000_characters() {
    let review = review();
    let most = "\u{e4}".repeat(10_000);
    assert_eq!(
        review
            .host
            .post(COMMENTS)
            .json(with("/body", format!("  {most}\n")))
            .send()
            .status,
        201
    );
    let more = review
        .host
        .post(COMMENTS)
        .json(with("/body", format!("{most}x")))
        .send();
    refused(more, 400, "`body` must have at most 10000 characters");
    for empty in ["", "  \n"] {
        refused(
            review.host.post(COMMENTS).json(with("/body", empty)).send(),
            400,
            "`body` must not be empty",
        );
    }
}

#[test]
fn selector_and_page_have_at_most_2000_characters() {
    let review = review();
    for field in ["anchorSelector", "page"] {
        let path = format!("/position/{field}");
        let most = "\u{1F600}".repeat(2_000);
        assert_eq!(
            review.host.post(COMMENTS).json(with(&path, most.clone())).send().status,
            201
        );
        let more = review.host.post(COMMENTS).json(with(&path, most + "x")).send();
        refused(
            more,
            400,
            &format!("`position.{field}` must have at most 2000 characters"),
        );
    }
}

#[test]
fn a_wrong_type_is_refused_by_name() {
    let review = review();
    let cases = [
        ("/body", json!(5), "`body` must be a string"),
        ("/body", json!(null), "`body` must be a string"),
        ("/position", json!("#hero"), "`position` must be an object"),
        ("/position", json!(["#hero", "/"]), "`position` must be an object"),
        ("/position/page", json!(false), "`position.page` must be a string"),
        (
            "/position/anchorSelector",
            json!({}),
            "`position.anchorSelector` must be a string",
        ),
    ];
    for (path, value, message) in cases {
        refused(review.host.post(COMMENTS).json(with(path, value)).send(), 400, message);
    }
    let mut body = comment();
    body["mentions"] = json!([1]);
    refused(
        review.host.post(COMMENTS).json(body).send(),
        400,
        "`mentions[0]` must be a string",
    );
}

#[test]
fn what_is_required_is_named() {
    let review = review();
    let send = |body: Value| review.host.post(COMMENTS).json(body).send();
    refused(
        send(json!({ "position": comment()["position"] })),
        400,
        "`body` is required",
    );
    refused(send(json!({ "body": "x" })), 400, "`position` is required");
    refused(
        send(json!({ "body": "x", "position": { "page": "/" } })),
        400,
        "`position.anchorSelector` is required",
    );
    refused(send(json!([])), 400, "The body must be an object");
}

#[test]
fn what_is_not_json_is_refused() {
    let review = review();
    let answer = review.host.post(COMMENTS).bytes("{\"body\": \"x\"").send();
    assert_eq!(answer.status, 400);
    assert!(
        answer.error().starts_with("The body is not valid JSON: "),
        "{}",
        answer.error()
    );
    refused(
        review.host.post(COMMENTS).bytes(b"\xff\xfe".as_slice()).send(),
        400,
        "The body is not valid UTF-8",
    );
    assert!(
        review
            .host
            .post(COMMENTS)
            .send()
            .error()
            .starts_with("The body is not valid JSON: ")
    );
}

#[test]
fn unknown_members_are_ignored() {
    let review = review();
    let mut body = comment();
    body["resolved"] = json!("yes");
    body["more"] = json!({});
    let answer = review.host.post(COMMENTS).json(body).send();
    assert_eq!((answer.status, &answer.json()["resolved"]), (201, &json!(false)));
}
