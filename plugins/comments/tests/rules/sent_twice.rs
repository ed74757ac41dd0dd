//! What is sent twice with the client's key is there once.

use super::*;

fn keyed(key: &str, uid: &str) -> Value {
    let mut new = comment();
    new["clientKey"] = json!(key);
    new["author"] = json!({ "uid": uid, "displayName": "Eve" });
    new
}

#[test]
fn a_comment_sent_twice_is_there_once() {
    let review = review();
    let first = review.host.post(COMMENTS).json(keyed("k1", "viewer:eve")).send();
    assert_eq!((first.status, &first.json()["clientKey"]), (201, &json!("k1")));
    review.host.rung();
    let mut changed = keyed("k1", "viewer:eve");
    changed["body"] = json!("Other words");
    let again = review.host.post(COMMENTS).json(changed).send();
    assert_eq!((again.status, again.json()), (200, first.json()));
    assert!(review.host.rung().is_empty(), "nothing changed");
    assert_eq!(review.host.published_to("comments/written").len(), 1);
    assert_eq!(review.listed().len(), 1);
}

#[test]
fn a_key_is_its_authors_and_its_projects() {
    let review = review();
    let status = |path: &str, uid: &str| review.host.post(path).json(keyed("k1", uid)).send().status;
    assert_eq!(status(COMMENTS, "viewer:eve"), 201);
    assert_eq!(status(COMMENTS, "viewer:joe"), 201);
    assert_eq!(status("/api/v1/projects/p2/comments", "viewer:eve"), 201);
    let by_ann = review
        .host
        .post(COMMENTS)
        .as_user(&review.ann)
        .json(keyed("k1", "viewer:eve"));
    assert_eq!(by_ann.send().status, 201);
    assert_eq!(review.listed().len(), 3);
}

#[test]
fn a_key_is_free_again_when_its_comment_is_deleted() {
    let review = review();
    let first = review.host.post(COMMENTS).json(keyed("k1", "viewer:eve")).send().json();
    let path = format!("{COMMENTS}/{}", first["id"].as_str().unwrap());
    assert_eq!(review.host.delete(&path).send().status, 204);
    assert_eq!(
        review.host.post(COMMENTS).json(keyed("k1", "viewer:eve")).send().status,
        201
    );
}

#[test]
fn a_key_has_1_to_64_characters() {
    let review = review();
    let send = |key: &str| review.host.post(COMMENTS).json(keyed(key, "viewer:eve")).send();
    assert_eq!(send(&"ä".repeat(64)).status, 201);
    refused(
        send(&"ä".repeat(65)),
        400,
        "`clientKey` must have at most 64 characters",
    );
    refused(send(""), 400, "`clientKey` must not be empty");
}

#[test]
fn a_reply_sent_twice_is_there_once() {
    let review = review();
    let paths: Vec<_> = (0..2)
        .map(|_| format!("{}/replies", review.written(|call| call).0))
        .collect();
    let send = |path: &str| {
        let body = json!({ "body": "Yes", "clientKey": "k1" });
        review.host.post(path).as_user(&review.ann).json(body).send()
    };
    let first = send(&paths[0]);
    assert_eq!((first.status, &first.json()["clientKey"]), (201, &json!("k1")));
    let again = send(&paths[0]);
    assert_eq!((again.status, again.json()), (200, first.json()));
    assert_eq!(send(&paths[1]).status, 201, "a key is its comment's");
    assert_eq!(review.listed()[0]["replies"].as_array().unwrap().len(), 1);
}
