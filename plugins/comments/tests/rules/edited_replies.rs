//! Replies are changed and deleted, with the rights of comments.

use super::*;

impl Review {
    /// A comment by Ann with a reply by Ben: the reply's path and record.
    fn answered(&self) -> (String, Value) {
        let (path, _) = self.written(|call| call.as_user(&self.ann));
        self.answer(&path, |call| call.as_user(&self.ben))
    }

    fn answer(&self, path: &str, sender: impl FnOnce(Call<'_>) -> Call<'_>) -> (String, Value) {
        let replies = format!("{path}/replies");
        let answer = sender(self.host.post(&replies)).json(json!({ "body": "Yes" })).send();
        assert_eq!(answer.status, 201, "{}", answer.text());
        self.host.rung();
        (
            format!("{replies}/{}", answer.json()["id"].as_str().unwrap()),
            answer.json(),
        )
    }
}

#[test]
fn the_author_changes_a_reply() {
    let review = review();
    let (path, mut reply) = review.answered();
    review.host.advance(5_000);
    let change = json!({ "body": " No ", "mentions": ["user:u1", "none"] });
    let answer = review.host.patch(&path).as_token(&review.ben).json(change).send();
    reply["body"] = json!("No");
    reply["mentions"] = json!(["user:u1"]);
    reply["editedAt"] = json!("2026-01-01T00:00:05.000Z");
    reply["updatedAt"] = json!("2026-01-01T00:00:05.000Z");
    assert_eq!((answer.status, answer.json()), (200, reply.clone()));
    assert_eq!(review.listed()[0]["replies"], json!([reply]));
    assert_eq!(review.host.rung(), ["p1"]);
    let told = review.host.published_to("comments/people-mentioned");
    assert_eq!((told.len(), &told[0]["people"]), (1, &json!(["user:u1"])));

    let answer = review
        .host
        .patch(&path)
        .as_user(&review.ben)
        .json(json!({ "mentions": [] }))
        .send();
    assert_eq!(answer.json()["editedAt"], reply["editedAt"], "the words are the same");
}

#[test]
fn everybody_else_gets_the_404_of_a_missing_reply() {
    let review = review();
    let (path, reply) = review.answered();
    let missing = path.replace("id0", "xx0");
    let change = json!({ "body": "Mine" });
    for path in [&path, &missing] {
        let (patch, delete) = (review.host.patch(path).json(change.clone()), review.host.delete(path));
        refused(patch.as_user(&review.ann).send(), 404, "Reply not found");
        refused(delete.as_user(&review.ann).send(), 404, "Reply not found");
        refused(
            review.host.patch(path).json(change.clone()).send(),
            404,
            "Reply not found",
        );
        refused(review.host.delete(path).send(), 404, "Reply not found");
    }
    assert_eq!(review.listed()[0]["replies"], json!([reply]));
    assert!(review.host.rung().is_empty());
}

#[test]
fn admins_and_the_access_list_change_replies_and_anybody_those_of_visitors() {
    let review = review();
    let (path, _) = review.answered();
    let change = || review.host.patch(&path).json(json!({ "body": "x" }));
    assert_eq!(change().as_user(&review.root).send().status, 200);
    assert_eq!(change().as_admin().send().status, 200);
    review.host.project("p1").access("public-link").list(&review.ann);
    assert_eq!(change().as_user(&review.ann).send().status, 200);
    let comment = path.split("/replies").next().unwrap();
    let (by_visitor, _) = review.answer(comment, |call| call);
    assert_eq!(review.host.delete(&by_visitor).send().status, 204);
}

#[test]
fn a_reply_belongs_to_the_comment_of_its_path() {
    let review = review();
    let (path, reply) = review.answered();
    let (other, _) = review.written(|call| call.as_user(&review.ann));
    let wrong = format!("{other}/replies/{}", reply["id"].as_str().unwrap());
    refused(
        review.host.delete(&wrong).as_user(&review.ben).send(),
        404,
        "Reply not found",
    );
    let call = review
        .host
        .patch(&wrong)
        .as_user(&review.ben)
        .json(json!({ "body": "x" }));
    refused(call.send(), 404, "Reply not found");
    let comment = path.split("/replies").next().unwrap();
    let as_comment = comment.replace(comment.rsplit('/').next().unwrap(), reply["id"].as_str().unwrap());
    assert_eq!(review.host.delete(&as_comment).as_user(&review.ben).send().status, 404);
    assert_eq!(review.listed()[0]["replies"], json!([reply]));
}

#[test]
fn a_deleted_reply_gives_its_place_back() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let paths: Vec<_> = (0..500)
        .map(|_| review.answer(&path, |call| call.as_user(&review.ben)).0)
        .collect();
    let more = || {
        let call = review
            .host
            .post(&format!("{path}/replies"))
            .json(json!({ "body": "x" }));
        call.send().status
    };
    assert_eq!(more(), 400);
    assert_eq!(review.host.delete(&paths[7]).as_user(&review.ben).send().status, 204);
    assert_eq!(review.host.rung(), ["p1"]);
    refused(
        review.host.delete(&paths[7]).as_user(&review.ben).send(),
        404,
        "Reply not found",
    );
    assert_eq!(review.listed()[0]["replies"].as_array().unwrap().len(), 499);
    assert_eq!((more(), more()), (201, 400));
}

#[test]
fn the_replies_of_a_comment_stay_within_their_bytes() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let heavy = json!({ "body": "\u{1F600}".repeat(10_000) });
    let reply = |body: &Value| review.host.post(&format!("{path}/replies")).json(body.clone()).send();
    let fits = (5 << 20) / 40_000;
    let replies: Vec<_> = (0..fits).map(|_| reply(&heavy).json()).collect();
    let last = reply(&json!({ "body": "short" })).json();
    let change = |reply: &Value, body: &Value| {
        let path = format!("{path}/replies/{}", reply["id"].as_str().unwrap());
        review.host.patch(&path).json(body.clone()).send()
    };
    refused(
        change(&last, &heavy),
        400,
        "The replies of this comment are too long together: write a new comment",
    );
    assert_eq!(change(&replies[0], &json!({ "body": "short" })).status, 200);
    assert_eq!(change(&last, &heavy).status, 200);
}

#[test]
fn a_change_of_nothing_is_refused() {
    let review = review();
    let (path, _) = review.answered();
    let patch = |body: Value| review.host.patch(&path).as_user(&review.ben).json(body).send();
    refused(patch(json!({})), 400, "Nothing to change: send `body` or `mentions`");
    refused(patch(json!({ "body": " " })), 400, "`body` must not be empty");
    assert_eq!(patch(json!({ "body": "x".repeat(10_001) })).status, 400);
}

#[test]
fn without_its_last_reply_a_comment_is_read() {
    let review = review();
    let (path, _) = review.answered();
    let unread = || {
        let list = review.host.get(COMMENTS).as_user(&review.ann).send().json();
        list["comments"][0]["unread"].clone()
    };
    assert_eq!(unread(), true);
    review.host.delete(&path).as_user(&review.ben).send();
    assert_eq!(unread(), false);
}
