//! The mention directory.

use super::*;

impl Review {
    fn invite(&self, body: Value) -> Answer {
        self.host.post(PARTICIPANTS).as_user(&self.ann).json(body).send()
    }
}

#[test]
fn signed_in_authors_are_active_by_themselves() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review
        .host
        .post(&format!("{path}/replies"))
        .as_token(&review.ben)
        .json(json!({ "body": "Yes" }))
        .send();
    assert_eq!(
        review.directory(),
        [
            json!({ "id": "user:u1", "displayName": "Ann", "status": "active", "email": "ann@example.com" }),
            json!({ "id": "user:u2", "displayName": "Ben", "status": "active", "email": "ben@example.com" }),
        ]
    );
}

#[test]
fn visitors_and_the_admin_bearer_are_not_in_it() {
    let review = review();
    review.written(|call| call);
    review.written(|call| call.as_admin());
    assert!(review.directory().is_empty());
}

#[test]
fn an_author_is_in_it_once() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    review.written(|call| call.as_user(&review.ann));
    assert_eq!(review.directory().len(), 1);
}

#[test]
fn an_invited_address_is_pending() {
    let review = review();
    let answer = review.invite(json!({ "email": " Zoe@Example.com ", "displayName": " Zoe " }));
    let participant = answer.json();
    assert!(participant["id"].as_str().unwrap().starts_with("p_"));
    let expected = json!({
        "id": participant["id"], "displayName": "Zoe", "status": "pending", "email": "zoe@example.com"
    });
    assert_eq!((answer.status, participant), (201, expected.clone()));
    assert_eq!(review.directory(), [expected]);
}

#[test]
fn without_a_name_the_address_gives_one() {
    let review = review();
    assert_eq!(
        review.invite(json!({ "email": "zoe@example.com" })).json()["displayName"],
        "zoe"
    );
    assert_eq!(
        review
            .invite(json!({ "email": "yan@example.com", "displayName": " " }))
            .json()["displayName"],
        "yan"
    );
}

#[test]
fn inviting_an_address_again_answers_200_with_the_present_participant() {
    let review = review();
    let first = review.invite(json!({ "email": "zoe@example.com" }));
    let again = review.invite(json!({ "email": "ZOE@example.com", "displayName": "Other" }));
    assert_eq!((again.status, again.json()), (200, first.json()));
    review.written(|call| call.as_user(&review.ben));
    let active = review.invite(json!({ "email": "ben@example.com" }));
    assert_eq!((active.status, &active.json()["status"]), (200, &json!("active")));
}

#[test]
fn somebody_invited_becomes_active_by_writing_and_keeps_the_id() {
    let review = review();
    let invited = review
        .invite(json!({ "email": "ben@example.com", "displayName": "Benny" }))
        .json();
    assert_eq!(invited["status"], "pending");
    review.written(|call| call.as_user(&review.ben));
    let expected = json!({ "id": invited["id"], "displayName": "Ben", "status": "active", "email": "ben@example.com" });
    assert_eq!(review.directory(), [expected]);
    let mut body = comment();
    body["mentions"] = json!([invited["id"]]);
    assert_eq!(
        review.host.post(COMMENTS).json(body).send().json()["mentions"],
        json!([invited["id"]])
    );
}

#[test]
fn an_address_is_needed() {
    let review = review();
    refused(review.invite(json!({})), 400, "`email` is required");
    let long = format!("{}@example.com", "x".repeat(250));
    for email in [
        "",
        "zoe",
        "@example.com",
        "zoe@",
        "a@b@c",
        "zoe moe@example.com",
        "zoe\n@example.com",
        &long,
    ] {
        refused(
            review.invite(json!({ "email": email })),
            400,
            "`email` must be an email address",
        );
    }
}

#[test]
fn an_anonymous_caller_may_not_invite() {
    let review = review();
    let answer = review
        .host
        .post(PARTICIPANTS)
        .json(json!({ "email": "zoe@example.com" }))
        .send();
    refused(answer, 401, "Sign in to invite a participant by email");
}

#[test]
fn a_token_needs_the_write_scope_to_invite() {
    let review = review();
    let call = || {
        review
            .host
            .post(PARTICIPANTS)
            .json(json!({ "email": "zoe@example.com" }))
    };
    assert_eq!(call().as_read_token(&review.ann).send().status, 403);
    assert_eq!(call().as_token(&review.ann).send().status, 201);
    assert_eq!(call().as_admin().send().status, 200);
}

#[test]
fn addresses_are_left_out_for_a_caller_without_identity() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    let seen = review.host.get(PARTICIPANTS).send().json();
    assert_eq!(
        seen,
        json!({ "participants": [{ "id": "user:u1", "displayName": "Ann", "status": "active" }] })
    );
    let seen = review.host.get(PARTICIPANTS).as_read_token(&review.ben).send().json();
    assert_eq!(seen["participants"][0]["email"], "ann@example.com");
}

#[test]
fn being_in_it_gives_no_access() {
    let review = review();
    review.host.project("p1").access("invited");
    let invite = json!({ "email": "ben@example.com" });
    assert_eq!(
        review.host.post(PARTICIPANTS).as_admin().json(invite).send().status,
        201
    );
    assert_eq!(review.host.get(PARTICIPANTS).as_user(&review.ben).send().status, 404);
}
