//! Who may administer the instance.

use galley_tests::prelude::*;

const ADMINS_ONLY: &str = "Only admins may administer the instance";

/// Every route of the administration, with a body it takes.
fn routes() -> Vec<(&'static str, &'static str, Value)> {
    let mail = json!({ "host": "mail.example.com", "port": 587, "user": "u", "pass": "p", "from": "g@example.com" });
    vec![
        ("GET", "/api/v1/instance/members", json!({})),
        (
            "PATCH",
            "/api/v1/instance/members/account-vera",
            json!({ "role": "admin" }),
        ),
        ("DELETE", "/api/v1/instance/members/account-vera", json!({})),
        ("POST", "/api/v1/instance/members/account-vera/restore", json!({})),
        ("POST", "/api/v1/instance/members/account-vera/signin-link", json!({})),
        ("GET", "/api/v1/instance/invites", json!({})),
        (
            "POST",
            "/api/v1/instance/invites",
            json!({ "email": "zoe@example.com", "role": "viewer" }),
        ),
        ("POST", "/api/v1/instance/invites/some/regenerate", json!({})),
        ("DELETE", "/api/v1/instance/invites/some", json!({})),
        ("GET", "/api/v1/instance/domain-rules", json!({})),
        (
            "PUT",
            "/api/v1/instance/domain-rules/example.org",
            json!({ "role": "viewer" }),
        ),
        ("DELETE", "/api/v1/instance/domain-rules/example.org", json!({})),
        ("GET", "/api/v1/instance/settings", json!({})),
        (
            "PATCH",
            "/api/v1/instance/settings",
            json!({ "allowPublicLinks": true }),
        ),
        ("PUT", "/api/v1/instance/email", mail),
        ("DELETE", "/api/v1/instance/email", json!({})),
        ("GET", "/api/v1/instance/audit", json!({})),
    ]
}

fn send(caller: &Client, (method, path, body): &(&str, &str, Value)) -> galley_tests::http::Response {
    match *method {
        "GET" => caller.get(path),
        method => caller.request(method, path).json(body).send(),
    }
}

#[test]
fn an_anonymous_caller_gets_401() {
    let server = Server::start();
    for route in routes() {
        let answer = send(&server.anonymous(), &route).expect(401);
        assert!(!answer.error().is_empty());
    }
}

#[test]
fn editors_and_viewers_get_403() {
    let server = Server::start();
    let callers = [
        server.user("ed"),
        server.user("vic"),
        server.token("ed", &["read", "write"]),
        server.token("vic", &["read", "write"]),
    ];
    for route in routes() {
        for caller in &callers {
            send(caller, &route).refused(403, ADMINS_ONLY);
        }
    }
    let settings = server.admin().get("/api/v1/instance/settings").expect(200).json();
    assert_eq!(settings["allowPublicLinks"], false, "nothing was changed");
}

#[test]
fn an_admins_read_only_token_gets_403() {
    let server = Server::start();
    let token = server.token("ada", &["read"]);
    for route in routes() {
        send(&token, &route).refused(403, "This action requires a write-scoped token");
    }
}

#[test]
fn the_admin_bearer_and_an_admins_session_and_write_token_pass() {
    let server = Server::start();
    let callers = [
        server.admin(),
        server.user("ada"),
        server.token("ada", &["read", "write"]),
    ];
    for caller in &callers {
        for route in routes() {
            let answer = send(caller, &route);
            let passed = matches!(answer.status, 200 | 201 | 204 | 404 | 409);
            assert!(passed, "{}: {}{}", answer.request, answer.head, answer.text());
        }
    }
}

#[test]
fn a_bad_bearer_is_a_401_even_beside_an_admins_session() {
    let server = Server::start();
    let request = server.user("ada").request("GET", "/api/v1/instance/members");
    request.header("authorization", "Bearer wrong").send().expect(401);
}

#[test]
fn a_browser_does_not_load_it_as_a_document() {
    let server = Server::start();
    let request = server.user("ada").request("GET", "/api/v1/instance/settings");
    let answer = request.header("sec-fetch-dest", "document").send();
    answer.refused(403, "This endpoint may not be loaded as a document.");
}

#[test]
fn another_sites_page_administers_nothing() {
    let server = Server::start();
    let request = server
        .user("ada")
        .request("DELETE", "/api/v1/instance/members/account-vic");
    request.header("origin", "http://evil.example").send().expect(403);
    let members = server.admin().get("/api/v1/instance/members").expect(200).json();
    assert!(
        members["members"]
            .as_array()
            .unwrap()
            .iter()
            .all(|member| member["removed"] == false)
    );
}

#[test]
fn a_role_that_was_taken_away_is_gone_at_the_next_request() {
    let server = Server::start();
    let (session, token) = (server.user("ben"), server.token("ben", &["read", "write"]));
    for caller in [&session, &token] {
        caller.get("/api/v1/instance/members").expect(200);
    }
    let change = json!({ "role": "editor" });
    server
        .user("ada")
        .patch("/api/v1/instance/members/account-ben", change)
        .expect(200);
    for caller in [&session, &token] {
        caller.get("/api/v1/instance/members").refused(403, ADMINS_ONLY);
    }
}
