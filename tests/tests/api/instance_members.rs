//! The accounts of the instance.

use galley_tests::prelude::*;

const MEMBERS: &str = "/api/v1/instance/members";
const LAST_ADMIN: &str = "The instance needs at least one active admin";

fn path(name: &str) -> String {
    format!("{MEMBERS}/account-{name}")
}

fn members(server: &Server) -> Vec<Value> {
    let list = server.admin().get(MEMBERS).expect(200).json();
    list["members"].as_array().expect("a list").clone()
}

fn member(server: &Server, name: &str) -> Value {
    let id = format!("account-{name}");
    let found = members(server)
        .into_iter()
        .find(|member| member["userId"] == id.as_str());
    found.unwrap_or_else(|| panic!("nobody is called {name}"))
}

#[test]
fn the_list_has_every_account_removed_ones_too() {
    let server = Server::start();
    server.admin().delete(&path("vic")).expect(204);
    assert_eq!(members(&server).len(), 6);
    let vic = member(&server, "vic");
    let created = text(&vic, "createdAt");
    let expected = json!({
        "userId": "account-vic", "email": "vic@example.com", "displayName": "vic", "role": "viewer", "removed": true,
        "createdAt": created,
    });
    assert_eq!(vic, expected);
    assert!(created.starts_with("20") && created.ends_with('Z'), "{created}");
    assert_eq!(member(&server, "ada")["removed"], false);
}

#[test]
fn a_role_change_holds_at_the_next_request() {
    let server = Server::start();
    let (session, token) = (server.user("vic"), server.token("vic", &["read", "write"]));
    let body = |slug: &str| json!({ "slug": slug, "name": "A" });
    session.post("/api/v1/projects", body("one")).expect(403);
    let changed = server
        .user("ada")
        .patch(&path("vic"), json!({ "role": "editor" }))
        .expect(200)
        .json();
    assert_eq!(
        (&changed["userId"], &changed["role"]),
        (&json!("account-vic"), &json!("editor"))
    );
    session.post("/api/v1/projects", body("one")).expect(201);
    token.post("/api/v1/projects", body("two")).expect(201);
    assert_eq!(session.get("/api/v1/me").expect(200).json()["user"]["role"], "editor");
}

#[test]
fn a_role_is_viewer_editor_or_admin() {
    let server = Server::start();
    let bad = [
        json!({}),
        json!({ "role": "Editor" }),
        json!({ "role": "owner" }),
        json!({ "role": "" }),
        json!({ "role": 5 }),
        json!({ "role": null }),
        json!({ "role": ["admin"] }),
        json!("admin"),
    ];
    for body in bad {
        let error = server.admin().patch(&path("vic"), body.clone()).expect(400).error();
        assert!(error.contains("role") || body.is_string(), "{body}: {error}");
    }
    assert_eq!(member(&server, "vic")["role"], "viewer");
}

#[test]
fn one_active_admin_remains() {
    let server = Server::start();
    server.user("ada").delete(&path("ben")).expect(204);
    server
        .user("ada")
        .patch(&path("ada"), json!({ "role": "editor" }))
        .refused(409, LAST_ADMIN);
    server
        .admin()
        .patch(&path("ada"), json!({ "role": "viewer" }))
        .refused(409, LAST_ADMIN);
    server.user("ada").delete(&path("ada")).refused(409, LAST_ADMIN);
    server.admin().delete(&path("ada")).refused(409, LAST_ADMIN);
    assert_eq!(
        server.user("ada").get("/api/v1/me").expect(200).json()["user"]["role"],
        "admin"
    );
    // A removed admin who comes back counts again.
    server
        .user("ada")
        .post(&format!("{}/restore", path("ben")), json!({}))
        .expect(200);
    server
        .user("ada")
        .patch(&path("ada"), json!({ "role": "viewer" }))
        .expect(200);
}

#[test]
fn two_admins_who_demote_each_other_at_once_leave_one() {
    let server = Server::start();
    for _ in 0..5 {
        let statuses = std::thread::scope(|scope| {
            let demote = |by: &'static str, whom: &'static str| {
                let server = &server;
                scope.spawn(move || server.user(by).patch(&path(whom), json!({ "role": "viewer" })).status)
            };
            let both = [demote("ada", "ben"), demote("ben", "ada")];
            both.map(|thread| thread.join().unwrap())
        });
        assert!(statuses.contains(&200), "{statuses:?}");
        assert!(
            statuses.iter().any(|status| matches!(status, 403 | 409)),
            "{statuses:?}"
        );
        let admins = members(&server)
            .iter()
            .filter(|member| member["role"] == "admin")
            .count();
        assert_eq!(admins, 1);
        for name in ["ada", "ben"] {
            server
                .admin()
                .patch(&path(name), json!({ "role": "admin" }))
                .expect(200);
        }
    }
}

#[test]
fn two_admins_who_remove_each_other_at_once_leave_one_even_beside_a_third() {
    let server = Server::start();
    server
        .admin()
        .patch(&path("ed"), json!({ "role": "admin" }))
        .expect(200);
    let statuses = std::thread::scope(|scope| {
        let remove = |by: &'static str, whom: &'static str| {
            let server = &server;
            scope.spawn(move || server.user(by).delete(&path(whom)).status)
        };
        let both = [remove("ada", "ben"), remove("ben", "ada")];
        both.map(|thread| thread.join().unwrap())
    });
    // Whoever is removed first does nothing any more, also when their request was let in before.
    assert_eq!(
        statuses.iter().filter(|status| **status == 204).count(),
        1,
        "{statuses:?}"
    );
}

#[test]
fn removal_kills_sessions_and_tokens_at_once() {
    let server = Server::start();
    let (session, token) = (server.user("vic"), server.token("vic", &["read", "write"]));
    token.get("/api/v1/me").expect(200);
    assert!(server.user("ada").delete(&path("vic")).expect(204).body.is_empty());
    assert_eq!(session.get("/api/v1/me").expect(200).json()["user"], Value::Null);
    session.get("/api/v1/tokens").expect(401);
    token.get("/api/v1/me").expect(401);
    server.user("ada").delete(&path("vic")).expect(204);
}

#[test]
fn restoring_brings_the_account_back_without_its_sessions_and_tokens() {
    let server = Server::start();
    let (session, token) = (server.user("ed"), server.token("ed", &["read"]));
    server.admin().delete(&path("ed")).expect(204);
    let restore = format!("{}/restore", path("ed"));
    for _ in 0..2 {
        let restored = server.admin().post(&restore, json!({})).expect(200).json();
        assert_eq!(
            (&restored["removed"], &restored["role"]),
            (&json!(false), &json!("editor"))
        );
    }
    assert_eq!(session.get("/api/v1/me").expect(200).json()["user"], Value::Null);
    token.get("/api/v1/me").expect(401);
}

#[test]
fn an_account_that_does_not_exist_is_a_404() {
    let server = Server::start();
    let nobody = path("nobody");
    let answers = [
        server.admin().patch(&nobody, json!({ "role": "viewer" })),
        server.admin().delete(&nobody),
        server.admin().post(&format!("{nobody}/restore"), json!({})),
        server.admin().post(&format!("{nobody}/signin-link"), json!({})),
    ];
    for answer in answers {
        answer.refused(404, "Member not found");
    }
}

#[test]
fn a_sign_in_link_signs_the_member_in_once() {
    let server = Server::start();
    let link = server
        .user("ada")
        .post(&format!("{}/signin-link", path("vic")), json!({}))
        .expect(201)
        .json();
    let url = text(&link, "url");
    let target = url.strip_prefix(&server.url()).expect("an address of this instance");
    assert!(target.starts_with("/api/v1/auth/signin/"), "{target}");
    assert!(target.len() > "/api/v1/auth/signin/".len() + 42, "256 bits: {target}");
    server.anonymous().open(target).expect(200);
    let signed_in = server.signed_in_by(&server.anonymous().submit(target, "").expect(303));
    assert_eq!(
        signed_in.get("/api/v1/me").expect(200).json()["user"]["id"],
        "account-vic"
    );
    server.anonymous().submit(target, "").expect(404);
}

#[test]
fn a_sign_in_link_expires_after_24_hours() {
    let server = Server::start();
    let link = server
        .admin()
        .post(&format!("{}/signin-link", path("vic")), json!({}))
        .expect(201)
        .json();
    // The audit log tells when it was made.
    let made = server.admin().get("/api/v1/instance/audit?limit=1").expect(200).json()["entries"][0].clone();
    assert_eq!(made["action"], "sign-in-link-made");
    let lives = seconds_between(&text(&made, "at"), &text(&link, "expiresAt"));
    assert!((86_400 - 1..=86_400 + 1).contains(&lives), "{lives} seconds");
}

#[test]
fn a_removed_member_gets_no_sign_in_link_and_old_ones_stop_working() {
    let server = Server::start();
    let make = || server.admin().post(&format!("{}/signin-link", path("vic")), json!({}));
    let url = text(&make().expect(201).json(), "url");
    let target = url
        .strip_prefix(&server.url())
        .expect("an address of this instance")
        .to_owned();
    server.admin().delete(&path("vic")).expect(204);
    make().refused(
        409,
        "This member was removed: restore them before making a sign-in link",
    );
    server.anonymous().submit(&target, "").expect(404);
}

#[test]
fn revoking_all_tokens_takes_tokens_and_leaves_the_session() {
    let server = Server::start();
    let (session, token) = (server.user("vic"), server.token("vic", &["read"]));
    let target = "/api/v1/admin/users/account-vic/tokens/revoke-all";
    assert!(server.admin().post(target, json!({})).expect(204).body.is_empty());
    token.get("/api/v1/me").expect(401);
    session.get("/api/v1/tokens").expect(200);
}

#[test]
fn whoever_may_not_revoke_tokens_gets_the_404_of_an_unknown_path() {
    let server = Server::start();
    let target = "/api/v1/admin/users/account-vic/tokens/revoke-all";
    let unknown = server
        .user("ed")
        .post("/api/v1/admin/users/account-vic/nothing", json!({}))
        .expect(404);
    let answers = [
        server.user("ed").post(target, json!({})),
        server.token("ada", &["read"]).post(target, json!({})),
        server.anonymous().post(target, json!({})),
        server
            .admin()
            .post("/api/v1/admin/users/nobody/tokens/revoke-all", json!({})),
    ];
    for answer in answers {
        assert_eq!(answer.comparable(), unknown.comparable());
    }
}
