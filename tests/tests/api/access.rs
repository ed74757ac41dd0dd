//! Access settings: who reads a project, and who ends up on its list.

use galley_tests::prelude::*;

fn member_ids(caller: &Client, project: &str) -> Vec<String> {
    let list = caller
        .get(&format!("/api/v1/projects/{project}/members"))
        .expect(200)
        .json();
    list["members"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|member| text(member, "userId"))
        .collect()
}

fn listed(caller: &Client) -> usize {
    caller.get("/api/v1/projects").expect(200).json()["projects"]
        .as_array()
        .expect("a list")
        .len()
}

#[test]
fn the_list_of_projects_depends_on_the_caller() {
    let server = Server::build().public_links(true).start();
    project_with(&server.user("ed"), "everyone", "all-members");
    project_with(&server.user("ed"), "some", "invited");
    project_with(&server.user("ed"), "world", "public-link");
    assert_eq!(listed(&server.anonymous()), 1);
    assert_eq!(listed(&server.user("vic")), 2);
    assert_eq!(listed(&server.user("eve")), 2);
    assert_eq!(listed(&server.token("eve", &["read"])), 2);
    assert_eq!(listed(&server.user("ed")), 3);
    assert_eq!(listed(&server.user("ada")), 3);
    assert_eq!(listed(&server.admin()), 3);
}

#[test]
fn rule_2_an_editor_who_makes_an_invited_project_is_on_its_list() {
    let server = Server::start();
    let made = project_with(&server.user("ed"), "mine", "invited");
    assert_eq!(member_ids(&server.user("ed"), &made), ["account-ed"]);
    server.user("eve").get(&format!("/api/v1/projects/{made}")).expect(404);
}

#[test]
fn rule_2_an_admin_who_makes_one_is_not() {
    let server = Server::start();
    for caller in [
        server.user("ada"),
        server.admin(),
        server.token("ada", &["read", "write"]),
    ] {
        let made = project_with(&caller, "mine", "invited");
        assert!(member_ids(&server.user("ada"), &made).is_empty());
    }
}

#[test]
fn rule_2_other_settings_need_no_such_step() {
    let server = Server::build().public_links(true).start();
    for access in ["all-members", "public-link"] {
        let made = project_with(&server.user("ed"), "mine", access);
        assert!(member_ids(&server.user("ed"), &made).is_empty(), "{access}");
    }
}

#[test]
fn rule_3_a_public_link_needs_the_setting() {
    let server = Server::build().public_links(false).start();
    let ed = server.user("ed");
    let body = json!({ "slug": "open", "name": "Open", "access": "public-link" });
    assert!(!ed.post("/api/v1/projects", body.clone()).expect(409).error().is_empty());
    assert!(
        !server
            .admin()
            .post("/api/v1/projects", body)
            .expect(409)
            .error()
            .is_empty()
    );
    let shop = project(&ed, "shop");
    let path = format!("/api/v1/projects/{shop}");
    ed.patch(&path, json!({ "access": "public-link", "name": "Open" }))
        .expect(409);
    let unchanged = ed.get(&path).expect(200).json();
    assert_eq!(
        (&unchanged["access"], &unchanged["name"]),
        (&json!("all-members"), &json!("shop"))
    );
    assert_eq!(listed(&server.admin()), 1);
}

#[test]
fn rule_3_a_fresh_instance_has_no_public_links() {
    let server = Server::start();
    let body = json!({ "slug": "open", "name": "Open", "access": "public-link" });
    server.admin().post("/api/v1/projects", body).expect(409);
}

#[test]
fn access_is_one_of_three_words() {
    let server = Server::start();
    for access in [
        json!("public"),
        json!(""),
        json!("Invited"),
        json!(1),
        json!(["invited"]),
    ] {
        let body = json!({ "slug": "shop", "name": "Shop", "access": access });
        let error = server.user("ed").post("/api/v1/projects", body).expect(400).error();
        assert!(error.contains("access"), "{access}: {error}");
    }
}

#[test]
fn a_change_of_access_takes_effect_at_once() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let path = format!("/api/v1/projects/{shop}");
    server.anonymous().get(&path).expect(404);
    ed.patch(&path, json!({ "access": "public-link" })).expect(200);
    server.anonymous().get(&path).expect(200);
    server.admin().patch(&path, json!({ "access": "invited" })).expect(200);
    for caller in [server.anonymous(), server.user("vic"), server.user("ed")] {
        caller.get(&path).expect(404);
    }
    server.user("ada").get(&path).expect(200);
}

#[test]
fn on_a_public_link_everybody_reads_and_nobody_else_manages() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let path = format!("/api/v1/projects/{open}");
    let anonymous = server.anonymous();
    for below in ["", "/comments", "/deployments", "/members", "/participants"] {
        anonymous.get(&format!("{path}{below}")).expect(200);
    }
    let refusals = [
        anonymous.patch(&path, json!({ "name": "Mine" })),
        anonymous.delete(&path),
        anonymous.post(&format!("{path}/members"), json!({ "email": "eve@example.com" })),
        upload_bytes(&anonymous, &open, Bundle::page("x").build()),
    ];
    for refusal in refusals {
        assert!(!refusal.expect(401).error().is_empty());
    }
    assert_eq!(anonymous.get(&path).expect(200).json()["name"], "open");
}
