//! Serving in path mode: what an address of a prototype answers, and to whom.

use galley_tests::prelude::*;

const NOT_FOUND: &str = "Prototype not found";
const NOTHING_YET: &str = "Prototype has no deployment yet";

fn shop(bundle: &Bundle) -> (Server, Client) {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", "public-link");
    upload(&ed, &shop, bundle);
    let anonymous = server.anonymous();
    (server, anonymous)
}

/// A navigation, as a browser makes it.
fn navigate(caller: &Client, path: &str) -> Response {
    let request = caller
        .request("GET", path)
        .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    request
        .header("sec-fetch-dest", "document")
        .header("sec-fetch-mode", "navigate")
        .send()
}

#[test]
fn a_prototype_is_served_below_its_slug() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    let page = navigate(&anonymous, "/p/shop/").expect(200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert!(page.text().contains("<h1>Shop</h1>"));
    let kinds = [
        ("assets/app-5f4dcc3b.js", "text/javascript"),
        ("assets/app-d41d8cd9.css", "text/css"),
        ("logo.svg", "image/svg+xml"),
        ("index.html", "text/html"),
    ];
    for (path, kind) in kinds {
        let answer = anonymous.get(&format!("/p/shop/{path}")).expect(200);
        assert!(
            answer.header("content-type").unwrap().starts_with(kind),
            "{path}: {}",
            answer.head
        );
    }
    assert_eq!(
        anonymous.get("/p/shop/assets/app-5f4dcc3b.js").text(),
        "document.title += ' (ran)';\n"
    );
}

#[test]
fn every_answer_of_a_prototype_is_kept_from_search_engines() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    for path in ["/p/shop/", "/p/shop/logo.svg", "/p/shop/missing.png", "/p/nothing/"] {
        assert_eq!(anonymous.get(path).header("x-robots-tag"), Some("noindex"), "{path}");
    }
}

#[test]
fn the_bare_slug_leads_to_the_slash() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    let answer = anonymous.get("/p/shop?a=1");
    assert!(matches!(answer.status, 301 | 302 | 307 | 308), "{}", answer.head);
    let location = answer.header("location").unwrap();
    assert!(
        location == "/p/shop/?a=1" || location.ends_with("/p/shop/?a=1"),
        "{location}"
    );
}

#[test]
fn folders_serve_their_index() {
    let bundle = Bundle::page("root")
        .file("docs/index.html", "the docs")
        .file("docs/a.html", "a page");
    let (_server, anonymous) = shop(&bundle);
    assert!(anonymous.get("/p/shop/docs/").expect(200).text().contains("the docs"));
    let answer = anonymous.get("/p/shop/docs");
    if answer.status == 200 {
        assert!(answer.text().contains("the docs"));
    } else {
        assert!(matches!(answer.status, 301 | 302 | 307 | 308), "{}", answer.head);
        assert!(
            answer.header("location").unwrap().ends_with("/p/shop/docs/"),
            "{}",
            answer.head
        );
    }
    assert!(anonymous.get("/p/shop/docs/a").expect(200).text().contains("a page"));
}

#[test]
fn a_redirect_never_leaves_the_server() {
    let (_server, anonymous) = shop(&Bundle::page("root").file("docs/index.html", "the docs"));
    for path in [
        "//evil.example/%2e%2e",
        "/p//evil.example",
        "/p/shop//evil.example/docs",
        "//p/shop",
        "/p/shop/%2F%2Fevil.example",
    ] {
        let answer = anonymous.get(path);
        if let Some(location) = answer.header("location") {
            assert!(
                !location.starts_with("//") && !location.contains("://evil"),
                "{path}: {location}"
            );
        }
        assert!(answer.status < 500, "{path}: {}", answer.head);
    }
}

#[test]
fn an_applications_own_routes_get_its_page() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    for path in ["/p/shop/about", "/p/shop/products/7/reviews", "/p/shop/about/"] {
        let page = navigate(&anonymous, path).expect(200);
        assert!(page.text().contains("<h1>Shop</h1>"), "{path}");
        assert!(
            page.text().contains("<base href=\"/p/shop/\""),
            "{path}: {}",
            page.text()
        );
    }
}

#[test]
fn a_missing_asset_is_a_404() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    for path in [
        "/p/shop/missing.js",
        "/p/shop/assets/app-00000000.js",
        "/p/shop/a/b/c.png",
        "/p/shop/x.css",
    ] {
        let answer = anonymous.get(path).expect(404);
        assert!(
            !answer.text().contains("<h1>Shop</h1>"),
            "a script is never a page: {path}"
        );
    }
}

#[test]
fn an_own_page_for_what_is_missing_is_used() {
    let (_server, anonymous) = shop(&Bundle::page("root").file("404.html", "nothing <b>here</b>"));
    let answer = navigate(&anonymous, "/p/shop/about").expect(404);
    assert!(answer.text().contains("nothing <b>here</b>"), "{}", answer.text());
}

#[test]
fn paths_are_decoded_once_and_stay_inside() {
    let bundle = Bundle::page("root")
        .file("a b/ü%20.txt", "found")
        .file("plus+.txt", "plus");
    let (server, anonymous) = shop(&bundle);
    assert_eq!(
        anonymous.get("/p/shop/a%20b/%C3%BC%2520.txt").expect(200).text(),
        "found"
    );
    assert_eq!(anonymous.get("/p/shop/plus+.txt").expect(200).text(), "plus");
    let outside = [
        "/p/shop/../../core.db",
        "/p/shop/%2e%2e/%2e%2e/core.db",
        "/p/shop/..%2f..%2fcore.db",
        "/p/shop/..%5c..%5ccore.db",
        "/p/shop/%252e%252e/core.db",
        "/p/shop//etc/passwd",
        "/p/shop/%00.txt",
        "/p/shop/%zz.txt",
        "/p/shop/%ff%fe.txt",
        "/p/%2e%2e/core.db",
        "/p/shop/.%2e/.%2e/core.db",
    ];
    for path in outside {
        let answer = anonymous.get(path);
        assert!(
            matches!(answer.status, 300..=308 | 400 | 404),
            "{path}: {}",
            answer.head
        );
        assert!(
            !answer.text().contains("SQLite format") && !answer.text().contains("root:"),
            "{path}"
        );
    }
    healthy(&server);
}

#[test]
fn only_get_and_head_are_served() {
    let (_server, anonymous) = shop(&Bundle::sample("Shop"));
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let answer = anonymous.request(method, "/p/shop/").send();
        assert!(matches!(answer.status, 404 | 405), "{method}: {}", answer.head);
    }
}

#[test]
fn message_nothing_is_deployed_yet() {
    let server = Server::start();
    project(&server.user("ed"), "shop");
    let answer = navigate(&server.user("vic"), "/p/shop/").expect(404);
    assert!(answer.text().contains(NOTHING_YET), "{}", answer.text());
}

#[test]
fn message_not_found_is_the_same_for_missing_and_unreadable() {
    let server = Server::start();
    let hidden = project_with(&server.user("ed"), "hidden", "invited");
    project_with(&server.user("ed"), "empty1", "invited");
    upload(&server.user("ed"), &hidden, &Bundle::sample("Hidden"));
    for caller in [server.anonymous(), server.user("eve"), server.token("eve", &["read"])] {
        for below in ["", "logo.svg", "about", "assets/missing.js", "index.html?review=off"] {
            let missing = navigate(&caller, &format!("/p/absent/{below}")).expect(404);
            assert!(missing.text().contains(NOT_FOUND), "{}", missing.text());
            for slug in ["hidden", "empty1"] {
                let answer = navigate(&caller, &format!("/p/{slug}/{below}"));
                let said = answer.comparable().replace(slug, "absent");
                assert_eq!(said, missing.comparable(), "{slug}/{below}");
            }
        }
    }
    assert!(
        navigate(&server.user("ed"), "/p/hidden/")
            .expect(200)
            .text()
            .contains("Hidden")
    );
    assert!(
        navigate(&server.user("ada"), "/p/hidden/")
            .expect(200)
            .text()
            .contains("Hidden")
    );
}

#[test]
fn a_members_prototype_is_for_members() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(&server.user("ed"), &shop, &Bundle::sample("Shop"));
    for path in ["/p/shop/", "/p/shop/logo.svg", "/p/shop/assets/app-5f4dcc3b.js"] {
        server.anonymous().get(path).expect(404);
        let answer = server.user("vic").get(path).expect(200);
        let cache = answer.header("cache-control").unwrap_or_default();
        assert!(!cache.contains("public"), "{path} may lie in a shared cache: {cache}");
    }
}

#[test]
fn the_referer_fallback_finds_what_scripts_ask_for_at_the_root() {
    let bundle = Bundle::page("root").file("assets/logo-0a1b2c3d.png", "an image");
    let (server, anonymous) = shop(&bundle);
    let ask = |method: &str, referer: &str| {
        let request = anonymous
            .request(method, "/assets/logo-0a1b2c3d.png")
            .header("sec-fetch-dest", "image");
        request.header("referer", referer).send()
    };
    for page in [
        "/p/shop/",
        "/p/shop",
        "/p/shop?x=1",
        "/p/shop/about/us",
        "/p/shop/index.html?x=1",
    ] {
        let answer = ask("GET", &format!("{}{page}", server.url())).expect(200);
        assert_eq!(answer.text(), "an image");
        let vary = answer.header("vary").unwrap_or_default().to_lowercase();
        assert!(vary.contains("referer"), "{}", answer.head);
        assert!(
            !answer.header("cache-control").unwrap_or_default().contains("public"),
            "{}",
            answer.head
        );
    }
    ask("HEAD", &format!("{}/p/shop/", server.url())).expect(200);
    anonymous.get("/assets/logo-0a1b2c3d.png").expect(404);
    for referer in [
        "http://evil.example/p/shop/",
        "/p/shop/",
        "nonsense",
        "http://127.0.0.1:1/p/shop/",
        "",
    ] {
        ask("GET", referer).expect(404);
    }
    for page in ["/p/absent/", "/", "/p/", "/q/shop/"] {
        ask("GET", &format!("{}{page}", server.url())).expect(404);
    }
    assert!(matches!(
        ask("POST", &format!("{}/p/shop/", server.url())).status,
        404 | 405
    ));
}

#[test]
fn the_referer_fallback_checks_access_again() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(
        &server.user("ed"),
        &shop,
        &Bundle::page("root").file("assets/secret-0a1b2c3d.png", "an image"),
    );
    let ask = |caller: Client| {
        let request = caller.request("GET", "/assets/secret-0a1b2c3d.png");
        request.header("referer", format!("{}/p/shop/", server.url())).send()
    };
    ask(server.user("vic")).expect(200);
    ask(server.anonymous()).expect(404);
}
