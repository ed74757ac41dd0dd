//! Deployments, settings, administration and one's own account, in a real browser on the real pages.

use data_encoding::BASE64;
use galley_tests::accounts::Person;
use galley_tests::node;
use galley_tests::prelude::*;

use super::projects::project_named;
use super::{in_browser, page_with_a_heading, pages_of, with_pages};

#[test]
fn deployments_are_uploaded_activated_and_deleted_in_the_browser() {
    let (server, origin) = with_pages();
    let admin = server.admin();
    let shop = project_named(&admin, "Shop");
    upload_bytes(&admin, &shop, page_with_a_heading()).expect(201);
    upload_bytes(&admin, &shop, page_with_a_heading()).expect(201);
    let ada = server.user("ada");
    node::run(
        &in_browser("deployments.mjs"),
        &json!({ "origin": origin, "cookie": ada.secret(), "archive": BASE64.encode(&page_with_a_heading()) }),
    );
    healthy(&server);
}

fn are_compared(own_origin: bool) {
    let (build, origin) = pages_of(Server::build(), own_origin);
    let server = build.public_links(true).start();
    let admin = server.admin();
    let shop = project_named(&admin, "Shop");
    let page = |title: &str, height: usize| {
        format!(
            "<!doctype html><html lang=en><head><title>{title}</title><link rel=icon href=\"data:,\"></head>\
             <body style=\"margin: 0; height: {height}px\"><h1>{title}</h1><a href=about>About</a></body></html>"
        )
    };
    let versions: Vec<_> = [3_000, 6_000]
        .into_iter()
        .map(|height| {
            let bundle = Bundle::page(&page("Shop", height)).file("about.html", page("About us", 4_000));
            upload_bytes(&admin, &shop, bundle.build()).expect(201).json()["deploymentId"].clone()
        })
        .collect();
    let ada = server.user("ada");
    node::run(
        &in_browser("compare.mjs"),
        &json!({ "origin": origin, "cookie": ada.secret(), "ed": server.user("ed").secret(), "versions": versions }),
    );
    healthy(&server);
}

#[test]
fn two_versions_scroll_together_in_path_mode() {
    are_compared(false);
}

#[test]
fn two_versions_scroll_together_on_their_own_origins() {
    are_compared(true);
}

#[test]
fn settings_of_a_project_are_changed_in_the_browser() {
    let (server, origin) = with_pages();
    project_named(&server.admin(), "Shop");
    let ada = server.user("ada");
    node::run(
        &in_browser("settings.mjs"),
        &json!({ "origin": origin, "cookie": ada.secret() }),
    );
    healthy(&server);
}

#[test]
fn the_instance_and_the_own_account_are_administered_in_the_browser() {
    let (server, origin) = with_pages();
    // Ada is the only admin, so that she has to stay one.
    let ben = format!("/api/v1/instance/members/{}", Person::named("ben").id());
    server.admin().patch(&ben, json!({ "role": "viewer" })).expect(200);
    let ada = server.user("ada");
    node::run(
        &in_browser("administration.mjs"),
        &json!({ "origin": origin, "cookie": ada.secret() }),
    );
    healthy(&server);
}
