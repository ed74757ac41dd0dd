//! The audit log of administrative acts.

use galley_tests::prelude::*;

const AUDIT: &str = "/api/v1/instance/audit";

fn page(server: &Server, query: &str) -> Value {
    server.user("ada").get(&format!("{AUDIT}{query}")).expect(200).json()
}

fn entries(server: &Server) -> Vec<Value> {
    page(server, "?limit=200")["entries"]
        .as_array()
        .expect("a list")
        .clone()
}

fn actions(server: &Server) -> Vec<String> {
    entries(server)
        .iter()
        .rev()
        .map(|entry| text(entry, "action"))
        .collect()
}

#[test]
fn an_entry_says_who_did_what_to_whom_and_when() {
    let server = Server::start();
    let change = json!({ "role": "editor" });
    server
        .user("ada")
        .patch("/api/v1/instance/members/account-vic", change)
        .expect(200);
    let entry = entries(&server).remove(0);
    let expected = json!({
        "id": entry["id"], "at": entry["at"], "action": "role-changed", "subject": "account-vic",
        "actor": { "kind": "session", "userId": "account-ada", "email": "ada@example.com" },
        "details": { "email": "vic@example.com", "from": "viewer", "to": "editor" },
    });
    assert_eq!(entry, expected);
    assert!(entry["id"].is_string() && text(&entry, "at").ends_with('Z'));
}

#[test]
fn session_token_and_admin_bearer_are_told_apart() {
    let server = Server::start();
    let callers = [
        server.user("ada"),
        server.token("ada", &["read", "write"]),
        server.admin(),
    ];
    for (number, caller) in callers.iter().enumerate() {
        let rule = format!("/api/v1/instance/domain-rules/d{number}.example.net");
        caller.put(&rule, json!({ "role": "viewer" })).expect(201);
    }
    let actors: Vec<Value> = entries(&server)
        .iter()
        .rev()
        .map(|entry| entry["actor"].clone())
        .collect();
    let ada = |kind: &str| json!({ "kind": kind, "userId": "account-ada", "email": "ada@example.com" });
    assert_eq!(actors, [ada("session"), ada("token"), json!({ "kind": "admin" })]);
}

#[test]
fn every_administrative_act_is_in_it() {
    let server = Server::start();
    let ada = server.user("ada");
    let vic = "/api/v1/instance/members/account-vic";
    ada.patch(vic, json!({ "role": "editor" })).expect(200);
    ada.post(&format!("{vic}/signin-link"), json!({})).expect(201);
    ada.post("/api/v1/admin/users/account-vic/tokens/revoke-all", json!({}))
        .expect(204);
    ada.delete(vic).expect(204);
    ada.post(&format!("{vic}/restore"), json!({})).expect(200);
    let invites = "/api/v1/instance/invites";
    let body = json!({ "email": "nia@example.net", "role": "viewer" });
    let invite = format!("{invites}/{}", id(&ada.post(invites, body).expect(201).json()));
    ada.post(&format!("{invite}/regenerate"), json!({})).expect(200);
    ada.delete(&invite).expect(204);
    let rule = "/api/v1/instance/domain-rules/example.net";
    ada.put(rule, json!({ "role": "viewer" })).expect(201);
    ada.delete(rule).expect(204);
    ada.patch("/api/v1/instance/settings", json!({ "allowPublicLinks": true }))
        .expect(200);
    let mail = json!({ "host": "mail.example.com", "port": 25, "user": "", "pass": "", "from": "g@example.com" });
    ada.put("/api/v1/instance/email", mail).expect(200);
    ada.delete("/api/v1/instance/email").expect(204);
    let expected = [
        "role-changed",
        "sign-in-link-made",
        "tokens-revoked",
        "account-removed",
        "account-restored",
        "invite-made",
        "invite-regenerated",
        "invite-revoked",
        "domain-rule-set",
        "domain-rule-removed",
        "settings-changed",
        "mail-server-set",
        "mail-server-cleared",
    ];
    assert_eq!(actions(&server), expected);
    let entries = entries(&server);
    let of = |action: &str| {
        entries
            .iter()
            .find(|entry| entry["action"] == action)
            .expect("an entry")
    };
    let settings = of("settings-changed");
    assert_eq!(settings["subject"], "settings");
    assert_eq!(
        settings["details"],
        json!({ "allowPublicLinks": { "from": false, "to": true } })
    );
    assert_eq!(of("domain-rule-set")["subject"], "example.net");
    assert_eq!(
        of("invite-made")["details"],
        json!({ "email": "nia@example.net", "role": "viewer" })
    );
    assert_eq!(of("mail-server-set")["details"]["host"], "mail.example.com");
}

#[test]
fn what_was_refused_or_changed_nothing_is_not_in_it() {
    let server = Server::start();
    let vic = "/api/v1/instance/members/account-vic";
    server.user("ed").patch(vic, json!({ "role": "admin" })).expect(403);
    server.user("ada").patch(vic, json!({ "role": "owner" })).expect(400);
    server.user("ada").patch(vic, json!({ "role": "viewer" })).expect(200);
    server
        .user("ada")
        .patch("/api/v1/instance/settings", json!({ "allowPublicLinks": false }))
        .expect(200);
    server
        .user("ada")
        .post(&format!("{vic}/restore"), json!({}))
        .expect(200);
    server.user("ada").delete("/api/v1/instance/email").expect(204);
    assert!(entries(&server).is_empty());
}

#[test]
fn who_came_in_by_which_way_is_in_it() {
    let server = Server::start();
    let body = json!({ "email": "nia@example.net", "role": "viewer" });
    let invite = server
        .user("ada")
        .post("/api/v1/instance/invites", body)
        .expect(201)
        .json();
    let url = text(&invite, "url");
    let link = url.strip_prefix(&server.url()).expect("an address of this instance");
    server.anonymous().submit(link, "displayName=Nia").expect(303);
    let entry = entries(&server).remove(0);
    assert_eq!(
        (&entry["action"], &entry["actor"]),
        (&json!("account-made"), &json!({ "kind": "system" }))
    );
    assert_eq!(
        entry["details"],
        json!({ "email": "nia@example.net", "role": "viewer", "by": "invite" })
    );
    let fresh = Server::build().fresh().without("SERVICE_ADMIN_TOKEN").start();
    let operator = fresh.local_operator();
    let first = operator.get(AUDIT).expect(200).json()["entries"][0].clone();
    assert_eq!(
        (&first["action"], &first["details"]["by"]),
        (&json!("account-made"), &json!("operator"))
    );
}

#[test]
fn links_and_secrets_are_not_in_it() {
    let server = Server::start();
    let ada = server.user("ada");
    let body = json!({ "email": "nia@example.net", "role": "viewer" });
    let invite = ada.post("/api/v1/instance/invites", body).expect(201).json();
    let link = ada
        .post("/api/v1/instance/members/account-vic/signin-link", json!({}))
        .expect(201)
        .json();
    let log = ada.get(AUDIT).expect(200).text();
    for record in [invite, link] {
        let secret = text(&record, "url").rsplit('/').next().unwrap().to_owned();
        assert!(!log.contains(&secret), "{log}");
    }
}

#[test]
fn pages_go_back_from_the_newest_to_the_oldest() {
    let server = Server::start();
    for number in 0..7 {
        let rule = format!("/api/v1/instance/domain-rules/d{number}.example.net");
        server.user("ada").put(&rule, json!({ "role": "viewer" })).expect(201);
    }
    let mut seen = Vec::new();
    let mut query = "?limit=3".to_owned();
    loop {
        let page = page(&server, &query);
        let subjects = page["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| text(entry, "subject"));
        seen.extend(subjects);
        match page["next"].as_str() {
            Some(next) => query = format!("?limit=3&before={next}"),
            None => break,
        }
    }
    let expected: Vec<String> = (0..7).rev().map(|number| format!("d{number}.example.net")).collect();
    assert_eq!(seen, expected);
    assert_eq!(page(&server, "?before=1"), json!({ "entries": [], "next": null }));
}

#[test]
fn the_query_of_a_page_is_checked() {
    let server = Server::start();
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("before=x", "before"),
        ("before=-1", "before"),
        ("before=99999999999999999999", "before"),
    ] {
        let error = server.admin().get(&format!("{AUDIT}?{query}")).expect(400).error();
        assert!(error.contains(field), "{query}: {error}");
    }
    page(&server, "?before=18446744073709551615");
}

#[test]
fn what_was_done_outlives_a_kill() {
    let mut server = Server::start();
    let change = json!({ "role": "editor" });
    server
        .user("ada")
        .patch("/api/v1/instance/members/account-vic", change)
        .expect(200);
    let before = entries(&server);
    server.kill();
    server.again();
    assert_eq!(entries(&server), before);
}
