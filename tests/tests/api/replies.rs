//! Replies and their bound.

use galley_tests::prelude::*;

fn one_comment() -> (Server, String, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let written = id(&comment(&server.user("ed"), &open, "First"));
    let replies = format!("{}/{written}/replies", comments(&open));
    (server, open, replies)
}

fn replies(caller: &Client, project: &str) -> Vec<Value> {
    let list = caller.get(&comments(project)).expect(200).json();
    list["comments"][0]["replies"].as_array().expect("a list").clone()
}

#[test]
fn a_reply_has_the_fields_of_the_document() {
    let (server, open, path) = one_comment();
    let made = server
        .user("vic")
        .post(&path, json!({ "body": " Indeed " }))
        .expect(201)
        .json();
    assert_eq!(made["body"], "Indeed");
    assert_eq!(
        made["author"],
        json!({ "uid": "user:account-vic", "displayName": "vic" })
    );
    assert_eq!(made["mentions"], json!([]));
    assert!(!text(&made, "id").is_empty() && text(&made, "createdAt").ends_with('Z'));
    assert_eq!(replies(&server.anonymous(), &open), [made]);
}

#[test]
fn replies_are_oldest_first() {
    let (server, open, path) = one_comment();
    for number in 0..10 {
        server
            .user("vic")
            .post(&path, json!({ "body": format!("{number}") }))
            .expect(201);
    }
    let bodies: Vec<String> = replies(&server.user("ed"), &open)
        .iter()
        .map(|reply| text(reply, "body"))
        .collect();
    assert_eq!(bodies, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[test]
fn an_anonymous_reply_carries_its_author() {
    let (server, _, path) = one_comment();
    let body = json!({ "body": "Hello", "author": { "uid": "viewer:x", "displayName": "Guest" } });
    let made = server.anonymous().post(&path, body).expect(201).json();
    assert_eq!(made["author"], json!({ "uid": "viewer:x", "displayName": "Guest" }));
    let body = json!({ "body": "Hello", "author": { "uid": "user:account-ed", "displayName": "ed" } });
    server.anonymous().post(&path, body).expect(400);
}

#[test]
fn a_reply_is_bounded_as_a_comment_is() {
    let (server, open, path) = one_comment();
    let ed = server.user("ed");
    for body in [
        json!({}),
        json!({ "body": "" }),
        json!({ "body": "  " }),
        json!({ "body": "x".repeat(10_001) }),
        json!([]),
    ] {
        ed.post(&path, body).expect(400);
    }
    ed.post(&path, json!({ "body": "x".repeat(10_000) })).expect(201);
    assert_eq!(replies(&ed, &open).len(), 1);
}

#[test]
fn rule_5_a_reply_beyond_500_is_a_400() {
    let (server, open, path) = one_comment();
    let token = server.token("ed", &["write"]);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..125).for_each(|_| drop(token.post(&path, json!({ "body": "x" })).expect(201))));
        }
    });
    assert!(
        !token
            .post(&path, json!({ "body": "one more" }))
            .expect(400)
            .error()
            .is_empty()
    );
    assert_eq!(replies(&server.user("ed"), &open).len(), 500);
    let another = id(&comment(&server.user("ed"), &open, "Another"));
    token
        .post(
            &format!("{}/{another}/replies", comments(&open)),
            json!({ "body": "fits" }),
        )
        .expect(201);
}

#[test]
fn rule_5_holds_when_the_last_ones_come_together() {
    let (server, open, path) = one_comment();
    let token = server.token("ed", &["write"]);
    (0..495).for_each(|_| drop(token.post(&path, json!({ "body": "x" })).expect(201)));
    let made = std::thread::scope(|scope| {
        let late: Vec<_> = (0..10)
            .map(|_| scope.spawn(|| token.post(&path, json!({ "body": "late" })).status))
            .collect();
        late.into_iter()
            .map(|thread| thread.join().unwrap())
            .filter(|status| *status == 201)
            .count()
    });
    assert_eq!(made, 5);
    assert_eq!(replies(&server.user("ed"), &open).len(), 500);
}
