//! Numbers, anchors, deployments, who resolved a comment, and what is sent twice.

use galley_tests::prelude::*;

fn open() -> (Server, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    (server, open)
}

fn list(caller: &Client, project: &str) -> Vec<Value> {
    let list = caller.get(&comments(project)).expect(200).json();
    list["comments"].as_array().expect("a list").clone()
}

#[test]
fn numbers_count_from_one_and_never_come_again() {
    let (mut server, open) = open();
    let ed = server.user("ed");
    let made: Vec<Value> = (0..3).map(|_| comment(&ed, &open, "Hello")).collect();
    assert_eq!(made[2]["number"], 3);
    ed.delete(&format!("{}/{}", comments(&open), id(&made[2]))).expect(204);
    server.kill();
    server.again();
    let ed = server.user("ed");
    assert_eq!(comment(&ed, &open, "Hello")["number"], 4);
    let other = project(&ed, "other");
    assert_eq!(comment(&ed, &other, "Hello")["number"], 1);
}

#[test]
fn comments_written_at_once_get_numbers_of_their_own() {
    let (server, open) = open();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| drop(comment(&server.user("ed"), &open, "x"))));
        }
    });
    let numbers: Vec<Value> = list(&server.user("ed"), &open)
        .iter()
        .map(|one| one["number"].clone())
        .collect();
    assert_eq!(json!(numbers), json!((1..=100).collect::<Vec<u32>>()));
}

#[test]
fn an_anchor_comes_back_as_it_was_sent() {
    let (server, open) = open();
    let anchor =
        json!({ "v": 1, "tag": "button", "text": "Größe \" \u{7}", "point": { "x": 0.5, "y": 1e-7 }, "attrs": {} });
    let mut new = remark("Hello");
    new["position"]["anchor"] = anchor.clone();
    let made = server
        .anonymous()
        .post(&comments(&open), new.clone())
        .expect(201)
        .json();
    assert_eq!(made["position"]["anchor"], anchor);
    assert_eq!(list(&server.user("vic"), &open)[0]["position"]["anchor"], anchor);
    for bad in [json!([]), json!("x"), json!({ "t": "x".repeat(8192) })] {
        new["position"]["anchor"] = bad;
        let error = server
            .anonymous()
            .post(&comments(&open), new.clone())
            .expect(400)
            .error();
        assert!(error.contains("position.anchor"), "{error}");
    }
}

#[test]
fn a_comment_knows_the_deployment_its_author_saw() {
    let (server, open) = open();
    let ed = server.user("ed");
    assert_eq!(comment(&ed, &open, "Early")["deploymentId"], Value::Null);
    let first = text(&upload(&ed, &open, &Bundle::sample("One")), "deploymentId");
    assert_eq!(
        comment(&server.anonymous(), &open, "On what is live")["deploymentId"],
        json!(first)
    );
    let second = text(&upload(&ed, &open, &Bundle::sample("Two")), "deploymentId");
    let mut new = remark("On the one before");
    new["deploymentId"] = json!(first);
    assert_eq!(
        ed.post(&comments(&open), new.clone()).expect(201).json()["deploymentId"],
        json!(first)
    );
    assert_eq!(comment(&ed, &open, "On the new one")["deploymentId"], json!(second));
    new["deploymentId"] = json!("../x");
    ed.post(&comments(&open), new)
        .refused(400, "`deploymentId` must be the id of a deployment");
}

#[test]
fn what_is_sent_twice_is_there_once() {
    let (server, open) = open();
    let guest = server.anonymous();
    let mut new = remark("Hello");
    new["clientKey"] = json!("draft-1");
    new["author"] = json!({ "uid": "viewer:eve", "displayName": "Eve" });
    let first = guest.post(&comments(&open), new.clone()).expect(201).json();
    assert_eq!(guest.post(&comments(&open), new.clone()).expect(200).json(), first);
    let replies = format!("{}/{}/replies", comments(&open), id(&first));
    let reply = json!({ "body": "Yes", "clientKey": "draft-2" });
    let answered = server.user("vic").post(&replies, reply.clone()).expect(201).json();
    assert_eq!(server.user("vic").post(&replies, reply).expect(200).json(), answered);
    let list = list(&guest, &open);
    assert_eq!((list.len(), &list[0]["replies"]), (1, &json!([answered])));
    new["clientKey"] = json!("x".repeat(65));
    guest.post(&comments(&open), new).expect(400);
}

#[test]
fn what_is_sent_twice_at_once_is_there_once() {
    let (server, open) = open();
    let mut new = remark("Hello");
    new["clientKey"] = json!("draft-1");
    let send = || server.user("vic").post(&comments(&open), new.clone());
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| send().status)).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 201)),
        "{statuses:?}"
    );
    assert_eq!(list(&server.user("vic"), &open).len(), 1);
}

#[test]
fn a_comment_says_who_resolved_it_and_when_its_words_were_changed() {
    let (server, open) = open();
    let (ed, vic) = (server.user("ed"), server.user("vic"));
    let made = comment(&ed, &open, "Hello");
    for key in ["resolvedBy", "resolvedAt", "editedAt"] {
        assert_eq!(made[key], Value::Null, "{key}");
    }
    let one = format!("{}/{}", comments(&open), id(&made));
    let resolved = vic.patch(&one, json!({ "resolved": true })).expect(200).json();
    assert_eq!(
        resolved["resolvedBy"],
        json!({ "uid": "user:account-vic", "displayName": "vic" })
    );
    assert!(text(&resolved, "resolvedAt").ends_with('Z'));
    assert_eq!(resolved["editedAt"], Value::Null);
    let edited = ed
        .patch(&one, json!({ "body": "Other", "resolved": true }))
        .expect(200)
        .json();
    assert_eq!(edited["resolvedBy"], resolved["resolvedBy"]);
    assert!(text(&edited, "editedAt").ends_with('Z'));
    let guest = json!({ "resolved": false, "author": { "uid": "viewer:eve", "displayName": "Eve" } });
    let opened = server.anonymous().patch(&one, guest).expect(200).json();
    assert_eq!(
        (&opened["resolvedBy"], &opened["resolvedAt"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn several_comments_are_resolved_together_or_none() {
    let (server, open) = open();
    let vic = server.user("vic");
    let ids: Vec<String> = (0..3).map(|_| id(&comment(&vic, &open, "x"))).collect();
    let path = format!("{}/resolve", comments(&open));
    let missing = json!({ "ids": [ids[0], "missing"], "resolved": true });
    server
        .anonymous()
        .post(&path, missing)
        .refused(404, "Comment not found");
    let both = json!({ "ids": [ids[0], ids[2]], "resolved": true });
    let changed = server.anonymous().post(&path, both).expect(200).json();
    assert_eq!(changed["changed"].as_array().map(Vec::len), Some(2));
    let states: Vec<Value> = list(&vic, &open).iter().map(|one| one["resolved"].clone()).collect();
    assert_eq!(json!(states), json!([true, false, true]));
    vic.post(&path, json!({ "ids": [], "resolved": true })).expect(400);
    vic.post(&path, json!({ "ids": vec!["x"; 500], "resolved": true }))
        .expect(404);
    let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    vic.post(&path, json!({ "ids": many, "resolved": true })).expect(400);
    server
        .token("vic", &["read"])
        .post(&path, json!({ "ids": ids, "resolved": true }))
        .expect(403);
}

#[test]
fn every_writer_pins_a_comment_again() {
    let (server, open) = open();
    let one = format!(
        "{}/{}",
        comments(&open),
        id(&comment(&server.user("ed"), &open, "Hello"))
    );
    let position = json!({ "anchorSelector": "#buy", "page": "/shop", "anchor": { "v": 1, "text": "Buy" } });
    let pin = json!({ "position": position, "deploymentId": "newer" });
    let pinned = server.anonymous().patch(&one, pin).expect(200).json();
    assert_eq!(
        (&pinned["position"], &pinned["deploymentId"]),
        (&position, &json!("newer"))
    );
    assert_eq!((&pinned["body"], &pinned["editedAt"]), (&json!("Hello"), &Value::Null));
    assert_eq!(list(&server.user("vic"), &open)[0]["position"], position);
    server
        .user("vic")
        .patch(&one, json!({ "position": { "page": "/" } }))
        .expect(400);
    let mine = json!({ "position": position, "body": "Mine" });
    server.user("vic").patch(&one, mine).refused(404, "Comment not found");
}
