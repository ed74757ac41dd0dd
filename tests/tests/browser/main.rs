//! Real applications in a real browser: created by Vite, built by npm, uploaded, opened in Chromium.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod apps;
mod bridge;
mod image;
mod pages;
mod plugin_ui;
mod projects;
mod review;
mod story;
mod with_two_nodes;

use std::path::PathBuf;

use galley_harness::ports::free_port;
use galley_tests::accounts::Person;
use galley_tests::prelude::*;
use galley_tests::server::Build;
use galley_tests::{dashboard, node, paths};

use apps::{App, Build as AppBuild, PAGE, REACT, ROOT, VUE};

/// A server for browsers, its origin, and the origin of its prototype `shop` in own-origin mode.
struct Site {
    server: Server,
    origin: String,
    prototype: String,
    /// Where somebody begins who is signed in at the main origin.
    start: String,
}

fn path_mode() -> Site {
    site_of(Server::build(), false)
}

fn own_origin_mode() -> Site {
    site_of(Server::build(), true)
}

/// A server with small pages instead of the real ones. They are read at boot: the folder has to live until then.
fn with_small_pages(own_origin: bool) -> Site {
    let pages = dashboard::small();
    site_of(Server::build().env("SERVICE_DASHBOARD_DIR", pages.path()), own_origin)
}

/// A server in path mode with the built pages, and its origin.
fn with_pages() -> (Server, String) {
    let (build, origin) = pages_of(Server::build(), false);
    (build.public_links(true).start(), origin)
}

/// The same with what is chosen besides, before it starts; prototypes can have origins of their own.
fn pages_of(build: Build, own_origin: bool) -> (Build, String) {
    let build = build.env("SERVICE_DASHBOARD_DIR", paths::dashboard().display().to_string());
    let (build, port) = at_a_port(build, own_origin);
    (build, format!("http://localhost:{port}"))
}

fn site_of(build: Build, own_origin: bool) -> Site {
    let (build, port) = at_a_port(build, own_origin);
    let origin = format!("http://localhost:{port}");
    let (prototype, start) = match own_origin {
        true => (
            format!("http://shop.proto.localhost:{port}/"),
            format!("{origin}/open/shop"),
        ),
        false => (format!("{origin}/p/shop/"), format!("{origin}/p/shop/")),
    };
    Site {
        server: build.public_links(true).start(),
        origin,
        prototype,
        start,
    }
}

/// A server that knows the address browsers have of it.
fn at_a_port(build: Build, own_origin: bool) -> (Build, u16) {
    let port = free_port();
    let build = build
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_PUBLIC_URL", format!("http://localhost:{port}"));
    let build = match own_origin {
        true => build.env("SERVICE_SERVE_DOMAIN", format!("proto.localhost:{port}")),
        false => build,
    };
    (build, port)
}

/// Uploads a bundle and opens it with a script, as somebody who is signed in and may read the project.
fn open(site: &Site, access: &str, bundle: Vec<u8>, script: &str) {
    let admin = site.server.admin();
    let shop = project_with(&admin, "shop", access);
    upload_bytes(&admin, &shop, bundle).expect(201);
    let url = admin.get(&format!("/api/v1/projects/{shop}")).expect(200).json()["url"].clone();
    assert_eq!(url, json!(site.prototype), "where the project says it is");
    let vic = site.server.user("vic");
    node::run(
        &in_browser(script),
        &json!({ "url": site.prototype, "start": site.start, "origin": site.origin, "cookie": vic.secret() }),
    );
    healthy(&site.server);
}

/// A script of `tests/browser`.
fn in_browser(script: &str) -> PathBuf {
    paths::checkout().join("tests/browser").join(script)
}

/// Not public: in own-origin mode each visit passes through the hand-off.
fn works(site: &Site, app: App, build: AppBuild) {
    open(site, "all-members", app.bundle(build), "app.mjs");
}

#[test]
fn a_react_app_works_in_path_mode() {
    works(&path_mode(), REACT, ROOT);
}

#[test]
fn a_react_app_with_relative_paths_works_in_path_mode() {
    works(&path_mode(), REACT, PAGE);
}

#[test]
fn a_react_app_works_on_its_own_origin() {
    works(&own_origin_mode(), REACT, ROOT);
}

#[test]
fn a_react_app_with_relative_paths_works_on_its_own_origin() {
    works(&own_origin_mode(), REACT, PAGE);
}

#[test]
fn a_vue_app_works_in_path_mode() {
    works(&path_mode(), VUE, ROOT);
}

#[test]
fn a_vue_app_with_relative_paths_works_in_path_mode() {
    works(&path_mode(), VUE, PAGE);
}

#[test]
fn a_vue_app_works_on_its_own_origin() {
    works(&own_origin_mode(), VUE, ROOT);
}

#[test]
fn a_vue_app_with_relative_paths_works_on_its_own_origin() {
    works(&own_origin_mode(), VUE, PAGE);
}

#[test]
fn the_bridge_announces_itself_in_path_mode() {
    let site = with_small_pages(false);
    open(&site, "public-link", page_with_a_heading(), "bridge.mjs");
}

#[test]
fn the_bridge_announces_itself_from_its_own_origin() {
    let site = with_small_pages(true);
    open(&site, "public-link", page_with_a_heading(), "bridge.mjs");
}

/// A hostile prototype is opened by an admin. `own_origin`: whether it has an origin of its own.
fn is_contained(own_origin: bool) {
    let pages = paths::dashboard().display().to_string();
    let site = site_of(Server::build().env("SERVICE_DASHBOARD_DIR", pages), own_origin);
    let admin = site.server.admin();
    let bundle = Bundle::page(
        "<!doctype html><html><head><title>t</title><link rel=icon href=\"data:,\"></head>\
         <body><h1>Hostile</h1></body></html>",
    );
    let bundle = bundle.file("sw.js", "addEventListener('fetch', () => {});").build();
    let [shop, other] = ["shop", "other"].map(|slug| {
        let project = project_with(&admin, slug, "all-members");
        upload_bytes(&admin, &project, bundle.clone()).expect(201);
        project
    });
    let ada = site.server.user("ada");
    let task = json!({
        "url": site.prototype, "start": site.start, "origin": site.origin, "cookie": ada.secret(),
        "own": own_origin, "shop": shop, "other": other,
    });
    node::run(&in_browser("isolation.mjs"), &task);
    healthy(&site.server);
}

#[test]
fn a_hostile_prototype_does_in_path_mode_what_its_review_may() {
    is_contained(false);
}

#[test]
fn a_hostile_prototype_on_its_own_origin_does_nothing() {
    is_contained(true);
}

/// Signs in by an invite, out, and in again by a link that goes on to a prototype.
fn signs_in(mut site: Site) {
    let admin = site.server.admin();
    let shop = project_with(&admin, "shop", "all-members");
    upload_bytes(&admin, &shop, page_with_a_heading()).expect(201);
    site.server.edit(|core| {
        core.invite("nia@example.net", "editor", "an-invite");
        core.sign_in_link(Person::named("vic"), "a-link");
    });
    let task = json!({
        "url": site.prototype, "origin": site.origin,
        "invite": "/api/v1/auth/invite/an-invite", "link": "/api/v1/auth/signin/a-link?to=/p/shop/",
    });
    node::run(&in_browser("sign_in.mjs"), &task);
    healthy(&site.server);
}

#[test]
fn the_sign_in_pages_work_in_path_mode() {
    signs_in(path_mode());
}

#[test]
fn the_sign_in_pages_lead_to_a_prototype_on_its_own_origin() {
    signs_in(own_origin_mode());
}

fn page_with_a_heading() -> Vec<u8> {
    Bundle::page(
        "<!doctype html><html><head><title>t</title><link rel=icon href=\"data:,\"></head>\
         <body><h1>Heading</h1><p>Text</p></body></html>",
    )
    .build()
}
