//! Whose a comment is.

use super::*;

fn written_by(review: &Review, author: Value) -> Answer {
    let mut body = comment();
    body["author"] = author;
    review.host.post(COMMENTS).json(body).send()
}

#[test]
fn an_identity_wins_over_whatever_the_body_says() {
    let review = review();
    for author in [
        json!({ "uid": "viewer:x", "displayName": "Eve" }),
        json!({ "uid": "user:u2" }),
        json!(5),
    ] {
        let mut body = comment();
        body["author"] = author;
        for call in [
            review.host.post(COMMENTS).as_user(&review.ann),
            review.host.post(COMMENTS).as_token(&review.ann),
        ] {
            let answer = call.json(body.clone()).send();
            assert_eq!(
                answer.json()["author"],
                json!({ "uid": "user:u1", "displayName": "Ann" })
            );
        }
    }
}

#[test]
fn an_anonymous_author_is_who_they_say() {
    let author = json!({ "uid": "viewer:abc", "displayName": "Eve" });
    assert_eq!(written_by(&review(), author.clone()).json()["author"], author);
}

#[test]
fn a_missing_uid_is_minted() {
    let review = review();
    let author = written_by(&review, json!({ "displayName": "Eve" })).json()["author"].clone();
    let uid = author["uid"].as_str().unwrap();
    assert!(uid.starts_with("viewer:") && uid.len() > 20, "{uid}");
    assert_ne!(
        written_by(&review, json!({ "displayName": "Eve" })).json()["author"]["uid"],
        uid
    );
}

#[test]
fn somebody_without_a_name_is_a_guest() {
    let review = review();
    for author in [json!(null), json!({}), json!({ "displayName": "  " })] {
        assert_eq!(written_by(&review, author).json()["author"]["displayName"], "Guest");
    }
    assert_eq!(
        review.host.post(COMMENTS).json(comment()).send().json()["author"]["displayName"],
        "Guest"
    );
}

#[test]
fn nobody_claims_a_uid_that_is_not_a_viewers() {
    let review = review();
    for uid in ["user:u1", "USER:u1", "abc", "", "viewer", "viewer:", " viewer:x"] {
        let answer = written_by(&review, json!({ "uid": uid, "displayName": "Eve" }));
        refused(answer, 400, "`author.uid` must start with `viewer:` and name somebody");
    }
    assert!(review.listed().is_empty());
}

#[test]
fn an_author_of_the_wrong_type_is_refused_by_name() {
    let review = review();
    refused(written_by(&review, json!("Eve")), 400, "`author` must be an object");
    refused(
        written_by(&review, json!({ "displayName": 5 })),
        400,
        "`author.displayName` must be a string",
    );
    refused(
        written_by(&review, json!({ "uid": [] })),
        400,
        "`author.uid` must be a string",
    );
}

#[test]
fn names_are_trimmed_and_have_at_most_100_characters() {
    let review = review();
    let most = "\u{e4}".repeat(100);
    let bidi = json!({ "displayName": "\u{202e}Eve\u{200f}\r\n\u{2066}root\u{0}" });
    assert_eq!(written_by(&review, bidi).json()["author"]["displayName"], "Eve root");
    let nothing = json!({ "displayName": "\u{202e}\u{61c}" });
    assert_eq!(written_by(&review, nothing).json()["author"]["displayName"], "Guest");
    let answer = written_by(&review, json!({ "displayName": format!(" {most} ") }));
    assert_eq!(answer.json()["author"]["displayName"], most);
    let answer = written_by(&review, json!({ "displayName": most + "x" }));
    refused(answer, 400, "`author.displayName` must have at most 100 characters");
}

#[test]
fn the_admin_bearer_writes_like_an_anonymous_author_but_is_never_refused() {
    let review = review();
    review.host.setting("allowAnonymousComments", false);
    let mut body = comment();
    body["author"] = json!({ "uid": "viewer:bot", "displayName": "Bot" });
    let answer = review.host.post(COMMENTS).as_admin().json(body.clone()).send();
    assert_eq!((answer.status, &answer.json()["author"]), (201, &body["author"]));
    body["author"]["uid"] = json!("user:u1");
    assert_eq!(review.host.post(COMMENTS).as_admin().json(body).send().status, 400);
}
