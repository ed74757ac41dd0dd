//! The prebuilt pages: their addresses, what they may do, and for whom they are.

use galley_tests::dashboard;
use galley_tests::prelude::*;
use galley_tests::server::Build;

/// A server with the pages, and with the project `shop`.
fn start(access: &str) -> (Server, String) {
    let (server, project) = start_with(Server::build(), access);
    (server, project)
}

fn start_with(build: Build, access: &str) -> (Server, String) {
    // The server reads the pages at boot, and holds them.
    let folder = dashboard::small();
    let server = build
        .env("SERVICE_DASHBOARD_DIR", folder.path())
        .public_links(true)
        .start();
    let project = project_with(&server.admin(), "shop", access);
    (server, project)
}

const APP_PAGES: [&str; 8] = [
    "/",
    "/projects/shop/deployments",
    "/projects/shop/settings/access?x=1",
    "/instance",
    "/instance/members",
    "/you/tokens",
    "/x/approvals/",
    "/x/approvals/a/b",
];

#[test]
fn each_address_of_the_pages_has_its_document_and_key() {
    let (server, project) = start("all-members");
    let vic = server.user("vic");
    for path in APP_PAGES {
        let page = vic.open(path).expect(200);
        let html = page.text();
        assert!(html.contains("<main id=app>"), "{path}: {html}");
        let key = dashboard::key_of(&html).unwrap();
        assert!(key.starts_with("all."), "{path}: {key}");
        assert_eq!(page.all("cross-origin-opener-policy"), ["same-origin"], "{path}");
    }
    // Side by side two versions are framed, as one is in the review.
    let framing = [
        "/projects/shop",
        "/projects/shop/",
        "/projects/shop?c=12",
        "/projects/shop/compare/a/b",
    ];
    for path in framing {
        let page = vic.open(path).expect(200);
        let html = page.text();
        assert!(html.contains("<main id=review>"), "{path}: {html}");
        let key = dashboard::key_of(&html).unwrap();
        assert!(key.starts_with(&format!("review:{project}.")), "{path}: {key}");
        assert_eq!(
            page.all("cross-origin-opener-policy"),
            ["noopener-allow-popups"],
            "{path}"
        );
    }
    // A project that is not there, or that is not for this person: a review of nothing.
    project_with(&server.admin(), "secret", "invited");
    let pages = ["/projects/secret", "/projects/no-such-project"].map(|path| {
        let html = vic.open(path).expect(404).text();
        assert!(dashboard::key_of(&html).unwrap().starts_with("review:."), "{html}");
        html
    });
    assert_eq!(pages[0], pages[1]);
    // Another session has another key.
    let key = |client: &Client| dashboard::key_of(&client.open("/").text()).unwrap().to_owned();
    assert_eq!(key(&vic), key(&vic));
    assert_ne!(key(&vic), key(&server.user("ed")));
}

#[test]
fn documents_are_neither_kept_nor_framed_and_load_their_own_files_only() {
    let (server, _) = start("all-members");
    for path in ["/", "/instance/members", "/projects/shop"] {
        let page = server.user("vic").open(path).expect(200);
        assert_eq!(page.all("cache-control"), ["no-store"], "{path}");
        assert_eq!(page.all("x-frame-options"), ["DENY"], "{path}");
        assert_eq!(page.all("cross-origin-resource-policy"), ["same-origin"], "{path}");
        assert_eq!(page.header("referrer-policy"), Some("same-origin"), "{path}");
        assert_eq!(page.header("content-encoding"), None, "{path}");
        assert_eq!(
            page.all("content-security-policy"),
            [
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
              img-src 'self' data: blob:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
              require-trusted-types-for 'script'"
            ],
            "{path}"
        );
    }
    let domain = Server::build().env("SERVICE_SERVE_DOMAIN", "proto.localhost:4310");
    let (server, _) = start_with(domain, "all-members");
    let page = server.user("vic").open("/").expect(200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("; frame-src 'self' http://*.proto.localhost:4310; form-action"),
        "{policy}"
    );
}

#[test]
fn documents_are_for_navigations_of_a_window_only() {
    let (server, _) = start("all-members");
    let vic = server.user("vic");
    for dest in [
        "empty",
        "iframe",
        "frame",
        "embed",
        "object",
        "fencedframe",
        "script",
        "Document",
    ] {
        for path in [
            "/projects/shop",
            "/projects/shop/deployments",
            "/instance/members",
            "/you/tokens",
        ] {
            let answer = vic.request("GET", path).header("sec-fetch-dest", dest);
            answer.header("accept", "text/html").send().expect(404);
        }
        let answer = vic.request("GET", "/").header("sec-fetch-dest", dest);
        let html = answer.header("accept", "text/html").send().expect(200).text();
        assert!(
            html.contains("Signed in as") && dashboard::key_of(&html).is_none(),
            "{html}"
        );
    }
    let twice = vic.request("GET", "/you").header("sec-fetch-dest", "document");
    twice.header("sec-fetch-dest", "empty").send().expect(404);
    // Browsers that do not say what for they ask: those that want a page get it.
    let page = vic
        .request("GET", "/you")
        .header("accept", "text/html")
        .send()
        .expect(200);
    assert!(dashboard::key_of(&page.text()).is_some());
    vic.get("/you").expect(404);
}

#[test]
fn who_is_not_signed_in_signs_in_first_and_comes_back() {
    let (server, _) = start("all-members");
    let visitor = server.anonymous();
    for path in APP_PAGES
        .into_iter()
        .skip(1)
        .chain(["/projects/shop", "/projects/no-such-project?c=1"])
    {
        let answer = visitor.open(path).expect(303);
        let to = answer.header("location").unwrap();
        let to = to.strip_prefix("/sign-in?to=").expect(to);
        let back = percent_encoding::percent_decode_str(to).decode_utf8().unwrap();
        assert_eq!((&*back, answer.header("cache-control")), (path, Some("no-store")));
        let page = visitor.open(answer.header("location").unwrap()).expect(200).text();
        assert!(page.contains("Sign in"), "{page}");
    }
    let list = visitor.open("/").expect(200).text();
    assert!(
        list.contains("You are not signed in") && !list.contains("<script"),
        "{list}"
    );
    // A token is for programs.
    server
        .token("ed", &["read", "write"])
        .open("/instance/members")
        .expect(303);
}

#[test]
fn a_guest_with_a_public_link_gets_the_review_without_a_key() {
    let (server, _) = start("public-link");
    let page = server.anonymous().open("/projects/shop?c=3").expect(200);
    let html = page.text();
    assert!(
        html.contains("<main id=review>") && html.contains("__GALLEY_KEY__"),
        "{html}"
    );
    assert_eq!(page.all("cross-origin-opener-policy"), ["noopener-allow-popups"]);
    assert_eq!(page.header("set-cookie"), None);
    server.anonymous().open("/projects/shop/deployments").expect(303);
}

#[test]
fn files_of_the_pages_are_kept_for_ever_and_compressed() {
    let (server, _) = start("public-link");
    let visitor = server.anonymous();
    let plain = visitor.get(dashboard::SCRIPT).expect(200);
    assert_eq!(plain.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(
        plain.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    assert_eq!(plain.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(plain.header("content-encoding"), None);
    for coding in ["br", "gzip"] {
        let file = visitor
            .request("GET", dashboard::SCRIPT)
            .header("accept-encoding", coding);
        let file = file.send().expect(200);
        assert_eq!(file.header("content-encoding"), Some(coding));
        assert!(file.body.len() < plain.body.len() / 2, "{coding}: {}", file.body.len());
        let again = visitor
            .request("GET", dashboard::SCRIPT)
            .header("accept-encoding", coding);
        again
            .header("if-none-match", file.header("etag").unwrap())
            .send()
            .expect(304);
    }
    visitor.head(dashboard::SCRIPT).expect(200);
    for path in [
        "app.html",
        "review.html",
        "manifest.json",
        "assets/nothing.js",
        "",
        "assets/../app.html",
        "%2e%2e/app.html",
    ] {
        visitor.get(&format!("/.galley/app/{path}")).expect(404);
    }
}

#[test]
fn a_build_that_does_not_fit_its_manifest_is_not_served() {
    let folder = dashboard::small();
    std::fs::write(folder.path().join("assets/page-5e6f7a8b.css"), "changed").unwrap();
    let server = Server::build().env("SERVICE_DASHBOARD_DIR", folder.path()).start();
    let lines = server.log();
    let lines: Vec<&str> = lines.lines().filter(|line| line.contains("manifest.json")).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("WARN") && lines[0].contains("assets/page-5e6f7a8b.css was changed"),
        "{lines:?}"
    );
    without_pages(&server);
}

#[test]
fn without_a_build_the_root_is_the_list_and_the_other_pages_are_missing() {
    let server = Server::start();
    let lines = server.log();
    let lines = lines.lines().filter(|line| line.contains("manifest.json"));
    assert_eq!(lines.count(), 1, "{}", server.log());
    without_pages(&server);
}

fn without_pages(server: &Server) {
    let vic = server.user("vic");
    let list = vic.open("/").expect(200).text();
    assert!(
        list.contains("Signed in as") && dashboard::key_of(&list).is_none(),
        "{list}"
    );
    for path in APP_PAGES
        .into_iter()
        .skip(1)
        .chain(["/projects/shop", dashboard::SCRIPT])
    {
        vic.open(path).expect(404);
        server.anonymous().open(path).expect(404);
    }
}

#[test]
fn files_of_a_prototype_are_found_behind_the_addresses_of_pages() {
    let (server, project) = start("public-link");
    let bundle = Bundle::page("<!doctype html><title>x</title>").file("you/list.json", "[1]");
    upload(&server.admin(), &project, &bundle);
    let asked = server.anonymous().request("GET", "/you/list.json");
    let referer = format!("{}/p/shop/", server.url());
    let answer = asked
        .header("referer", referer)
        .header("sec-fetch-dest", "empty")
        .send()
        .expect(200);
    assert_eq!(answer.text(), "[1]");
}

#[test]
fn a_new_instance_says_where_its_first_link_is() {
    let server = Server::build().fresh().without("SERVICE_ADMIN_TOKEN").start();
    let page = server.anonymous().open("/").expect(200).text();
    assert!(
        page.contains("one-time link") && !page.contains("href=\"/sign-in\""),
        "{page}"
    );
    let page = Server::start().anonymous().open("/").expect(200).text();
    assert!(
        !page.contains("one-time link") && page.contains("href=\"/sign-in\""),
        "{page}"
    );
}
