//! `resolve`: which project a checkout belongs to.

use galley_tests::prelude::*;

fn resolve(caller: &Client, body: Value) -> Value {
    caller.post("/api/v1/projects/resolve", body).expect(200).json()
}

/// A project with a remote; its id.
fn connected(server: &Server, slug: &str, remote: &str) -> String {
    let ed = server.user("ed");
    let made = project(&ed, slug);
    ed.patch(&format!("/api/v1/projects/{made}"), json!({ "repoUrl": remote }))
        .expect(200);
    made
}

#[test]
fn a_known_id_is_adopted_by_anybody() {
    let server = Server::start();
    let made = project_with(&server.user("ed"), "shop", "invited");
    for caller in [server.anonymous(), server.user("eve"), server.admin()] {
        let answer = resolve(&caller, json!({ "embeddedId": made }));
        assert_eq!(answer["decision"], "adopt");
        assert_eq!(answer["project"]["id"], json!(made));
    }
}

#[test]
fn it_grants_nothing_and_discloses_no_more() {
    let server = Server::start();
    let made = project_with(&server.user("ed"), "shop", "invited");
    comment(&server.user("ed"), &made, "Confidential");
    let answer = resolve(&server.anonymous(), json!({ "embeddedId": made }));
    let project = answer["project"].as_object().unwrap();
    for key in ["repo", "members", "canComment", "activeDeploymentId"] {
        assert!(!project.contains_key(key), "{key} in {project:?}");
    }
    server.anonymous().get(&format!("/api/v1/projects/{made}")).expect(404);
}

#[test]
fn remotes_are_compared_after_normalising() {
    let server = Server::start();
    let made = connected(&server, "shop", "https://Code.Example/Team/Shop.git");
    let spellings = [
        "https://code.example/team/shop",
        "https://code.example/team/shop/",
        "https://code.example/team/shop.git/",
        "http://code.example/team/shop",
        "ssh://git@code.example/team/shop.git",
        "git@code.example:team/shop.git",
        "git@CODE.EXAMPLE:TEAM/SHOP",
        "https://somebody@code.example/team/shop.git",
    ];
    for remote in spellings {
        let answer = resolve(&server.anonymous(), json!({ "remoteUrl": remote }));
        assert_eq!(
            (&answer["decision"], &answer["project"]["id"]),
            (&json!("adopt"), &json!(made)),
            "{remote}"
        );
    }
    let others = [
        "https://code.example/team/shop2",
        "https://code.example/shop",
        "https://other.example/team/shop",
    ];
    for remote in others {
        assert_eq!(
            resolve(&server.anonymous(), json!({ "remoteUrl": remote }))["decision"],
            "mint",
            "{remote}"
        );
    }
}

#[test]
fn what_is_unknown_may_be_made_under_a_suggested_slug() {
    let server = Server::start();
    let answer = resolve(
        &server.anonymous(),
        json!({ "embeddedId": "unknown", "remoteUrl": "git@code.example:team/shop.git", "name": "The Shop!" }),
    );
    assert_eq!(answer["decision"], "mint");
    let slug = text(&answer, "suggestedSlug");
    let made = server
        .user("ed")
        .post("/api/v1/projects", json!({ "slug": slug, "name": "Shop" }))
        .expect(201)
        .json();
    assert_eq!(made["slug"], json!(slug));
    assert_eq!(slug, "the-shop");
}

#[test]
fn a_suggested_slug_is_always_valid() {
    let server = Server::start();
    let names = [
        json!(""),
        json!("!!!"),
        json!("Ä"),
        json!("x".repeat(500)),
        json!("-a-"),
        json!("日本"),
        Value::Null,
    ];
    for name in names {
        let answer = resolve(
            &server.anonymous(),
            json!({ "remoteUrl": "https://code.example/t/ü", "name": name }),
        );
        let slug = text(&answer, "suggestedSlug");
        server
            .admin()
            .post("/api/v1/projects", json!({ "slug": slug, "name": "X" }))
            .expect(201);
    }
}

#[test]
fn an_id_and_a_remote_of_two_projects_are_a_conflict() {
    let server = Server::start();
    let one = connected(&server, "one", "https://code.example/team/one");
    connected(&server, "two", "https://code.example/team/two");
    let body = json!({ "embeddedId": one, "remoteUrl": "https://code.example/team/two" });
    let answer = resolve(&server.anonymous(), body);
    assert_eq!(answer["decision"], "conflict");
    assert!(!answer["conflictWith"].is_null(), "{answer}");
    assert!(!text(&answer, "reason").is_empty());
}

#[test]
fn an_id_and_a_remote_that_agree_are_adopted() {
    let server = Server::start();
    let one = connected(&server, "one", "https://code.example/team/one");
    let body = json!({ "embeddedId": one, "remoteUrl": "git@code.example:team/one.git" });
    assert_eq!(resolve(&server.anonymous(), body)["project"]["id"], json!(one));
}

#[test]
fn one_of_id_and_remote_is_needed() {
    let server = Server::start();
    for body in [
        json!({}),
        json!({ "name": "Shop" }),
        json!({ "embeddedId": 5 }),
        json!({ "remoteUrl": [] }),
        json!([]),
    ] {
        let answer = server.anonymous().post("/api/v1/projects/resolve", body).expect(400);
        assert!(!answer.error().is_empty());
    }
}
