//! Prototypes in frames: who may frame them, where a frame begins, its cookie, and the hosts of single versions.

use galley_harness::ports::free_port;
use galley_tests::http::Request;
use galley_tests::prelude::*;

fn sample(text: &str) -> Bundle {
    Bundle::page(&format!(
        "<!doctype html><html><head><title>{text}</title></head><body>{text}</body></html>"
    ))
    .file("a.js", format!("'{text}';"))
}

/// A server in path mode with the project `shop` and two versions of it, the newer one live: the older one's id.
fn path_mode(access: &str) -> (Server, String) {
    let server = Server::build().public_links(true).start();
    let old = two_versions(&server, access);
    (server, old)
}

fn two_versions(server: &Server, access: &str) -> String {
    let shop = project_with(&server.admin(), "shop", access);
    let old = upload(&server.admin(), &shop, &sample("old"));
    upload(&server.admin(), &shop, &sample("new"));
    text(&old, "deploymentId")
}

/// The same with origins of their own below this domain.
fn own_origin(access: &str) -> (Server, String, String) {
    let port = free_port();
    let domain = format!("proto.localhost:{port}");
    let server = Server::build()
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_PUBLIC_URL", format!("http://localhost:{port}"))
        .env("SERVICE_SERVE_DOMAIN", &domain)
        .public_links(true)
        .start();
    let old = two_versions(&server, access);
    (server, domain, old)
}

fn at(server: &Server, host: &str, target: &str) -> Request {
    Request::new(server.address(), "GET", target).header("host", host)
}

/// As a browser asks for what a frame shows.
fn frame(request: Request) -> Request {
    request
        .header("sec-fetch-dest", "iframe")
        .header("sec-fetch-mode", "navigate")
        .header("sec-fetch-site", "cross-site")
}

#[test]
fn prototypes_are_framed_by_themselves_and_this_servers_pages_only() {
    let (server, _) = path_mode("public-link");
    let expected = format!("frame-ancestors 'self' {}", server.url());
    for path in [
        "/p/shop/",
        "/p/shop/a.js",
        "/p/shop/nothing.js",
        "/p/nothing/",
        "/p/shop",
    ] {
        let answer = server.anonymous().get(path);
        assert!(
            answer.all("content-security-policy").contains(&expected.as_str()),
            "{path}\n{}",
            answer.head
        );
    }
    let tag = format!(" defer data-parent-origin=\"{}\"></script>", server.url());
    let page = server.anonymous().get("/p/shop/").expect(200).text();
    assert!(page.contains(&tag), "{page}");
    assert!(
        !server
            .anonymous()
            .get("/p/shop/?review=off")
            .expect(200)
            .text()
            .contains("data-parent-origin")
    );

    let (server, domain, _) = own_origin("public-link");
    let public = format!("http://localhost:{}", server.address().port());
    let page = at(&server, &format!("shop.{domain}"), "/").send().expect(200);
    assert_eq!(
        page.all("content-security-policy"),
        [format!("frame-ancestors 'self' {public}")]
    );
    assert!(
        page.text().contains(&format!("data-parent-origin=\"{public}\"")),
        "{}",
        page.text()
    );
}

#[test]
fn in_path_mode_a_frame_is_led_to_the_prototype() {
    let (server, old) = path_mode("all-members");
    let vic = server.user("vic");
    let to = |target: &str| {
        let answer = frame(vic.request("GET", target)).send().expect(303);
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        answer.header("location").unwrap().to_owned()
    };
    assert_eq!(to("/open/shop"), "/p/shop/");
    assert_eq!(to("/open/shop?to=%2Fabout%3Fx%3D1"), "/p/shop/about?x=1");
    assert_eq!(to(&format!("/open/d-{old}?to=/a.js")), format!("/p/shop/@{old}/a.js"));
    for evil in ["//evil.example", "https://evil.example", "%2F%5Cevil.example"] {
        assert_eq!(to(&format!("/open/shop?to={evil}")), "/p/shop/");
    }
    let missing = vic.open("/open/nothing").expect(404);
    for target in ["/open/shop", &format!("/open/d-{old}")] {
        let hidden = server.anonymous().open(target).expect(404);
        assert_eq!(hidden.text(), missing.text());
    }
    vic.open("/open/d-00000000000000000000000000").expect(404);
}

#[test]
fn a_frame_gets_a_cookie_that_counts_for_its_own_prototype() {
    let (server, domain, _) = own_origin("all-members");
    let host = format!("shop.{domain}");
    let answer = frame(server.user("vic").request("GET", "/open/shop"))
        .send()
        .expect(303);
    let enter = answer.header("location").unwrap().to_owned();
    let enter = enter.strip_prefix(&format!("http://{host}")).unwrap();
    let entered = frame(at(&server, &host, enter)).send().expect(303);
    let cookies = entered.all("set-cookie");
    assert!(cookies[0].starts_with("galley_view=2."), "{cookies:?}");
    assert!(
        cookies[1].starts_with("__Host-galley_frame=2.")
            && cookies[1].ends_with("; Path=/; HttpOnly; SameSite=None; Max-Age=43200; Secure; Partitioned"),
        "{cookies:?}"
    );
    assert_eq!(cookies.len(), 2);
    let cookie = cookies[1].split(';').next().unwrap();
    let page = frame(at(&server, &host, "/"))
        .header("cookie", cookie)
        .send()
        .expect(200);
    assert!(page.text().contains("new"));
    let file = |site: &str| {
        let asked = at(&server, &host, "/a.js")
            .header("cookie", cookie)
            .header("sec-fetch-dest", "script");
        asked
            .header("sec-fetch-mode", "no-cors")
            .header("sec-fetch-site", site)
            .send()
            .status
    };
    // What another prototype loads from this one comes with the cookie, too.
    assert_eq!(["same-origin", "same-site", "cross-site"].map(file), [200, 404, 404]);
    at(&server, &host, "/a.js").header("cookie", cookie).send().expect(404);
    let view = cookies[0].split(';').next().unwrap();
    at(&server, &host, "/a.js").header("cookie", view).send().expect(200);
}

#[test]
fn a_version_has_a_host_of_its_own() {
    let (server, domain, old) = own_origin("public-link");
    let (live, pinned) = (format!("shop.{domain}"), format!("d-{old}.{domain}"));
    let shown = |host: &str, path: &str| at(&server, host, path).send().expect(200).text();
    assert_eq!(
        (shown(&live, "/a.js"), shown(&pinned, "/a.js")),
        ("'new';".into(), "'old';".into())
    );
    let page = shown(&pinned, "/");
    assert!(page.contains("<title>old</title>") && !page.contains("<base"), "{page}");
    assert!(shown(&live, &format!("/@{old}/")).contains("<base"));
    assert!(shown(&pinned, "/").contains("<title>old</title>"));
    // None of the server's routes is there: the address is one of the prototype's.
    assert!(shown(&pinned, "/api/v1/health").contains("<title>old</title>"));
    at(&server, &format!("d-00000000000000000000000000.{domain}"), "/a.js")
        .send()
        .expect(404);

    let moved = server.anonymous().get(&format!("/p/shop/@{old}/a.js?x=1")).expect(302);
    assert_eq!(moved.header("location"), Some(&*format!("http://{pinned}/a.js?x=1")));
    let moved = at(&server, &live, &format!("/@{old}/a?x=1"))
        .header("sec-fetch-dest", "document")
        .send()
        .expect(302);
    assert_eq!(moved.header("location"), Some(&*format!("http://{pinned}/a?x=1")));

    let taken = json!({ "slug": format!("d-{old}"), "name": "Taken" });
    server.admin().post("/api/v1/projects", taken).expect(400);
}

#[test]
fn a_versions_host_is_for_those_who_may_read_its_project() {
    let (server, domain, old) = own_origin("all-members");
    let host = format!("d-{old}.{domain}");
    at(&server, &host, "/a.js").send().expect(404);
    let asked = frame(at(&server, &host, "/about")).send().expect(302);
    let public = format!("http://localhost:{}", server.address().port());
    assert_eq!(
        asked.header("location"),
        Some(&*format!("{public}/open/d-{old}?to=%2Fabout"))
    );
    server.anonymous().open(&format!("/open/d-{old}")).expect(404);
    let answer = server
        .user("vic")
        .open(&format!("/open/d-{old}?to=%2Fabout"))
        .expect(303);
    let enter = answer.header("location").unwrap().to_owned();
    let enter = enter.strip_prefix(&format!("http://{host}")).expect(&enter);
    let entered = at(&server, &host, enter).send().expect(303);
    assert_eq!(entered.header("location"), Some("/about"));
    let cookie = entered.all("set-cookie")[0].split(';').next().unwrap();
    assert_eq!(
        at(&server, &host, "/a.js")
            .header("cookie", cookie)
            .send()
            .expect(200)
            .text(),
        "'old';"
    );
}
