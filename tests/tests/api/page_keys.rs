//! Keys of pages: a browser's session does nothing at the API without one, and with a review's key little.

use galley_tests::dashboard;
use galley_tests::http::Request;
use galley_tests::prelude::*;
use galley_tests::server::Build;

/// A server with pages.
fn start() -> Server {
    let folder = dashboard::small();
    let build: Build = Server::build().env("SERVICE_DASHBOARD_DIR", folder.path());
    build.public_links(true).anonymous_comments(true).start()
}

/// The key that a page gives to this caller.
fn key(client: &Client, path: &str) -> String {
    let html = client.open(path).expect(200).text();
    dashboard::key_of(&html).expect("a key").to_owned()
}

/// A request as a script of this server's origin sends it.
fn script(client: &Client, method: &str, target: &str) -> Request {
    client
        .request(method, target)
        .header("sec-fetch-mode", "cors")
        .header("sec-fetch-site", "same-origin")
        .header("sec-fetch-dest", "empty")
}

/// The same with the key of its page.
fn page(client: &Client, key: &str, method: &str, target: &str) -> Request {
    script(client, method, target).header("x-galley-key", key)
}

fn is_about(answer: &Response, status: u16, key: &str) {
    let body = answer.json();
    assert_eq!((answer.status, &body["key"]), (status, &json!(key)), "{body}");
}

/// A member's project, and what may be asked of it: routes of the host and of plugins.
fn shop(server: &Server) -> (String, [(&'static str, String); 7]) {
    let shop = project_with(&server.admin(), "shop", "all-members");
    let of = |path: &str| format!("/api/v1/projects/{shop}{path}");
    let asked = [
        ("GET", "/api/v1/me".to_owned()),
        ("GET", "/api/v1/projects".to_owned()),
        ("GET", "/api/v1/tokens".to_owned()),
        ("GET", of("")),
        ("GET", of("/comments")),
        ("GET", of("/deployments")),
        ("GET", "/api/v1/instance/settings".to_owned()),
    ];
    (shop, asked)
}

#[test]
fn a_browsers_session_does_nothing_without_the_key_of_a_page() {
    let server = start();
    let ada = server.user("ada");
    let (_, asked) = shop(&server);
    let (own, other) = (key(&ada, "/"), key(&server.user("ed"), "/"));
    for (method, path) in &asked {
        let answer = script(&ada, method, path).send();
        is_about(&answer, 403, "missing");
        assert!(answer.error().contains("X-Galley-Key"), "{path}: {}", answer.error());
        for wrong in [&other, "", "all.", "__GALLEY_KEY__", &own[..own.len() - 1], "\u{fc}"] {
            is_about(&page(&ada, wrong, method, path).send(), 403, "stale");
        }
        page(&ada, &own, method, path).send().expect(200);
    }
    let token = json!({ "name": "stolen", "scopes": ["read", "write"] });
    is_about(
        &script(&ada, "POST", "/api/v1/tokens").json(&token).send(),
        403,
        "missing",
    );
    assert_eq!(ada.get("/api/v1/tokens").expect(200).json()["tokens"], json!([]));
    for mode in ["cors", "no-cors", "same-origin", "navigate", "websocket", ""] {
        is_about(
            &ada.request("GET", "/api/v1/me").header("sec-fetch-mode", mode).send(),
            403,
            "missing",
        );
    }
}

#[test]
fn programs_and_bearers_and_guests_need_no_key() {
    let server = start();
    let (_, asked) = shop(&server);
    for (method, path) in &asked {
        server.user("ada").request(method, path).send().expect(200);
        if path != "/api/v1/tokens" {
            script(&server.admin(), method, path).send().expect(200);
            script(&server.token("ada", &["read", "write"]), method, path)
                .send()
                .expect(200);
        }
    }
    let open = project_with(&server.admin(), "open", "public-link");
    let comments = format!("/api/v1/projects/{open}/comments");
    script(&server.anonymous(), "GET", &comments).send().expect(200);
    let comment = remark("Hello");
    let post = script(&server.anonymous(), "POST", &comments).header("origin", server.url());
    post.json(&comment).send().expect(201);
}

#[test]
fn a_page_is_told_that_its_session_has_ended() {
    let server = start();
    let vic = server.user("vic");
    let key = key(&vic, "/");
    vic.request("POST", "/api/v1/auth/logout").send().expect(204);
    let answer = page(&vic, &key, "GET", "/api/v1/me").send();
    is_about(&answer, 401, "ended");
    // Without a key the request is a guest's.
    assert_eq!(
        script(&vic, "GET", "/api/v1/me").send().expect(200).json()["user"],
        Value::Null
    );
}

#[test]
fn signing_in_and_out_and_unsubscribing_are_plain_forms() {
    let server = start();
    let vic = server.user("vic");
    let form = |path: &str| vic.form(path, "").header("sec-fetch-mode", "navigate").send();
    let out = form("/api/v1/auth/logout").expect(303);
    assert_eq!(out.header("location"), Some("/"));
    for path in [
        "/api/v1/auth/invite/x",
        "/api/v1/auth/signin/x",
        "/api/v1/auth/local?token=x",
        "/api/v1/unsubscribe",
    ] {
        let answer = server
            .user("ed")
            .form(path, "")
            .header("sec-fetch-mode", "navigate")
            .send();
        assert!(!answer.text().contains("X-Galley-Key"), "{path}: {}", answer.text());
    }
}

#[test]
fn a_reviews_key_reads_its_project_and_writes_remarks_there() {
    let server = start();
    // An admin's session may everything, so each refusal is the key's.
    let ada = server.user("ada");
    let (shop, _) = shop(&server);
    let other = project_with(&server.admin(), "other", "public-link");
    let key = key(&ada, "/projects/shop");
    let ask = |method: &str, path: &str| page(&ada, &key, method, path);
    let of = |project: &str, path: &str| format!("/api/v1/projects/{project}{path}");

    assert_eq!(
        ask("GET", "/api/v1/me").send().expect(200).json()["user"]["email"],
        "ada@example.com"
    );
    let projects = ask("GET", "/api/v1/projects").send().expect(200).json();
    let ids: Vec<&Value> = projects["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| &project["id"])
        .collect();
    assert_eq!(ids, [&json!(shop)]);
    let one = ask("GET", &of(&shop, "")).send().expect(200).json();
    assert_eq!((&one["slug"], &one["canComment"]), (&json!("shop"), &json!(true)));
    for path in ["/comments", "/deployments", "/participants"] {
        ask("GET", &of(&shop, path)).send().expect(200);
    }
    let comment = remark("Hello");
    let answer = ask("POST", &of(&shop, "/comments")).json(&comment).send();
    assert_eq!(answer.status, 201, "{}", answer.text());

    let refused = [
        ("GET", of(&other, "")),
        ("GET", of(&other, "/comments")),
        ("POST", of(&other, "/comments")),
        ("GET", of("no-such-project", "/comments")),
        ("PATCH", of(&shop, "")),
        ("DELETE", of(&shop, "")),
        ("GET", of(&shop, "/members")),
        ("POST", of(&shop, "/members")),
        ("POST", of(&shop, "/deployments")),
        ("POST", "/api/v1/projects".to_owned()),
        ("POST", "/api/v1/projects/resolve".to_owned()),
        ("GET", "/api/v1/tokens".to_owned()),
        ("POST", "/api/v1/tokens".to_owned()),
        ("PATCH", "/api/v1/me".to_owned()),
        ("GET", "/api/v1/instance/settings".to_owned()),
        ("GET", "/api/v1/instance/members".to_owned()),
        ("GET", "/api/v1/instance/plugins".to_owned()),
    ];
    for (method, path) in refused {
        let answer = ask(method, &path).json(&comment).send();
        assert!(
            [403, 404, 405].contains(&answer.status),
            "{method} {path}: {}",
            answer.text()
        );
    }
    is_about(&ask("GET", &of(&other, "")).send(), 403, "narrow");
    is_about(&ask("GET", &of(&other, "/comments")).send(), 403, "narrow");
    is_about(&ask("DELETE", &of(&shop, "")).send(), 403, "narrow");
    is_about(&ask("GET", "/api/v1/instance/settings").send(), 403, "narrow");
    assert_eq!(ada.get(&of(&shop, "")).expect(200).json()["name"], one["name"]);

    let none = dashboard::key_of(&ada.open("/projects/nothing").expect(404).text())
        .unwrap()
        .to_owned();
    let projects = page(&ada, &none, "GET", "/api/v1/projects").send().expect(200).json();
    assert_eq!(projects["projects"], json!([]));
    is_about(&page(&ada, &none, "GET", &of(&shop, "")).send(), 403, "narrow");
}

#[test]
fn a_cookie_that_somebody_else_set_leads_into_no_other_account() {
    let server = start();
    let (ed, vic) = (server.user("ed"), server.user("vic"));
    let key = key(&vic, "/");
    for cookies in [
        format!("{}; {}", ed.secret(), vic.secret()),
        format!("{}; {}", vic.secret(), ed.secret()),
        format!("galley_session=x; {}; {}", ed.secret(), vic.secret()),
    ] {
        let asked = script(&server.anonymous(), "GET", "/api/v1/me").header("cookie", &cookies);
        let me = asked.header("x-galley-key", &key).send().expect(200).json();
        assert_eq!(me["user"]["email"], "vic@example.com", "{cookies}");
        let asked = script(&server.anonymous(), "GET", "/api/v1/me").header("cookie", &cookies);
        is_about(&asked.send(), 403, "missing");
    }
}
