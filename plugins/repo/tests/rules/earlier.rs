//! Connections of an earlier version, which know their repository by its name only.

use super::*;

fn old(name: &str) -> Value {
    json!({
        "installationId": 7, "owner": "acme", "name": name, "branch": "trunk", "installCommand": null,
        "buildCommand": null, "outputDir": "dist", "autoDeploy": true,
    })
}

impl Fixture {
    /// Starts the plugin with such a connection, delivers what it asks itself, and gives the connection.
    fn upgraded(&self, name: &str) -> Value {
        self.host.attach("p1", "repo", old(name));
        self.host.start().unwrap();
        for event in self.host.published() {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            self.host.deliver(&event.topic, data).unwrap();
        }
        self.host.attachment("p1").unwrap()
    }
}

/// A code host whose app reads `Acme/Docs` (71), and where the name `acme/old` leads to the repository with this id.
fn leads_to(f: &Fixture, id: u64) {
    f.host.outside(move |request| {
        let path = request.path.split('?').next().unwrap_or_default();
        match path {
            "/installation/repositories" => Outside::json(200, json!({ "repositories": [repository("Docs")] })),
            "/repos/acme/old" => {
                let mut found = repository("Old");
                found["id"] = id.into();
                Outside::json(200, found)
            }
            _ => Outside::json(404, json!({ "message": "Not Found" })),
        }
    });
}

#[test]
fn the_id_is_looked_up_by_the_name() {
    let f = fixture();
    let connection = f.upgraded("DOCS");
    assert_eq!(
        (&connection["repositoryId"], &connection["name"]),
        (&json!(71), &json!("Docs"))
    );
    assert_eq!(connection.get("problem"), None);
    f.host.start().unwrap();
    assert!(f.host.published().is_empty(), "there is nothing left to look up");
}

#[test]
fn a_former_name_leads_to_the_renamed_repository() {
    let f = fixture();
    leads_to(&f, 71);
    let connection = f.upgraded("old");
    assert_eq!(
        (&connection["repositoryId"], &connection["name"]),
        (&json!(71), &json!("Docs"))
    );
}

#[test]
fn a_strangers_public_repository_with_the_former_name_is_not_taken() {
    let f = fixture();
    leads_to(&f, 99);
    let connection = f.upgraded("old");
    assert_eq!(connection["repositoryId"], Value::Null);
    let problem = connection["problem"].as_str().unwrap();
    assert!(
        problem.contains("no repository acme/old") && problem.contains("connect the project to it again"),
        "{problem}"
    );
    f.host.fetched();
    f.host.start().unwrap();
    assert!(f.host.published().is_empty(), "nobody is asked again");
}

#[test]
fn a_code_host_that_does_not_answer_changes_nothing() {
    let f = fixture();
    f.host.outside(|_| Outside::problem("unreachable"));
    assert_eq!(f.upgraded("Docs"), old("Docs"));
}

#[test]
fn a_push_from_another_installation_does_not_take_the_name() {
    let f = fixture();
    f.host.outside(|_| Outside::problem("unreachable"));
    f.host.attach("p1", "repo", old("Site"));
    let push = |installation: u64| {
        let body = json!({
            "ref": "refs/heads/trunk", "after": "a".repeat(40), "deleted": false, "installation": { "id": installation },
            "repository": { "id": 99, "full_name": "Acme/Site" }, "head_commit": { "message": "Move" },
        });
        let call = f
            .host
            .post("/api/v1/webhooks/codehost")
            .header("x-github-event", "push");
        let call = call.header("x-github-delivery", &format!("d{installation}"));
        call.bytes(body.to_string()).send().json()
    };
    assert_eq!(push(8), json!({ "queued": 0 }));
    assert_eq!(push(7), json!({ "queued": 1 }));
}
