//! What other slots may learn of comments.

use super::*;

#[test]
fn a_comment_and_a_reply_are_told_with_their_first_words() {
    let review = review();
    let long = "ä".repeat(300);
    let answer = review
        .host
        .post(COMMENTS)
        .as_user(&review.ann)
        .json(with("/body", long))
        .send();
    let id = answer.json()["id"].clone();
    let uid = format!("user:{}", review.ann.id);
    let expected = json!({
        "projectId": "p1", "commentId": id, "page": "/about", "excerpt": "ä".repeat(200), "authorName": "Ann",
        "authorUid": uid,
    });
    assert_eq!(review.host.published_to("comments/written"), [expected]);

    let replies = format!("{COMMENTS}/{}/replies", id.as_str().unwrap());
    let answer = review
        .host
        .post(&replies)
        .as_user(&review.ben)
        .json(json!({ "body": "Yes" }))
        .send();
    let told = review.host.published_to("comments/written");
    assert_eq!(
        (&told[0]["replyId"], &told[0]["commentId"]),
        (&answer.json()["id"], &id)
    );
    assert_eq!((&told[0]["excerpt"], told[0].get("page")), (&json!("Yes"), None));

    let refused = review
        .host
        .post(COMMENTS)
        .as_user(&review.ann)
        .json(with("/body", ""))
        .send();
    assert_eq!(
        (refused.status, review.host.published_to("comments/written").len()),
        (400, 0)
    );
}

#[test]
fn resolving_is_told_once_and_so_is_opening_again() {
    let review = review();
    let (path, record) = review.written(|call| call.as_user(&review.ann));
    let change = |resolved: bool| {
        let answer = review
            .host
            .patch(&path)
            .as_user(&review.ben)
            .json(json!({ "resolved": resolved }))
            .send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        review.host.published_to("comments/resolved")
    };
    let told = |resolved: bool| json!({ "projectId": "p1", "commentId": record["id"], "resolved": resolved, "by": review.ben.id });
    assert_eq!(change(true), [told(true)]);
    assert!(change(true).is_empty(), "it was resolved before");
    assert_eq!(change(false), [told(false)]);

    let missing = review.host.patch(&format!("{COMMENTS}/none")).as_user(&review.ben);
    assert_eq!(missing.json(json!({ "resolved": true })).send().status, 404);
    assert!(review.host.published_to("comments/resolved").is_empty());
}
