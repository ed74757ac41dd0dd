//! The rules of repositories, each with the test that holds it: the handlers run natively, in the SDK's in-memory host,
//! against a code host of a few lines.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod connecting;
mod description;
mod discovering;
mod earlier;
mod pushing;

use galley_sdk::accounts::Account;
use galley_sdk::testing::{Outside, TestHost};
use serde_json::{Value, json};

const REPO: &str = "/api/v1/projects/p1/repo";

/// A host with a project, an editor, and an app at a code host where the editor sees installation 7.
struct Fixture {
    host: TestHost,
    ann: Account,
}

fn fixture() -> Fixture {
    let host = TestHost::new(galley_repo::plugin());
    host.project("p1");
    host.setting("codeHostInstallUrl", "http://code.test/apps/galley/installations/new");
    let ann = host.editor("ann@example.com");
    host.outside(|request| {
        let path = request.path.split('?').next().unwrap_or_default();
        let second = request.path.ends_with("page=2");
        match path {
            "/user/installations" => Outside::json(
                200,
                json!({ "installations": [{ "id": 7, "account": { "login": "acme" } }] }),
            ),
            "/user/installations/7/repositories" | "/installation/repositories" if !second => {
                Outside::page(json!({ "repositories": [repository("Site")] }))
            }
            "/user/installations/7/repositories" | "/installation/repositories" => {
                Outside::json(200, json!({ "repositories": [repository("Docs")] }))
            }
            "/repos/Acme/Site/branches" => Outside::json(200, json!([{ "name": "trunk" }, { "name": "a/b" }])),
            _ => Outside::json(404, json!({ "message": "Not Found" })),
        }
    });
    Fixture { host, ann }
}

fn repository(name: &str) -> Value {
    let id = if name == "Site" { 70 } else { 71 };
    json!({ "id": id, "name": name, "owner": { "login": "Acme" }, "private": false, "default_branch": "trunk" })
}

fn wanted(name: &str) -> Value {
    json!({ "installationId": 7, "owner": "acme", "name": name })
}

impl Fixture {
    fn connect(&self, body: Value) -> galley_sdk::testing::Answer {
        self.host.put(REPO).as_user(&self.ann).json(body).send()
    }

    /// The paths that were asked for since the last look, without their queries.
    fn asked(&self) -> Vec<String> {
        let path = |request: galley_sdk::outbound::Request| {
            let path = request.path.split('?').next().unwrap_or_default().to_owned();
            format!("{} {path}", request.credential)
        };
        self.host.fetched().into_iter().map(path).collect()
    }
}
