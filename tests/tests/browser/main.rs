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

use std::path::PathBuf;

use galley_tests::accounts::Person;
use galley_tests::prelude::*;
use galley_tests::server::{Build, free_port};
use galley_tests::{dashboard, node, paths};

use apps::{App, Base, REACT, VUE};

/// A server for browsers, its origin, and the origin of its prototype `shop` in own-origin mode.
struct Site {
    server: Server,
    origin: String,
    prototype: String,
    /// Where somebody begins who is signed in at the main origin.
    start: String,
}

fn path_mode() -> Site {
    path_mode_of(Server::build())
}

fn own_origin_mode() -> Site {
    own_origin_mode_of(Server::build())
}

fn path_mode_of(build: Build) -> Site {
    let port = free_port();
    let origin = format!("http://localhost:{port}");
    let build = build
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_PUBLIC_URL", &origin);
    Site {
        server: build.public_links(true).start(),
        prototype: format!("{origin}/p/shop/"),
        start: format!("{origin}/p/shop/"),
        origin,
    }
}

fn own_origin_mode_of(build: Build) -> Site {
    let port = free_port();
    let origin = format!("http://localhost:{port}");
    let build = build
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_PUBLIC_URL", &origin)
        .env("SERVICE_SERVE_DOMAIN", format!("proto.localhost:{port}"));
    Site {
        server: build.public_links(true).start(),
        prototype: format!("http://shop.proto.localhost:{port}/"),
        start: format!("{origin}/open/shop"),
        origin,
    }
}

/// A server with small pages instead of the real ones. They are read at boot: the folder has to live until then.
fn with_small_pages(mode: fn(Build) -> Site) -> Site {
    let pages = dashboard::small();
    mode(Server::build().env("SERVICE_DASHBOARD_DIR", pages.path()))
}

/// A server in path mode with the built pages, and its origin.
fn with_pages() -> (Server, String) {
    let (build, origin) = pages_of(Server::build(), false);
    (build.public_links(true).start(), origin)
}

/// The same with what is chosen besides, before it starts; prototypes can have origins of their own.
fn pages_of(build: Build, own_origin: bool) -> (Build, String) {
    let port = free_port();
    let origin = format!("http://localhost:{port}");
    let build = build
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_PUBLIC_URL", &origin)
        .env("SERVICE_DASHBOARD_DIR", paths::dashboard().display().to_string());
    let build = match own_origin {
        true => build.env("SERVICE_SERVE_DOMAIN", format!("proto.localhost:{port}")),
        false => build,
    };
    (build, origin)
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
fn works(site: &Site, app: App, base: Base) {
    open(site, "all-members", app.bundle(base), "app.mjs");
}

#[test]
fn a_react_app_works_in_path_mode() {
    works(&path_mode(), REACT, Base::Root);
}

#[test]
fn a_react_app_with_relative_paths_works_in_path_mode() {
    works(&path_mode(), REACT, Base::Page);
}

#[test]
fn a_react_app_works_on_its_own_origin() {
    works(&own_origin_mode(), REACT, Base::Root);
}

#[test]
fn a_react_app_with_relative_paths_works_on_its_own_origin() {
    works(&own_origin_mode(), REACT, Base::Page);
}

#[test]
fn a_vue_app_works_in_path_mode() {
    works(&path_mode(), VUE, Base::Root);
}

#[test]
fn a_vue_app_with_relative_paths_works_in_path_mode() {
    works(&path_mode(), VUE, Base::Page);
}

#[test]
fn a_vue_app_works_on_its_own_origin() {
    works(&own_origin_mode(), VUE, Base::Root);
}

#[test]
fn a_vue_app_with_relative_paths_works_on_its_own_origin() {
    works(&own_origin_mode(), VUE, Base::Page);
}

#[test]
fn the_bridge_announces_itself_in_path_mode() {
    let site = with_small_pages(path_mode_of);
    open(&site, "public-link", page_with_a_heading(), "bridge.mjs");
}

#[test]
fn the_bridge_announces_itself_from_its_own_origin() {
    let site = with_small_pages(own_origin_mode_of);
    open(&site, "public-link", page_with_a_heading(), "bridge.mjs");
}

/// A hostile prototype is opened by an admin. `own`: whether it has an origin of its own.
fn is_contained(site: Site, own: bool) {
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
        "own": own, "shop": shop, "other": other,
    });
    node::run(&in_browser("isolation.mjs"), &task);
    healthy(&site.server);
}

#[test]
fn a_hostile_prototype_does_in_path_mode_what_its_review_may() {
    is_contained(with_small_pages(path_mode_of), false);
}

#[test]
fn a_hostile_prototype_on_its_own_origin_does_nothing() {
    is_contained(with_small_pages(own_origin_mode_of), true);
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
