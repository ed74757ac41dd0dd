//! Changing and deleting: rule 4 of the specification.

use super::*;

/// Every caller who writes, but has nothing to do with Ann's comment.
fn strangers<'a>(review: &'a Review, path: &str, call: impl Fn(&str) -> Call<'a>) {
    refused(call(path).as_user(&review.ben).send(), 404, "Comment not found");
    refused(call(path).as_token(&review.ben).send(), 404, "Comment not found");
    refused(call(path).send(), 404, "Comment not found");
}

#[test]
fn the_author_changes_body_and_mentions() {
    let review = review();
    let (path, before) = review.written(|call| call.as_user(&review.ann));
    review.host.advance(5_000);
    let change = json!({ "body": " Better ", "mentions": ["user:u1"] });
    let answer = review.host.patch(&path).as_token(&review.ann).json(change).send();
    let mut after = before;
    after["body"] = json!("Better");
    after["mentions"] = json!(["user:u1"]);
    after["updatedAt"] = json!("2026-01-01T00:00:05.000Z");
    after["editedAt"] = json!("2026-01-01T00:00:05.000Z");
    assert_eq!((answer.status, answer.json()), (200, after.clone()));
    assert_eq!(review.listed(), [after]);
}

#[test]
fn everybody_else_gets_the_404_of_a_missing_comment() {
    let review = review();
    let (path, before) = review.written(|call| call.as_user(&review.ann));
    strangers(&review, &path, |path| {
        review.host.patch(path).json(json!({ "body": "Mine" }))
    });
    strangers(&review, &path, |path| {
        review.host.patch(path).json(json!({ "mentions": [] }))
    });
    strangers(&review, &path, |path| {
        review
            .host
            .patch(path)
            .json(json!({ "body": "Mine", "resolved": true }))
    });
    strangers(&review, &path, |path| review.host.delete(path));
    let missing = review
        .host
        .delete(&format!("{COMMENTS}/none"))
        .as_user(&review.ben)
        .send();
    assert_eq!(missing.body, review.host.delete(&path).as_user(&review.ben).send().body);
    assert_eq!(review.listed(), [before]);
}

#[test]
fn an_admin_may_change_and_delete() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    assert_eq!(
        review
            .host
            .patch(&path)
            .as_user(&review.root)
            .json(json!({ "body": "x" }))
            .send()
            .status,
        200
    );
    assert_eq!(
        review
            .host
            .patch(&path)
            .as_admin()
            .json(json!({ "body": "x" }))
            .send()
            .status,
        200
    );
    assert_eq!(review.host.delete(&path).as_admin().send().status, 204);
}

#[test]
fn somebody_on_the_access_list_may_change_and_delete() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.host.project("p1").list(&review.ben);
    assert_eq!(
        review
            .host
            .patch(&path)
            .as_user(&review.ben)
            .json(json!({ "body": "x" }))
            .send()
            .status,
        200
    );
    assert_eq!(review.host.delete(&path).as_user(&review.ben).send().status, 204);
}

#[test]
fn an_editor_is_not_enough() {
    let review = review();
    let editor = review.host.editor("ed@example.com");
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    refused(
        review.host.delete(&path).as_user(&editor).send(),
        404,
        "Comment not found",
    );
}

#[test]
fn whoever_writes_may_resolve_and_reopen() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let by_visitor = review.host.patch(&path).json(json!({ "resolved": true })).send();
    assert_eq!((by_visitor.status, &by_visitor.json()["resolved"]), (200, &json!(true)));
    let by_ben = review
        .host
        .patch(&path)
        .as_user(&review.ben)
        .json(json!({ "resolved": false }))
        .send();
    assert_eq!((by_ben.status, &by_ben.json()["resolved"]), (200, &json!(false)));
}

#[test]
fn a_visitors_comment_may_be_changed_by_whoever_writes() {
    let review = review();
    let (path, _) = review.written(|call| call);
    assert_eq!(review.host.patch(&path).json(json!({ "body": "x" })).send().status, 200);
    assert_eq!(
        review
            .host
            .patch(&path)
            .as_user(&review.ben)
            .json(json!({ "body": "y" }))
            .send()
            .status,
        200
    );
    assert_eq!(review.host.delete(&path).send().status, 204);
}

#[test]
fn a_change_keeps_the_replies() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let reply = review
        .host
        .post(&format!("{path}/replies"))
        .json(json!({ "body": "Yes" }))
        .send()
        .json();
    let answer = review.host.patch(&path).json(json!({ "resolved": true })).send();
    assert_eq!(answer.json()["replies"], json!([reply]));
}

#[test]
fn a_change_keeps_what_it_leaves_out() {
    let review = review();
    let (path, before) = review.written(|call| call);
    review.host.patch(&path).json(json!({ "resolved": true })).send();
    let answer = review
        .host
        .patch(&path)
        .json(json!({ "body": "Better", "position": null, "author": 5 }))
        .send();
    let mut after = before;
    (after["resolved"], after["body"]) = (json!(true), json!("Better"));
    after["resolvedBy"] = answer.json()["resolvedBy"].clone();
    after["resolvedAt"] = after["createdAt"].clone();
    after["editedAt"] = after["createdAt"].clone();
    assert_eq!(answer.json(), after);
}

#[test]
fn a_change_is_checked_like_a_new_comment() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let send = |change: Value| review.host.patch(&path).json(change).send();
    refused(send(json!({ "body": " " })), 400, "`body` must not be empty");
    refused(
        send(json!({ "body": "x".repeat(10_001) })),
        400,
        "`body` must have at most 10000 characters",
    );
    refused(
        send(json!({ "resolved": "yes" })),
        400,
        "`resolved` must be true or false",
    );
    refused(send(json!({ "mentions": "ann" })), 400, "`mentions` must be an array");
    refused(
        send(json!({})),
        400,
        "Nothing to change: send `body`, `resolved`, `mentions` or `position`",
    );
}

#[test]
fn deleting_answers_204_once() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review
        .host
        .post(&format!("{path}/replies"))
        .json(json!({ "body": "Yes" }))
        .send();
    let answer = review.host.delete(&path).as_user(&review.ann).send();
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    refused(
        review.host.delete(&path).as_user(&review.ann).send(),
        404,
        "Comment not found",
    );
    assert!(review.listed().is_empty());
}

#[test]
fn a_deleted_comments_replies_do_not_come_back() {
    let review = review();
    let (path, _) = review.written(|call| call);
    review
        .host
        .post(&format!("{path}/replies"))
        .json(json!({ "body": "Yes" }))
        .send();
    review.host.delete(&path).send();
    let (next, _) = review.written(|call| call);
    review
        .host
        .post(&format!("{next}/replies"))
        .json(json!({ "body": "New" }))
        .send();
    assert_eq!(review.listed()[0]["replies"].as_array().unwrap().len(), 1);
}

#[test]
fn a_comment_of_another_project_is_not_found() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let other = path.replace("p1", "p2");
    refused(
        review.host.patch(&other).json(json!({ "resolved": true })).send(),
        404,
        "Comment not found",
    );
    refused(
        review.host.patch(&other).json(json!({ "body": "x" })).send(),
        404,
        "Comment not found",
    );
    refused(review.host.delete(&other).send(), 404, "Comment not found");
    let answer = review
        .host
        .post(&format!("{other}/replies"))
        .json(json!({ "body": "Yes" }))
        .send();
    refused(answer, 404, "Comment not found");
    assert_eq!(review.listed().len(), 1);
}
