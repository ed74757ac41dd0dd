//! What many tests do on the way to their point.

use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::client::Client;
use crate::http::Response;
use crate::poll::eventually;

/// Makes a project and gives its id.
#[track_caller]
pub fn project(caller: &Client, slug: &str) -> String {
    project_with(caller, slug, "all-members")
}

/// Makes a project with an access setting and gives its id.
#[track_caller]
pub fn project_with(caller: &Client, slug: &str, access: &str) -> String {
    let body = json!({ "slug": slug, "name": slug, "access": access });
    id(&caller.post("/api/v1/projects", body).expect(201).json())
}

/// The `id` of a record.
#[track_caller]
pub fn id(record: &Value) -> String {
    text(record, "id")
}

/// A text member of a record.
#[track_caller]
pub fn text(record: &Value, key: &str) -> String {
    record[key]
        .as_str()
        .unwrap_or_else(|| panic!("no text `{key}` in {record}"))
        .to_owned()
}

/// Seconds from one time of the wire to another.
#[track_caller]
pub fn seconds_between(from: &str, to: &str) -> i64 {
    let clock = rusqlite::Connection::open_in_memory().expect("a database");
    clock
        .query_row("SELECT unixepoch(?2) - unixepoch(?1)", [from, to], |row| row.get(0))
        .unwrap_or_else(|error| panic!("`{from}` and `{to}` are times: {error}"))
}

/// Uploads bytes as a deployment of a project.
#[track_caller]
pub fn upload_bytes(caller: &Client, project: &str, bytes: impl Into<Vec<u8>>) -> Response {
    let target = format!("/api/v1/projects/{project}/deployments");
    caller
        .request("POST", &target)
        .header("content-type", "application/gzip")
        .body(bytes)
        .send()
}

/// Uploads a bundle and gives the deployment.
#[track_caller]
pub fn upload(caller: &Client, project: &str, bundle: &Bundle) -> Value {
    upload_bytes(caller, project, bundle.build()).expect(201).json()
}

/// The id of the project's live deployment.
#[track_caller]
pub fn live(caller: &Client, project: &str) -> Value {
    caller.get(&format!("/api/v1/projects/{project}")).expect(200).json()["activeDeploymentId"].clone()
}

/// The address of a project's comments.
pub fn comments(project: &str) -> String {
    format!("/api/v1/projects/{project}/comments")
}

/// A comment to be.
pub fn remark(body: &str) -> Value {
    json!({ "body": body, "position": { "anchorSelector": "main > h1", "page": "/" } })
}

/// Writes a comment and gives it.
#[track_caller]
pub fn comment(caller: &Client, project: &str, body: &str) -> Value {
    caller.post(&comments(project), remark(body)).expect(201).json()
}

/// The bodies of a project's comments, oldest first, through all pages of the list.
#[track_caller]
pub fn bodies(caller: &Client, project: &str) -> Vec<String> {
    let mut bodies = Vec::new();
    let mut page = comments(project);
    loop {
        let list = caller.get(&page).expect(200).json();
        let comments = list["comments"].as_array().expect("a list");
        bodies.extend(comments.iter().map(|comment| text(comment, "body")));
        match list["next"].as_str() {
            Some(next) => page = format!("{}?after={next}", self::comments(project)),
            None => return bodies,
        }
    }
}

/// Demands that the server still does its work.
#[track_caller]
pub fn healthy(server: &crate::server::Server) {
    let health = server.anonymous().get("/api/v1/health").expect(200).json();
    assert_eq!(health, json!({ "status": "ok", "profile": "selfhost" }));
}

/// Demands that it serves, and names the slots whose approved plugin does not, once it has followed the approvals.
#[track_caller]
pub fn degraded(server: &crate::server::Server, slots: &[&str]) {
    let expected = json!({ "status": "degraded", "profile": "selfhost", "slots": slots });
    eventually("health names the slots that do not serve", || {
        let health = server.anonymous().get("/api/v1/health").expect(200).json();
        (health == expected).then_some(())
    });
}
