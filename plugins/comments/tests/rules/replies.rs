//! Replies.

use super::*;

#[test]
fn replying_answers_201_with_the_reply() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let answer = review
        .host
        .post(&format!("{path}/replies"))
        .as_user(&review.ann)
        .json(json!({ "body": " Yes " }))
        .send();
    let reply = json!({
        "id": answer.json()["id"],
        "body": "Yes",
        "author": { "uid": "user:u1", "displayName": "Ann" },
        "mentions": [],
        "editedAt": null,
        "createdAt": "2026-01-01T00:00:00.000Z",
        "updatedAt": "2026-01-01T00:00:00.000Z",
    });
    assert_eq!((answer.status, answer.json()), (201, reply.clone()));
    assert_eq!(review.listed()[0]["replies"], json!([reply]));
}

#[test]
fn a_visitor_replies_under_the_name_they_give() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let send = |author: Value| {
        let body = json!({ "body": "Yes", "author": author });
        review.host.post(&format!("{path}/replies")).json(body).send()
    };
    let author = json!({ "uid": "viewer:abc", "displayName": "Eve" });
    assert_eq!(send(author.clone()).json()["author"], author);
    assert_eq!(send(json!({ "uid": "user:u1" })).status, 400);
}

#[test]
fn a_reply_is_checked_like_a_comment() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let send = |body: Value| review.host.post(&format!("{path}/replies")).json(body).send();
    refused(send(json!({})), 400, "`body` is required");
    refused(send(json!({ "body": "\n" })), 400, "`body` must not be empty");
    refused(
        send(json!({ "body": "x".repeat(10_001) })),
        400,
        "`body` must have at most 10000 characters",
    );
}

#[test]
fn replies_that_weigh_too_much_together_are_refused() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let heavy = json!({ "body": "\u{1F600}".repeat(10_000) });
    let reply = || review.host.post(&format!("{path}/replies")).json(heavy.clone()).send();
    let fits = (5 << 20) / 40_000;
    assert!((0..fits).all(|_| reply().status == 201));
    refused(
        reply(),
        400,
        "The replies of this comment are too long together: write a new comment",
    );
    assert_eq!(review.listed()[0]["replies"].as_array().unwrap().len(), fits);
}

#[test]
fn the_501st_reply_is_refused_and_changes_nothing() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let replies = format!("{path}/replies");
    for _ in 0..500 {
        assert_eq!(
            review.host.post(&replies).json(json!({ "body": "Yes" })).send().status,
            201
        );
    }
    review.host.rung();
    let answer = review
        .host
        .post(&replies)
        .as_user(&review.ann)
        .json(json!({ "body": "No" }))
        .send();
    refused(answer, 400, "A comment can have at most 500 replies");
    assert!(review.host.rung().is_empty() && review.directory().is_empty());
    assert_eq!(review.listed()[0]["replies"].as_array().unwrap().len(), 500);
}

#[test]
fn a_reply_to_a_missing_comment_is_a_404() {
    let review = review();
    let answer = review
        .host
        .post(&format!("{COMMENTS}/none/replies"))
        .as_user(&review.ann)
        .json(json!({ "body": "Yes" }));
    refused(answer.send(), 404, "Comment not found");
    assert!(review.directory().is_empty());
}
