//! Personal access tokens.

use galley_tests::accounts::Core;
use galley_tests::prelude::*;

const SESSIONS_ONLY: &str = "Personal access tokens cannot manage tokens";

fn mint(caller: &Client, name: &str) -> Value {
    caller
        .post("/api/v1/tokens", json!({ "name": name, "scopes": ["read"] }))
        .expect(201)
        .json()
}

fn list(caller: &Client) -> Vec<Value> {
    caller.get("/api/v1/tokens").expect(200).json()["tokens"]
        .as_array()
        .expect("a list")
        .clone()
}

#[test]
fn the_plaintext_is_shown_once() {
    let server = Server::start();
    let ed = server.user("ed");
    let minted = mint(&ed, "laptop");
    let plain = text(&minted, "token");
    let parts: Vec<&str> = plain.splitn(3, '_').collect();
    assert_eq!(parts[0], "tok");
    assert_eq!(parts[1], id(&minted));
    assert!(parts[2].len() >= 43, "256 bits: {plain}");

    let listed = ed.get("/api/v1/tokens").expect(200);
    assert!(!listed.text().contains(parts[2]));
    let entry = &list(&ed)[0];
    let keys: Vec<&str> = entry.as_object().unwrap().keys().map(String::as_str).collect();
    for key in ["id", "name", "scopes", "createdAt", "lastUsedAt", "expiresAt"] {
        assert!(keys.contains(&key), "{key} in {entry}");
    }
    assert!(
        keys.iter().all(|key| !key.contains("hash") && *key != "token"),
        "{entry}"
    );
    assert_eq!((&entry["name"], &entry["scopes"]), (&json!("laptop"), &json!(["read"])));
    assert_eq!(
        (&entry["lastUsedAt"], &entry["expiresAt"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn only_a_hash_is_stored() {
    let mut server = Server::start();
    let plain = text(&mint(&server.user("ed"), "laptop"), "token");
    let secret = plain.splitn(3, '_').nth(2).unwrap().to_owned();
    server.stop();
    let dump = server.core().dump();
    assert!(dump.contains("laptop"));
    assert!(!dump.contains(&secret), "the secret stands in core.db");
    assert!(!server.log().contains(&secret), "the secret stands in the log");
}

#[test]
fn a_token_is_its_owner() {
    let server = Server::start();
    let token = server.token("vic", &["read", "write"]);
    let me = token.get("/api/v1/me").expect(200).json();
    assert_eq!(
        (&me["user"]["email"], &me["scopes"]),
        (&json!("vic@example.com"), &json!(["read", "write"]))
    );
    assert_eq!(
        server.token("vic", &["write"]).get("/api/v1/me").expect(200).json()["scopes"],
        json!(["write"])
    );
}

#[test]
fn using_a_token_is_noted() {
    let server = Server::start();
    server.token("ed", &["read"]).get("/api/v1/me").expect(200);
    let used = eventually("the use is noted", || {
        list(&server.user("ed"))[0]["lastUsedAt"].as_str().map(str::to_owned)
    });
    assert!(used.starts_with("20"), "{used}");
}

#[test]
fn tokens_and_the_admin_bearer_manage_no_tokens() {
    let server = Server::start();
    let minted = mint(&server.user("ed"), "laptop");
    let one = format!("/api/v1/tokens/{}", id(&minted));
    let body = json!({ "name": "more", "scopes": ["read"] });
    let token = server.token("ed", &["read", "write"]);
    token.get("/api/v1/tokens").refused(403, SESSIONS_ONLY);
    token.post("/api/v1/tokens", body.clone()).refused(403, SESSIONS_ONLY);
    token.delete(&one).refused(403, SESSIONS_ONLY);
    for (caller, statuses) in [(server.admin(), [401, 403]), (server.anonymous(), [401, 401])] {
        let refusals = [
            caller.get("/api/v1/tokens"),
            caller.post("/api/v1/tokens", body.clone()),
            caller.delete(&one),
        ];
        for refusal in refusals {
            assert!(
                statuses.contains(&refusal.status),
                "{}: {}",
                refusal.request,
                refusal.head
            );
            assert!(!refusal.error().is_empty());
        }
    }
    assert_eq!(list(&server.user("ed")).len(), 2);
}

#[test]
fn names_scopes_and_days_are_checked() {
    let server = Server::start();
    let ed = server.user("ed");
    let bad = [
        (json!({ "scopes": ["read"] }), "name"),
        (json!({ "name": "", "scopes": ["read"] }), "name"),
        (json!({ "name": "   ", "scopes": ["read"] }), "name"),
        (json!({ "name": "x".repeat(65), "scopes": ["read"] }), "name"),
        (json!({ "name": 5, "scopes": ["read"] }), "name"),
        (json!({ "name": "a\nb", "scopes": ["read"] }), "name"),
        (json!({ "name": "a" }), "scopes"),
        (json!({ "name": "a", "scopes": [] }), "scopes"),
        (json!({ "name": "a", "scopes": ["admin"] }), "scopes"),
        (json!({ "name": "a", "scopes": ["read", "admin"] }), "scopes"),
        (json!({ "name": "a", "scopes": "read" }), "scopes"),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": 0 }),
            "expiresInDays",
        ),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": 366 }),
            "expiresInDays",
        ),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": -1 }),
            "expiresInDays",
        ),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": 1.5 }),
            "expiresInDays",
        ),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": "7" }),
            "expiresInDays",
        ),
        (
            json!({ "name": "a", "scopes": ["read"], "expiresInDays": 1e300 }),
            "expiresInDays",
        ),
    ];
    for (body, field) in bad {
        let error = ed.post("/api/v1/tokens", body.clone()).expect(400).error();
        assert!(error.contains(field), "{body}: {error}");
    }
    assert!(list(&ed).is_empty());
    for (name, days) in [("ä".repeat(64), 365), (format!("  {}  ", "x".repeat(64)), 1)] {
        let body = json!({ "name": name, "scopes": ["read", "write"], "expiresInDays": days });
        let minted = ed.post("/api/v1/tokens", body).expect(201).json();
        assert_eq!(minted["name"], json!(name.trim()));
        assert!(text(&minted, "expiresAt") > text(&minted, "createdAt"));
    }
}

#[test]
fn an_expired_token_is_a_401() {
    let mut server = Server::start();
    let body = json!({ "name": "short", "scopes": ["read"], "expiresInDays": 1 });
    let plain = text(
        &server.user("ed").post("/api/v1/tokens", body).expect(201).json(),
        "token",
    );
    server.bearer(&plain).get("/api/v1/me").expect(200);
    server.edit(Core::expire_tokens);
    server.bearer(&plain).get("/api/v1/me").expect(401);
}

#[test]
fn a_revoked_token_is_dead_at_once() {
    let server = Server::start();
    let ed = server.user("ed");
    let minted = mint(&ed, "laptop");
    let token = server.bearer(&text(&minted, "token"));
    token.get("/api/v1/me").expect(200);
    let path = format!("/api/v1/tokens/{}", id(&minted));
    assert!(ed.delete(&path).expect(204).body.is_empty());
    token.get("/api/v1/me").expect(401);
    ed.delete(&path).expect(404);
}

#[test]
fn another_persons_token_is_a_404_like_a_missing_one() {
    let server = Server::start();
    let minted = mint(&server.user("ed"), "laptop");
    let token_id = id(&minted);
    for name in ["eve", "ada"] {
        let theirs = server
            .user(name)
            .delete(&format!("/api/v1/tokens/{token_id}"))
            .expect(404);
        let missing = server
            .user(name)
            .delete(&format!("/api/v1/tokens/{}", "0".repeat(token_id.len())))
            .expect(404);
        assert_eq!(theirs.comparable(), missing.comparable());
        assert!(list(&server.user(name)).is_empty());
    }
    server.bearer(&text(&minted, "token")).get("/api/v1/me").expect(200);
}

#[test]
fn fifty_live_tokens_are_the_most() {
    let server = Server::start();
    let ed = server.user("ed");
    let first = mint(&ed, "first");
    for number in 1..50 {
        mint(&ed, &format!("token {number}"));
    }
    let body = json!({ "name": "one more", "scopes": ["read"] });
    assert!(!ed.post("/api/v1/tokens", body.clone()).expect(409).error().is_empty());
    mint(&server.user("eve"), "somebody else's");
    ed.delete(&format!("/api/v1/tokens/{}", id(&first))).expect(204);
    ed.post("/api/v1/tokens", body).expect(201);
}

#[test]
fn revoking_all_tokens_of_somebody_is_for_admins() {
    let server = Server::start();
    let tokens = [server.token("vic", &["read"]), server.token("vic", &["read", "write"])];
    let path = "/api/v1/admin/users/account-vic/tokens/revoke-all";
    let others = [
        server.anonymous(),
        server.user("ed"),
        server.user("vic"),
        server.token("ed", &["read", "write"]),
        server.token("ada", &["read"]),
    ];
    for caller in &others {
        caller.request("POST", path).send().expect(404);
    }
    tokens
        .iter()
        .for_each(|token| drop(token.get("/api/v1/me").expect(200)));
    let kept = server.token("vera", &["read"]);
    let answer = server.user("ada").request("POST", path).send();
    assert!(matches!(answer.status, 200 | 204), "{}", answer.head);
    tokens
        .iter()
        .for_each(|token| drop(token.get("/api/v1/me").expect(401)));
    kept.get("/api/v1/me").expect(200);
    assert!(list(&server.user("vic")).is_empty());

    for admin in [server.admin(), server.token("ada", &["read", "write"])] {
        let token = server.token("vic", &["read"]);
        admin.request("POST", path).send();
        token.get("/api/v1/me").expect(401);
    }
}
