//! Replies are changed and deleted by whom comments are.

use galley_tests::prelude::*;

const NOT_FOUND: &str = "Reply not found";

/// A public project with a comment by `ed` and a reply by `vic`: the server, the project, and the addresses of both.
fn answered() -> (Server, String, String, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let comment = format!(
        "{}/{}",
        comments(&open),
        id(&comment(&server.user("ed"), &open, "First"))
    );
    let reply = server
        .user("vic")
        .post(&format!("{comment}/replies"), json!({ "body": "Yes" }))
        .expect(201)
        .json();
    let reply = format!("{comment}/replies/{}", id(&reply));
    (server, open, comment, reply)
}

fn replies(caller: &Client, project: &str) -> Value {
    caller.get(&comments(project)).expect(200).json()["comments"][0]["replies"].clone()
}

#[test]
fn the_same_user_changes_and_deletes_a_reply() {
    let (server, open, _, reply) = answered();
    let vic = server.user("vic");
    assert_eq!(replies(&vic, &open)[0]["editedAt"], Value::Null);
    let changed = vic.patch(&reply, json!({ "body": " No " })).expect(200).json();
    assert_eq!(changed["body"], "No");
    assert!(text(&changed, "editedAt").ends_with('Z') && changed["editedAt"] == changed["updatedAt"]);
    assert_eq!(replies(&vic, &open), json!([changed]));
    for bad in [
        json!({}),
        json!({ "body": "" }),
        json!({ "body": 5 }),
        json!({ "mentions": 5 }),
    ] {
        vic.patch(&reply, bad).expect(400);
    }
    server.token("vic", &["read"]).delete(&reply).expect(403);
    assert!(
        server
            .token("vic", &["write"])
            .delete(&reply)
            .expect(204)
            .body
            .is_empty()
    );
    assert_eq!(replies(&vic, &open), json!([]));
    vic.delete(&reply).refused(404, NOT_FOUND);
}

#[test]
fn everyone_else_gets_the_404_of_a_missing_reply() {
    let (server, open, _, reply) = answered();
    let missing = format!("{}0", &reply[..reply.len() - 1]);
    for caller in [server.user("vera"), server.user("ed"), server.anonymous()] {
        let change = json!({ "body": "Mine" });
        let refusal = caller.patch(&reply, change.clone());
        assert_eq!(refusal.comparable(), caller.patch(&missing, change).comparable());
        refusal.refused(404, NOT_FOUND);
        caller.delete(&reply).refused(404, NOT_FOUND);
    }
    assert_eq!(replies(&server.user("ed"), &open)[0]["body"], "Yes");
    server
        .user("ada")
        .patch(&reply, json!({ "body": "By an admin" }))
        .expect(200);
    let member = json!({ "email": "vera@example.com" });
    server
        .admin()
        .post(&format!("/api/v1/projects/{open}/members"), member)
        .expect(201);
    server.user("vera").delete(&reply).expect(204);
}

#[test]
fn a_visitors_reply_is_anybodys_and_each_change_rings() {
    let (server, open, comment, _) = answered();
    let stream = server.user("ed").stream(&format!("{}/stream", comments(&open)));
    assert_eq!(stream.next().json(), json!({ "type": "connected" }));
    let rings = || assert_eq!(stream.next().json(), json!({ "type": "changed" }));
    let reply = server
        .anonymous()
        .post(&format!("{comment}/replies"), json!({ "body": "Hello" }))
        .expect(201)
        .json();
    rings();
    let reply = format!("{comment}/replies/{}", id(&reply));
    server
        .user("vera")
        .patch(&reply, json!({ "body": "Changed" }))
        .expect(200);
    rings();
    server.anonymous().delete(&reply).expect(204);
    rings();
    let ids = json!([comment.rsplit('/').next()]);
    server
        .user("vera")
        .post(
            &format!("{}/resolve", comments(&open)),
            json!({ "ids": ids, "resolved": true }),
        )
        .expect(200);
    rings();
}

#[test]
fn a_deleted_reply_gives_its_place_back() {
    let (server, _, comment, reply) = answered();
    let vic = server.user("vic");
    let path = format!("{comment}/replies");
    (0..499).for_each(|_| drop(vic.post(&path, json!({ "body": "x" })).expect(201)));
    vic.post(&path, json!({ "body": "x" })).expect(400);
    vic.delete(&reply).expect(204);
    vic.post(&path, json!({ "body": "x" })).expect(201);
    vic.post(&path, json!({ "body": "x" })).expect(400);
}
