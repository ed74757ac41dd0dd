//! Who is there, and who may read a project: by name, for those who manage projects.

use galley_tests::prelude::*;

fn found(caller: &Client, query: &str) -> Vec<String> {
    let answer = caller.get(&format!("/api/v1/directory{query}")).expect(200).json();
    let people = answer["people"].as_array().expect("a list");
    people.iter().map(|person| text(person, "displayName")).collect()
}

#[test]
fn the_directory_finds_active_accounts_by_name_and_address() {
    let server = Server::start();
    let ed = server.user("ed");
    let answer = ed.get("/api/v1/directory?q=VI").expect(200).json();
    let vic = json!({ "userId": "account-vic", "displayName": "vic", "email": "vic@example.com", "role": "viewer" });
    assert_eq!(answer, json!({ "people": [vic] }));
    assert_eq!(found(&ed, "?q=e"), ["ed", "eve", "ada", "ben", "vera", "vic"]);
    assert_eq!(found(&ed, "?q=vera%40ex"), ["vera"]);
    assert_eq!(found(&ed, ""), ["ada", "ben", "ed", "eve", "vera", "vic"]);
    assert_eq!(found(&server.admin(), "?q=%20ben%20"), ["ben"]);
    for nobody in ["?q=zzz", "?q=%25", "?q=_", "?q=%00"] {
        assert!(found(&ed, nobody).is_empty(), "{nobody}");
    }
    server
        .admin()
        .delete("/api/v1/instance/members/account-vic")
        .expect(204);
    assert!(found(&ed, "?q=vic").is_empty());
}

#[test]
fn the_directory_is_for_editors_and_admins() {
    let server = Server::start();
    let path = "/api/v1/directory?q=a";
    server.anonymous().get(path).expect(401);
    server.user("vic").get(path).expect(403);
    server.token("ed", &["write"]).get(path).expect(401);
    for caller in [server.user("ada"), server.token("ed", &["read"]), server.admin()] {
        caller.get(path).expect(200);
    }
    let long = format!("/api/v1/directory?q={}", "a".repeat(101));
    server
        .user("ed")
        .get(&long)
        .refused(400, "`q` must have at most 100 characters");
    server.user("ed").get("/api/v1/directory?q=%ff").expect(200);
}

#[test]
fn who_manages_a_project_sees_who_may_read_it() {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let path = format!("/api/v1/projects/{shop}/access");
    let readers = |expected: (&str, bool)| {
        let answer = ed.get(&path).expect(200).json();
        assert_eq!(
            (&answer["access"], &answer["everybody"]),
            (&json!(expected.0), &json!(expected.1))
        );
        let people = answer["people"].as_array().unwrap().iter();
        people
            .map(|person| format!("{} {}", text(person, "displayName"), text(person, "by")))
            .collect::<Vec<_>>()
    };
    let all = [
        "ada admin",
        "ben admin",
        "ed member",
        "eve member",
        "vera member",
        "vic member",
    ];
    assert_eq!(readers(("all-members", false)), all);
    let members = format!("/api/v1/projects/{shop}/members");
    for email in ["ed@example.com", "vic@example.com"] {
        ed.post(&members, json!({ "email": email })).expect(201);
    }
    let project = format!("/api/v1/projects/{shop}");
    ed.patch(&project, json!({ "access": "invited" })).expect(200);
    assert_eq!(
        readers(("invited", false)),
        ["ada admin", "ben admin", "ed list", "vic list"]
    );
    server
        .admin()
        .delete("/api/v1/instance/members/account-vic")
        .expect(204);
    assert_eq!(readers(("invited", false)), ["ada admin", "ben admin", "ed list"]);
    ed.patch(&project, json!({ "access": "public-link" })).expect(200);
    assert_eq!(readers(("public-link", true)).len(), 5);
    server
        .admin()
        .patch("/api/v1/instance/settings", json!({ "allowPublicLinks": false }))
        .expect(200);
    assert_eq!(readers(("public-link", false)).len(), 5);
    server.token("ed", &["read"]).get(&path).expect(200);
    server.user("vera").get(&path).expect(403);
    server.anonymous().get(&path).refused(404, "Project not found");
    ed.patch(&project, json!({ "access": "invited" })).expect(200);
    server.user("eve").get(&path).refused(404, "Project not found");
}
