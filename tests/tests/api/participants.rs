//! Participants and mentions.

use galley_tests::prelude::*;

fn path(project: &str) -> String {
    format!("/api/v1/projects/{project}/participants")
}

fn list(caller: &Client, project: &str) -> Vec<Value> {
    caller.get(&path(project)).expect(200).json()["participants"]
        .as_array()
        .expect("a list")
        .clone()
}

fn invite(caller: &Client, project: &str, email: &str) -> Value {
    caller
        .post(&path(project), json!({ "email": email }))
        .expect(201)
        .json()
}

fn open() -> (Server, String) {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    (server, open)
}

#[test]
fn an_invited_address_is_pending() {
    let (server, open) = open();
    let body = json!({ "email": " Kim@Example.com ", "displayName": "Kim" });
    let made = server.user("vic").post(&path(&open), body).expect(201).json();
    assert_eq!(
        (&made["email"], &made["displayName"]),
        (&json!("kim@example.com"), &json!("Kim"))
    );
    assert_eq!(made["status"], "pending");
    assert_eq!(list(&server.user("ed"), &open), [made]);
}

#[test]
fn authors_are_active_by_themselves() {
    let (server, open) = open();
    comment(&server.user("vic"), &open, "Hello");
    comment(&server.user("vic"), &open, "Hello again");
    let first = id(&comment(&server.user("ed"), &open, "Hello"));
    let reply = format!("{}/{first}/replies", comments(&open));
    server.user("vera").post(&reply, json!({ "body": "Hello" })).expect(201);
    let names: Vec<(String, String)> = list(&server.user("ed"), &open)
        .iter()
        .map(|one| (text(one, "displayName"), text(one, "status")))
        .collect();
    let active = |name: &str| (name.to_owned(), "active".to_owned());
    assert_eq!(names, [active("vic"), active("ed"), active("vera")]);
}

#[test]
fn an_invited_person_who_writes_becomes_active_and_keeps_the_id() {
    let (server, open) = open();
    let invited = invite(&server.user("ed"), &open, "vic@example.com");
    comment(&server.user("vic"), &open, "Here I am");
    let listed = list(&server.user("ed"), &open);
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(
        (&listed[0]["status"], &listed[0]["id"]),
        (&json!("active"), &invited["id"])
    );
}

#[test]
fn inviting_needs_somebody_who_is_signed_in() {
    let (server, open) = open();
    let body = json!({ "email": "kim@example.com" });
    server
        .anonymous()
        .post(&path(&open), body.clone())
        .refused(401, "Sign in to invite a participant by email");
    let reader = server.token("vic", &["read"]);
    reader
        .post(&path(&open), body.clone())
        .refused(403, "This action requires a write-scoped token");
    assert!(list(&server.user("ed"), &open).is_empty());
    for caller in [server.user("vic"), server.token("vic", &["write"]), server.admin()] {
        let answer = caller.post(&path(&open), body.clone());
        assert!(matches!(answer.status, 200 | 201), "{}", answer.head);
    }
    assert_eq!(list(&server.user("ed"), &open).len(), 1);
}

#[test]
fn an_address_is_checked() {
    let (server, open) = open();
    for email in [
        "",
        "kim",
        "@example.com",
        "kim@",
        "kim@example.com\r\nBcc: x@example.com",
        "a b@example.com",
        "a@b@c",
    ] {
        let error = server
            .user("vic")
            .post(&path(&open), json!({ "email": email }))
            .expect(400)
            .error();
        assert!(error.contains("email"), "`{email}`: {error}");
    }
    for body in [
        json!({}),
        json!({ "email": 5 }),
        json!({ "email": "kim@example.com", "displayName": 5 }),
    ] {
        server.user("vic").post(&path(&open), body).expect(400);
    }
}

#[test]
fn addresses_are_not_for_the_anonymous() {
    let (server, open) = open();
    invite(&server.user("ed"), &open, "kim@example.com");
    for caller in [server.user("vic"), server.token("vic", &["read"]), server.admin()] {
        assert_eq!(list(&caller, &open)[0]["email"], "kim@example.com");
    }
    let seen = &list(&server.anonymous(), &open)[0];
    assert!(!seen.as_object().unwrap().contains_key("email"), "{seen}");
    assert!(!server.anonymous().get(&path(&open)).text().contains("kim@example.com"));
}

#[test]
fn a_participant_gets_no_access() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    invite(&server.user("ed"), &hidden, "vic@example.com");
    server
        .user("vic")
        .get(&format!("/api/v1/projects/{hidden}"))
        .expect(404);
    let members = server
        .user("ed")
        .get(&format!("/api/v1/projects/{hidden}/members"))
        .expect(200)
        .json();
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
}

#[test]
fn unknown_mentions_are_dropped_silently() {
    let (server, open) = open();
    let ed = server.user("ed");
    let kim = id(&invite(&ed, &open, "kim@example.com"));
    let elsewhere = project(&ed, "elsewhere");
    let stranger = id(&invite(&ed, &elsewhere, "sam@example.com"));
    let mut body = remark("Look");
    body["mentions"] = json!([kim, "nobody", stranger, "kim@example.com", "", kim]);
    let made = ed.post(&comments(&open), body).expect(201).json();
    assert_eq!(made["mentions"], json!([kim]));
    let one = format!("{}/{}", comments(&open), id(&made));
    let reply = ed
        .post(
            &format!("{one}/replies"),
            json!({ "body": "x", "mentions": [stranger, kim] }),
        )
        .expect(201)
        .json();
    assert_eq!(reply["mentions"], json!([kim]));
    assert_eq!(
        ed.patch(&one, json!({ "mentions": [stranger] })).expect(200).json()["mentions"],
        json!([])
    );
}

#[test]
fn mentions_are_a_list_of_texts() {
    let (server, open) = open();
    for mentions in [json!("kim"), json!([5]), json!({}), json!([null])] {
        let mut body = remark("Look");
        body["mentions"] = mentions;
        server.user("ed").post(&comments(&open), body).expect(400);
    }
}

#[test]
fn invitations_are_limited_for_each_client() {
    let (server, open) = open();
    let vic = server.user("vic").at([127, 0, 0, 2]);
    let invite = |number: usize| vic.post(&path(&open), json!({ "email": format!("p{number}@example.com") }));
    let limited = (0..5_000).map(invite).find(|answer| answer.status != 201);
    let refusal = limited.expect("a limit within 5,000 invitations").expect(429);
    assert!(
        refusal
            .header("retry-after")
            .expect("when to come back")
            .parse::<u32>()
            .unwrap()
            > 0
    );
    assert!(!refusal.error().is_empty());
}
