//! `/`: the list of projects, in a real browser on the real pages.

use data_encoding::BASE64;
use galley_tests::prelude::*;
use galley_tests::{node, paths};

use super::{in_browser, page_with_a_heading, with_pages};

#[test]
fn projects_are_found_made_and_uploaded_in_the_browser() {
    let (server, origin) = with_pages();
    let admin = server.admin();
    let shop = project_named(&admin, "Shop");
    project_named(&admin, "Empty");
    upload_bytes(&admin, &shop, page_with_a_heading()).expect(201);
    let ed = server.user("ed");
    let comment = json!({ "body": "Too small", "position": { "anchorSelector": "h1", "page": "/" } });
    ed.post(&format!("/api/v1/projects/{shop}/comments"), comment)
        .expect(201);
    let ada = server.user("ada");
    node::run(
        &in_browser("projects.mjs"),
        &json!({ "origin": origin, "cookie": ada.secret(), "archive": BASE64.encode(&page_with_a_heading()),
                "screenshots": paths::cache("screenshots/projects") }),
    );
    healthy(&server);
}

/// Makes a project and gives its id.
pub fn project_named(by: &Client, name: &str) -> String {
    let made = by
        .post("/api/v1/projects", json!({ "name": name, "slug": name.to_lowercase() }))
        .expect(201);
    made.json()["id"].as_str().expect("an id").to_owned()
}
