//! The access list of a project.

use galley_tests::prelude::*;

fn add(caller: &Client, project: &str, email: &str) -> Response {
    caller.post(
        &format!("/api/v1/projects/{project}/members"),
        json!({ "email": email }),
    )
}

fn members(caller: &Client, project: &str) -> Vec<Value> {
    let list = caller
        .get(&format!("/api/v1/projects/{project}/members"))
        .expect(200)
        .json();
    list["members"].as_array().expect("a list").clone()
}

#[test]
fn who_is_on_the_list_reads_and_nothing_more() {
    let server = Server::start();
    let ed = server.user("ed");
    let hidden = project_with(&ed, "hidden", "invited");
    let path = format!("/api/v1/projects/{hidden}");
    let added = add(&ed, &hidden, "vic@example.com").expect(201).json();
    let expected = json!({ "userId": "account-vic", "displayName": "vic", "email": "vic@example.com" });
    assert_eq!(added, expected);
    let vic = server.user("vic");
    vic.get(&path).expect(200);
    comment(&vic, &hidden, "Hello");
    vic.patch(&path, json!({ "name": "Mine" })).expect(403);
    add(&vic, &hidden, "vera@example.com").expect(403);
    assert!(members(&vic, &hidden).contains(&expected));
}

#[test]
fn an_editor_on_the_list_manages() {
    let server = Server::start();
    let hidden = project_with(&server.user("ada"), "hidden", "invited");
    add(&server.user("ada"), &hidden, "ed@example.com").expect(201);
    server
        .user("ed")
        .patch(&format!("/api/v1/projects/{hidden}"), json!({ "name": "Ours" }))
        .expect(200);
}

#[test]
fn an_address_is_compared_trimmed_and_in_lower_case() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let added = add(&server.user("ed"), &shop, "  VIC@Example.COM ").expect(201).json();
    assert_eq!(added["userId"], "account-vic");
}

#[test]
fn somebody_without_an_account_has_to_be_invited_first() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let error = add(&server.user("ed"), &shop, "nobody@example.com").expect(404).error();
    assert!(error.to_lowercase().contains("invite"), "{error}");
    assert!(members(&server.user("ed"), &shop).is_empty());
}

#[test]
fn a_removed_account_cannot_be_added() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    server
        .admin()
        .delete("/api/v1/instance/members/account-vic")
        .expect(204);
    let error = add(&server.user("ed"), &shop, "vic@example.com").expect(404).error();
    assert!(error.to_lowercase().contains("invite"), "{error}");
}

#[test]
fn adding_twice_lists_once() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    add(&server.user("ed"), &shop, "vic@example.com").expect(201);
    let again = add(&server.user("ed"), &shop, "vic@example.com");
    assert!(matches!(again.status, 200 | 201), "{}", again.head);
    assert_eq!(members(&server.user("ed"), &shop).len(), 1);
}

#[test]
fn an_address_is_required() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let path = format!("/api/v1/projects/{shop}/members");
    for body in [
        json!({}),
        json!({ "email": 5 }),
        json!({ "email": null }),
        json!("vic@example.com"),
    ] {
        server.user("ed").post(&path, body).expect(400);
    }
}

#[test]
fn the_last_entry_may_go_and_access_stays_as_it_is() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    let path = format!("/api/v1/projects/{hidden}");
    let answer = server
        .user("ed")
        .delete(&format!("{path}/members/account-ed"))
        .expect(204);
    assert!(answer.body.is_empty());
    server.user("ed").get(&path).expect(404);
    assert!(members(&server.admin(), &hidden).is_empty());
    assert_eq!(server.admin().get(&path).expect(200).json()["access"], "invited");
}

#[test]
fn removing_takes_effect_at_once() {
    let server = Server::start();
    let ed = server.user("ed");
    let hidden = project_with(&ed, "hidden", "invited");
    add(&ed, &hidden, "vic@example.com").expect(201);
    server
        .user("vic")
        .get(&format!("/api/v1/projects/{hidden}"))
        .expect(200);
    ed.delete(&format!("/api/v1/projects/{hidden}/members/account-vic"))
        .expect(204);
    server
        .user("vic")
        .get(&format!("/api/v1/projects/{hidden}"))
        .expect(404);
    ed.delete(&format!("/api/v1/projects/{hidden}/members/account-nobody"))
        .expect(404);
}

#[test]
fn addresses_are_for_the_list_and_for_editors() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    add(&ed, &shop, "vera@example.com").expect(201);
    for caller in [
        ed,
        server.user("eve"),
        server.user("ada"),
        server.user("vera"),
        server.token("vera", &["read"]),
    ] {
        assert_eq!(members(&caller, &shop)[0]["email"], "vera@example.com");
    }
    let entry = &members(&server.user("vic"), &shop)[0];
    assert!(
        !entry.as_object().unwrap().contains_key("email"),
        "left out, not blanked: {entry}"
    );
    assert_eq!(entry["displayName"], "vera");
}

#[test]
fn on_a_public_link_the_world_sees_the_list_without_addresses() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    add(&server.user("ed"), &open, "vera@example.com").expect(201);
    let entry = &members(&server.anonymous(), &open)[0];
    assert_eq!(entry["userId"], "account-vera");
    assert!(
        !entry.as_object().unwrap().contains_key("email"),
        "left out, not blanked: {entry}"
    );
    assert!(
        !server
            .anonymous()
            .get(&format!("/api/v1/projects/{open}/members"))
            .text()
            .contains('@')
    );
}
