//! Domain rules.

use galley_tests::prelude::*;

const RULES: &str = "/api/v1/instance/domain-rules";

fn put(server: &Server, domain: &str, role: &str) -> galley_tests::http::Response {
    server
        .user("ada")
        .put(&format!("{RULES}/{domain}"), json!({ "role": role }))
}

fn list(server: &Server) -> Value {
    server.admin().get(RULES).expect(200).json()
}

#[test]
fn putting_makes_a_rule_and_changes_it() {
    let server = Server::start();
    assert_eq!(list(&server), json!({ "domainRules": [] }));
    let made = put(&server, "example.net", "viewer").expect(201).json();
    assert_eq!(made, json!({ "domain": "example.net", "role": "viewer" }));
    let changed = put(&server, "example.net", "editor").expect(200).json();
    assert_eq!(changed, json!({ "domain": "example.net", "role": "editor" }));
    put(&server, "a.example.net", "admin").expect(201);
    let rules = json!([
        { "domain": "a.example.net", "role": "admin" },
        { "domain": "example.net", "role": "editor" },
    ]);
    assert_eq!(list(&server)["domainRules"], rules);
}

#[test]
fn a_domain_is_lower_case_has_a_dot_and_no_at() {
    let server = Server::start();
    let long = format!("{}.net", "x".repeat(64));
    for domain in [
        "Example.net",
        "EXAMPLE.NET",
        "nia@example.net",
        "%40example.net",
        "net",
        "example.net.",
        ".net",
        "a..net",
        "-a.net",
        "a%20b.net",
        "a%2Fb.net",
        "a%00.net",
        "m%C3%BCnchen.de",
        &long,
    ] {
        let error = put(&server, domain, "viewer").expect(400).error();
        assert!(error.contains("`domain`"), "{domain}: {error}");
    }
    assert_eq!(list(&server), json!({ "domainRules": [] }));
}

#[test]
fn a_rules_role_is_checked() {
    let server = Server::start();
    for body in [
        json!({}),
        json!({ "role": "Viewer" }),
        json!({ "role": 1 }),
        json!({ "role": null }),
        json!([]),
    ] {
        server.admin().put(&format!("{RULES}/example.net"), body).expect(400);
    }
    assert_eq!(list(&server), json!({ "domainRules": [] }));
}

#[test]
fn removing_ends_a_rule() {
    let server = Server::start();
    put(&server, "example.net", "viewer").expect(201);
    let one = format!("{RULES}/example.net");
    assert!(server.admin().delete(&one).expect(204).body.is_empty());
    assert_eq!(list(&server), json!({ "domainRules": [] }));
    server.admin().delete(&one).refused(404, "Domain rule not found");
    server
        .admin()
        .delete(&format!("{RULES}/Example.net"))
        .refused(404, "Domain rule not found");
}

#[test]
fn a_rule_admits_people_of_its_domain_with_its_role() {
    let mut server = Server::start();
    put(&server, "example.net", "editor").expect(201);
    // Somebody who reads mail at the domain.
    server.edit(|core| core.magic_link("nia@example.net", "a-mailed-link"));
    let answer = server
        .anonymous()
        .submit("/api/v1/auth/signin/a-mailed-link", "")
        .expect(303);
    let nia = server.signed_in_by(&answer).get("/api/v1/me").expect(200).json();
    assert_eq!(
        (&nia["user"]["email"], &nia["user"]["role"]),
        (&json!("nia@example.net"), &json!("editor"))
    );
    server.admin().delete(&format!("{RULES}/example.net")).expect(204);
    server.edit(|core| core.magic_link("bo@example.net", "another-link"));
    let refused = server.anonymous().submit("/api/v1/auth/signin/another-link", "");
    assert!(refused.all("set-cookie").is_empty(), "{}", refused.head);
    server.stop();
    let core = server.core();
    assert_eq!(
        (core.roles("nia@example.net"), core.roles("bo@example.net")),
        (vec!["editor".to_owned()], vec![])
    );
}

#[test]
fn a_rule_that_was_removed_does_not_come_back_from_the_environment() {
    let mut server = Server::build()
        .fresh()
        .env("SERVICE_ALLOWED_EMAIL_DOMAINS", "example.net")
        .start();
    let rules = json!([{ "domain": "example.net", "role": "viewer" }]);
    assert_eq!(list(&server)["domainRules"], rules);
    server.admin().delete(&format!("{RULES}/example.net")).expect(204);
    server.stop();
    server.again();
    assert_eq!(list(&server), json!({ "domainRules": [] }));
}
