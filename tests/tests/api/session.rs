//! `me` and logging out.

use galley_tests::accounts::Person;
use galley_tests::prelude::*;

const LOGOUT_ALL: &str = "/api/v1/auth/logout/all";

#[test]
fn me_tells_who_one_is() {
    let server = Server::start();
    let me = |caller: Client| caller.get("/api/v1/me").expect(200).json();
    let ed = me(server.user("ed"));
    let user = json!({ "id": "account-ed", "email": "ed@example.com", "displayName": "ed", "role": "editor" });
    assert_eq!(ed, json!({ "user": user, "authEnabled": false, "scopes": null }));
    assert_eq!(me(server.user("ada"))["user"]["role"], "admin");
    assert_eq!(me(server.user("vic"))["user"]["role"], "viewer");
    assert_eq!(
        me(server.token("ed", &["read"])),
        json!({ "user": user, "authEnabled": false, "scopes": ["read"] })
    );
    let nobody = me(server.anonymous());
    assert_eq!((&nobody["user"], &nobody["authEnabled"]), (&Value::Null, &json!(false)));
}

#[test]
fn auth_is_enabled_when_code_host_sign_in_is_configured() {
    let server = Server::build()
        .env("SERVICE_CODEHOST_CLIENT_ID", "an-id")
        .env("SERVICE_CODEHOST_CLIENT_SECRET", "a-secret")
        .start();
    assert_eq!(
        server.anonymous().get("/api/v1/me").expect(200).json()["authEnabled"],
        true
    );
}

#[test]
fn logging_out_ends_the_session_on_the_server() {
    let server = Server::start();
    let ed = server.user("ed");
    let answer = ed.request("POST", "/api/v1/auth/logout").send().expect(204);
    assert!(answer.body.is_empty());
    let cookies = answer.all("set-cookie").join("\n").to_lowercase();
    assert!(
        cookies.contains("galley_session=") && cookies.contains("max-age=0"),
        "{cookies}"
    );
    assert_eq!(ed.get("/api/v1/me").expect(200).json()["user"], Value::Null);
    assert_eq!(
        server.user("eve").get("/api/v1/me").expect(200).json()["user"]["email"],
        "eve@example.com"
    );
}

#[test]
fn logging_out_ends_every_session_whose_cookie_the_browser_shows() {
    let server = Server::start();
    let both = format!("{}; {}", server.user("ed").secret(), server.user("eve").secret());
    let logout = server
        .anonymous()
        .request("POST", "/api/v1/auth/logout")
        .header("cookie", &both);
    logout.send().expect(204);
    let me = server.anonymous().request("GET", "/api/v1/me").header("cookie", both);
    assert_eq!(me.send().expect(200).json()["user"], Value::Null);
}

#[test]
fn logging_out_everywhere_ends_all_sessions_of_oneself() {
    let mut server = Server::start();
    server.edit(|core| core.add_session(Person::named("ed"), "eds-telephone"));
    let who = |server: &Server, cookie: &str| {
        let me = server.anonymous().request("GET", "/api/v1/me").header("cookie", cookie);
        me.send().expect(200).json()["user"]["email"].clone()
    };
    let telephone = "galley_session=eds-telephone";
    assert_eq!(who(&server, telephone), "ed@example.com");
    let token = server.token("ed", &["read"]);
    let ed = server.user("ed");
    ed.request("POST", LOGOUT_ALL)
        .header("origin", "http://evil.example")
        .send()
        .expect(403);
    assert_eq!(who(&server, telephone), "ed@example.com");
    let answer = ed.request("POST", LOGOUT_ALL).send().expect(204);
    assert!(answer.body.is_empty());
    let cookies = answer.all("set-cookie").join("\n").to_lowercase();
    assert!(
        cookies.contains("galley_session=") && cookies.contains("max-age=0"),
        "{cookies}"
    );
    assert_eq!(who(&server, telephone), Value::Null);
    assert_eq!(who(&server, ed.secret()), Value::Null);
    assert_eq!(who(&server, server.user("eve").secret()), "eve@example.com");
    // Tokens are no sessions: they have a list of their own.
    token.get("/api/v1/me").expect(200);
    server.kill();
    server.again();
    assert_eq!(who(&server, telephone), Value::Null);
}

#[test]
fn only_a_session_signs_out() {
    let server = Server::start();
    for path in ["/api/v1/auth/logout", LOGOUT_ALL] {
        let status = |caller: Client| {
            let answer = caller.request("POST", path).send();
            assert!(!answer.error().is_empty());
            answer.status
        };
        assert_eq!(status(server.anonymous()), 401, "{path}");
        assert_eq!(status(server.token("ed", &["read", "write"])), 403, "{path}");
        assert_eq!(status(server.admin()), 403, "{path}");
        // A page's form is not told off: who is signed out already wanted just that.
        let form = server.anonymous().submit(path, "").expect(303);
        assert_eq!(form.header("location"), Some("/"));
        server.user("ed").get(path).expect(405);
    }
    assert_eq!(
        server.user("ed").get("/api/v1/me").expect(200).json()["user"]["email"],
        "ed@example.com"
    );
}

#[test]
fn logging_out_survives_a_restart() {
    let mut server = Server::start();
    server
        .user("ed")
        .request("POST", "/api/v1/auth/logout")
        .send()
        .expect(204);
    server.kill();
    server.again();
    assert_eq!(
        server.user("ed").get("/api/v1/me").expect(200).json()["user"],
        Value::Null
    );
}

#[test]
fn logging_out_from_elsewhere_is_refused() {
    let server = Server::start();
    let ed = server.user("ed");
    ed.request("POST", "/api/v1/auth/logout")
        .header("origin", "http://evil.example")
        .send()
        .expect(403);
    assert_eq!(
        ed.get("/api/v1/me").expect(200).json()["user"]["email"],
        "ed@example.com"
    );
}

#[test]
fn sign_in_routes_that_are_not_configured_are_unknown_paths() {
    let server = Server::start();
    for path in ["/api/v1/auth/codehost", "/api/v1/auth/codehost/callback"] {
        let answer = server.anonymous().get(path).expect(404);
        assert_eq!(
            answer.comparable(),
            server.anonymous().get("/api/v1/auth/no-such-path").comparable()
        );
    }
}
