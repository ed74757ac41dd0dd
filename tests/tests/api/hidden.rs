//! A project the caller may not read is, byte by byte, a project that does not exist.

use galley_tests::prelude::*;

const NO_PROJECT: &str = "00000000000000000000000000";

/// Every route below a project, with a body that would be accepted.
fn routes(project: &str) -> Vec<(&'static str, String, Option<Value>)> {
    let base = format!("/api/v1/projects/{project}");
    vec![
        ("GET", base.clone(), None),
        ("PATCH", base.clone(), Some(json!({ "name": "Mine" }))),
        ("PATCH", base.clone(), Some(json!({ "access": "public-link" }))),
        ("DELETE", base.clone(), None),
        ("GET", format!("{base}/members"), None),
        (
            "POST",
            format!("{base}/members"),
            Some(json!({ "email": "eve@example.com" })),
        ),
        ("DELETE", format!("{base}/members/account-eve"), None),
        ("GET", format!("{base}/comments"), None),
        ("HEAD", format!("{base}/comments"), None),
        ("POST", format!("{base}/comments"), Some(remark("Hello"))),
        ("POST", format!("{base}/comments"), Some(json!({ "body": 5 }))),
        ("PATCH", format!("{base}/comments/x"), Some(json!({ "resolved": true }))),
        ("DELETE", format!("{base}/comments/x"), None),
        (
            "POST",
            format!("{base}/comments/x/replies"),
            Some(json!({ "body": "Hello" })),
        ),
        (
            "PATCH",
            format!("{base}/comments/x/replies/x"),
            Some(json!({ "body": "Hello" })),
        ),
        ("DELETE", format!("{base}/comments/x/replies/x"), None),
        ("POST", format!("{base}/comments/x/images"), None),
        ("GET", format!("{base}/comments/x/images/x"), None),
        ("DELETE", format!("{base}/comments/x/images/x"), None),
        (
            "POST",
            format!("{base}/comments/resolve"),
            Some(json!({ "ids": ["x"], "resolved": true })),
        ),
        ("PUT", format!("{base}/comments/seen"), Some(json!({ "number": 1 }))),
        ("GET", format!("{base}/comments/stream"), None),
        ("GET", format!("{base}/participants"), None),
        (
            "POST",
            format!("{base}/participants"),
            Some(json!({ "email": "eve@example.com" })),
        ),
        ("GET", format!("{base}/deployments"), None),
        ("POST", format!("{base}/deployments"), Some(json!("not an archive"))),
    ]
}

fn ask(caller: &Client, (method, path, body): &(&'static str, String, Option<Value>)) -> Response {
    let request = caller.request(method, path);
    match body {
        Some(body) => request.json(body).send(),
        None => request.send(),
    }
}

/// Asks for both on every route and demands equal answers. The ids have the same length, so no header may differ.
fn compare(caller: &Client, hidden: &str) {
    assert_eq!(hidden.len(), NO_PROJECT.len(), "ids changed their form");
    for (there, missing) in routes(hidden).iter().zip(&routes(NO_PROJECT)) {
        let (there, missing) = (ask(caller, there), ask(caller, missing));
        assert_eq!(there.comparable(), missing.comparable(), "{}", there.request);
        if there.status != 404 {
            // The one other answer that tells nothing: nobody at all may do this.
            assert!(matches!(there.status, 401 | 403), "{}: {}", there.request, there.head);
        }
    }
}

#[test]
fn an_invited_project_does_not_exist_for_an_editor_who_is_not_on_its_list() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    for caller in [server.user("eve"), server.token("eve", &["read", "write"])] {
        compare(&caller, &hidden);
        for route in routes(&hidden) {
            ask(&caller, &route).expect(404);
        }
    }
    // None of it had an effect.
    let project = server
        .user("ed")
        .get(&format!("/api/v1/projects/{hidden}"))
        .expect(200)
        .json();
    assert_eq!(
        (&project["name"], &project["access"]),
        (&json!("hidden"), &json!("invited"))
    );
    assert_eq!(bodies(&server.admin(), &hidden), [""; 0]);
}

#[test]
fn an_invited_project_does_not_exist_for_a_viewer() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    compare(&server.user("vic"), &hidden);
    compare(&server.token("vic", &["read"]), &hidden);
}

#[test]
fn a_members_project_does_not_exist_for_the_world() {
    for anonymous_comments in [true, false] {
        let server = Server::build().anonymous_comments(anonymous_comments).start();
        let hidden = project(&server.user("ed"), "hidden");
        compare(&server.anonymous(), &hidden);
        for path in [
            "",
            "/comments",
            "/deployments",
            "/members",
            "/participants",
            "/comments/stream",
        ] {
            server
                .anonymous()
                .get(&format!("/api/v1/projects/{hidden}{path}"))
                .expect(404);
        }
    }
}

#[test]
fn a_public_link_stops_working_with_its_setting() {
    let server = Server::build().public_links(true).start();
    let project = project_with(&server.user("ed"), "open", "public-link");
    server
        .anonymous()
        .get(&format!("/api/v1/projects/{project}"))
        .expect(200);
    server
        .admin()
        .patch("/api/v1/instance/settings", json!({ "allowPublicLinks": false }))
        .expect(200);
    compare(&server.anonymous(), &project);
    server
        .anonymous()
        .get(&format!("/api/v1/projects/{project}"))
        .expect(404);
}

#[test]
fn an_empty_access_list_means_nobody_but_admins() {
    let server = Server::start();
    let ada = server.user("ada");
    let hidden = project_with(&ada, "hidden", "invited");
    assert_eq!(
        ada.get(&format!("/api/v1/projects/{hidden}/members"))
            .expect(200)
            .json()["members"],
        json!([])
    );
    for name in ["ada", "ben"] {
        server.user(name).get(&format!("/api/v1/projects/{hidden}")).expect(200);
    }
    for name in ["ed", "vic"] {
        server.user(name).get(&format!("/api/v1/projects/{hidden}")).expect(404);
    }
}

#[test]
fn deployments_of_a_hidden_project_do_not_exist_either() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    let deployment = text(
        &upload(&server.user("ed"), &hidden, &Bundle::sample("Hidden")),
        "deploymentId",
    );
    assert_eq!(deployment.len(), NO_PROJECT.len(), "ids changed their form");
    let eve = server.user("eve");
    for (method, action) in [("GET", "log/stream"), ("POST", "activate")] {
        let there = eve
            .request(method, &format!("/api/v1/deployments/{deployment}/{action}"))
            .send()
            .expect(404);
        let missing = eve
            .request(method, &format!("/api/v1/deployments/{NO_PROJECT}/{action}"))
            .send();
        assert_eq!(there.comparable(), missing.comparable());
    }
}

#[test]
fn a_comment_of_another_project_does_not_exist_in_this_one() {
    let server = Server::start();
    let ed = server.user("ed");
    let (one, other) = (project(&ed, "one"), project(&ed, "other"));
    let written = id(&comment(&ed, &one, "Here"));
    let target = format!("{}/{written}", comments(&other));
    ed.patch(&target, json!({ "resolved": true }))
        .refused(404, "Comment not found");
    ed.patch(&target, json!({ "body": "There" }))
        .refused(404, "Comment not found");
    ed.delete(&target).refused(404, "Comment not found");
    ed.post(&format!("{target}/replies"), json!({ "body": "There" }))
        .refused(404, "Comment not found");
    assert_eq!(bodies(&ed, &one), ["Here"]);
}
