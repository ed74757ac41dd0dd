//! Own-origin mode: each prototype at the root of an origin of its own.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use galley_harness::ports::free_port;
use galley_tests::accounts::Person;
use galley_tests::http::Request;
use galley_tests::prelude::*;
use galley_tests::server::Build;

/// A browser as far as redirects and cookies go. Every host leads to the server under test.
struct Browser {
    server: SocketAddr,
    jar: BTreeMap<String, BTreeMap<String, String>>,
    /// Cookies that come before those of the jar, at every host.
    planted: Option<String>,
    /// What a proxy in front asks the browser for.
    authorization: Option<&'static str>,
    visited: Vec<String>,
}

impl Browser {
    fn new(server: &Server) -> Browser {
        Browser {
            server: server.address(),
            jar: BTreeMap::new(),
            planted: None,
            authorization: None,
            visited: Vec::new(),
        }
    }

    /// A browser that is signed in at the server's own origin.
    fn signed_in(server: &Server, name: &str) -> Browser {
        let mut browser = Browser::new(server);
        let session = server.user(name).secret().to_owned();
        let (key, value) = session.split_once('=').unwrap();
        browser.keep(&server.address().to_string(), key, value);
        browser
    }

    /// Puts a cookie into the jar of a host.
    fn keep(&mut self, host: &str, name: &str, value: &str) {
        let jar = self.jar.entry(host.to_owned()).or_default();
        jar.insert(name.to_owned(), value.to_owned());
    }

    /// Opens an address, follows redirects, keeps cookies.
    fn open(&mut self, address: &str) -> Response {
        let mut address = address.to_owned();
        for _ in 0..10 {
            self.visited.push(address.clone());
            let rest = address.strip_prefix("http://").expect("an absolute address");
            let (host, target) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let (host, target) = (host.to_owned(), if target.is_empty() { "/" } else { target });
            let own = self.jar.get(&host).into_iter().flatten();
            let own = own.map(|(name, value)| format!("{name}={value}"));
            let cookies: Vec<String> = self.planted.iter().cloned().chain(own).collect();
            let mut request = Request::new(self.server, "GET", target).header("host", &host);
            request = request
                .header("sec-fetch-dest", "document")
                .header("sec-fetch-mode", "navigate");
            if !cookies.is_empty() {
                request = request.header("cookie", cookies.join("; "));
            }
            if let Some(authorization) = self.authorization {
                request = request.header("authorization", authorization);
            }
            let answer = request.send();
            for cookie in answer.all("set-cookie") {
                assert!(
                    !cookie.to_lowercase().contains("domain="),
                    "a cookie for other hosts: {cookie}"
                );
                let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
                let jar = self.jar.entry(host.clone()).or_default();
                if cookie.to_lowercase().contains("max-age=0") {
                    jar.remove(name.trim());
                } else {
                    jar.insert(name.trim().into(), value.into());
                }
            }
            let Some(location) = answer.header("location").filter(|_| answer.status / 100 == 3) else {
                return answer;
            };
            address = if location.starts_with('/') {
                format!("http://{host}{location}")
            } else {
                location.into()
            };
        }
        panic!("redirected in circles: {:?}", self.visited);
    }
}

fn build() -> (Build, String) {
    let port = free_port();
    let domain = format!("proto.localhost:{port}");
    let build = Server::build()
        .env("SERVICE_LISTEN", format!("127.0.0.1:{port}"))
        .env("SERVICE_SERVE_DOMAIN", &domain);
    (build, domain)
}

/// A server, the origin of its prototype `shop`, and the project's id.
fn shop(access: &str) -> (Server, String, String) {
    let (build, domain) = build();
    let server = build.public_links(true).start();
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", access);
    upload(&ed, &shop, &Bundle::sample("Shop"));
    (server, format!("http://shop.{domain}"), shop)
}

#[test]
fn a_prototype_is_served_at_the_root_as_it_was_built() {
    let (server, origin, _) = shop("public-link");
    let page = Browser::new(&server)
        .open(&format!("{origin}/?review=off"))
        .expect(200)
        .text();
    assert!(
        page.contains("<h1>Shop</h1>") && page.contains("href=\"/assets/app-d41d8cd9.css\""),
        "{page}"
    );
    assert!(!page.contains("<base") && !page.contains("/p/shop/"), "{page}");
    for path in ["/assets/app-5f4dcc3b.js", "/logo.svg", "/some/route"] {
        let answer = Browser::new(&server).open(&format!("{origin}{path}")).expect(200);
        assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
    }
    Browser::new(&server).open(&format!("{origin}/missing.js")).expect(404);
}

#[test]
fn a_prototypes_own_icon_and_robots_are_its_own() {
    let (server, origin, shop) = shop("public-link");
    let get = |path: &str| Browser::new(&server).open(&format!("{origin}{path}"));
    for path in ["/favicon.ico", "/robots.txt"] {
        get(path).expect(404);
    }
    let bundle = Bundle::sample("Shop")
        .file("favicon.ico", "its icon")
        .file("robots.txt", "its rules");
    upload(&server.user("ed"), &shop, &bundle);
    assert_eq!(get("/favicon.ico").expect(200).text(), "its icon");
    assert_eq!(get("/robots.txt").expect(200).text(), "its rules");
}

#[test]
fn the_projects_url_is_its_origin() {
    let (server, origin, shop) = shop("all-members");
    let project = server
        .user("ed")
        .get(&format!("/api/v1/projects/{shop}"))
        .expect(200)
        .json();
    assert_eq!(project["url"], format!("{origin}/"));
}

#[test]
fn the_bridge_is_in_its_pages() {
    let (server, origin, _) = shop("public-link");
    let page = Browser::new(&server).open(&format!("{origin}/")).expect(200).text();
    let found = crate::html::scripts(&page);
    let source = found
        .iter()
        .find(|source| !source.contains("/assets/"))
        .expect("the bridge's tag");
    let address = if source.starts_with('/') {
        format!("{origin}{source}")
    } else {
        source.clone()
    };
    let script = Browser::new(&server).open(&address).expect(200);
    assert_eq!(script.body, std::fs::read(galley_tests::paths::bridge()).unwrap());
}

#[test]
fn a_signed_in_reader_is_handed_over() {
    let (server, origin, _) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "vic");
    let page = browser.open(&format!("{origin}/products?page=2")).expect(200);
    assert!(page.text().contains("<h1>Shop</h1>"));
    assert_eq!(browser.visited.last().unwrap(), &format!("{origin}/products?page=2"));
    let session = server.user("vic").secret().split('=').nth(1).unwrap().to_owned();
    assert!(
        browser.visited.iter().all(|address| !address.contains(&session)),
        "the session went over an address"
    );
    let own = browser
        .jar
        .get(origin.strip_prefix("http://").unwrap())
        .expect("a cookie of the prototype's own");
    assert!(
        own.values().all(|value| !value.contains(&session)),
        "the prototype's origin has the session"
    );

    // From now on no detour is needed.
    browser.visited.clear();
    browser.open(&format!("{origin}/logo.svg")).expect(200);
    assert_eq!(browser.visited.len(), 1);
}

#[test]
fn a_proxys_password_is_in_nobodys_way() {
    let (server, origin, _) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "vic");
    browser.authorization = Some("Basic dXNlcjpwYXNz");
    browser.open(&format!("{origin}/products")).expect(200);
    browser.open(&format!("{origin}/logo.svg")).expect(200);
    let mut guest = Browser::new(&server);
    guest.authorization = Some("Basic dXNlcjpwYXNz");
    guest.open(&format!("{origin}/")).expect(404);
}

#[test]
fn the_cookie_of_a_prototype_is_no_session() {
    let (server, origin, _) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "ed");
    browser.open(&format!("{origin}/")).expect(200);
    let own: Vec<String> = browser.jar[origin.strip_prefix("http://").unwrap()]
        .iter()
        .flat_map(|(name, value)| [format!("{name}={value}"), format!("galley_session={value}")])
        .collect();
    for cookie in own {
        let me = server
            .anonymous()
            .request("GET", "/api/v1/me")
            .header("cookie", &cookie)
            .send();
        assert_eq!(me.expect(200).json()["user"], Value::Null, "{cookie}");
    }
}

#[test]
fn nobody_else_is_let_in() {
    let (server, origin, _) = shop("invited");
    for mut browser in [Browser::new(&server), Browser::signed_in(&server, "eve")] {
        let answer = browser.open(&format!("{origin}/")).expect(404);
        assert!(answer.text().contains("Prototype not found"), "{}", answer.text());
        let absent = origin.replace("shop.", "none.");
        let missing = browser.open(&format!("{absent}/")).expect(404);
        assert_eq!(answer.text().replace("shop", "none"), missing.text());
        for path in ["/logo.svg", "/assets/app-5f4dcc3b.js"] {
            browser.open(&format!("{origin}{path}")).expect(404);
        }
    }
}

/// A browser that looks at the private prototype, and is signed in on the server's own origin.
fn looking(server: &Server, origin: &str, name: &str) -> Browser {
    let mut browser = Browser::signed_in(server, name);
    browser.open(&format!("{origin}/")).expect(200);
    browser.visited.clear();
    browser.open(&format!("{origin}/logo.svg")).expect(200);
    assert_eq!(browser.visited.len(), 1, "the cookie is enough");
    browser
}

/// Demands that the browser sees nothing of the private prototype any more.
#[track_caller]
fn sees_nothing(browser: &mut Browser, origin: &str) {
    for path in ["/", "/logo.svg", "/products"] {
        let answer = browser.open(&format!("{origin}{path}")).expect(404);
        assert!(!answer.text().contains("<h1>Shop</h1>"), "{path}");
    }
}

#[test]
fn signing_out_ends_the_hand_over() {
    let (server, origin, _) = shop("all-members");
    let mut browser = looking(&server, &origin, "vic");
    let mut other = looking(&server, &origin, "vera");
    server
        .user("vic")
        .request("POST", "/api/v1/auth/logout")
        .send()
        .expect(204);
    sees_nothing(&mut browser, &origin);
    other.open(&format!("{origin}/logo.svg")).expect(200);
}

#[test]
fn signing_out_everywhere_ends_every_hand_over() {
    let (mut server, origin, _) = shop("all-members");
    server.edit(|core| core.add_session(Person::named("vic"), "vics-telephone"));
    let mut browser = looking(&server, &origin, "vic");
    let mut telephone = Browser::new(&server);
    telephone.keep(&server.address().to_string(), "galley_session", "vics-telephone");
    telephone.open(&format!("{origin}/")).expect(200);
    server
        .user("vic")
        .request("POST", "/api/v1/auth/logout/all")
        .send()
        .expect(204);
    sees_nothing(&mut browser, &origin);
    sees_nothing(&mut telephone, &origin);
}

#[test]
fn removal_ends_the_hand_over_and_restoring_does_not_bring_it_back() {
    let (server, origin, _) = shop("all-members");
    let mut browser = looking(&server, &origin, "vic");
    let ada = server.user("ada");
    ada.delete("/api/v1/instance/members/account-vic").expect(204);
    sees_nothing(&mut browser, &origin);
    ada.request("POST", "/api/v1/instance/members/account-vic/restore")
        .send()
        .expect(200);
    sees_nothing(&mut browser, &origin);
}

#[test]
fn a_code_of_a_session_that_ended_opens_nothing() {
    let (server, origin, _) = shop("all-members");
    let host = origin.strip_prefix("http://").unwrap();
    let vic = server.user("vic");
    let answer = vic.request("GET", "/open/shop?to=%2F").send().expect(303);
    let code = answer.header("location").unwrap().to_owned();
    assert!(code.starts_with(&format!("{origin}/")), "{code}");
    vic.request("POST", "/api/v1/auth/logout").send().expect(204);
    let mut browser = Browser::new(&server);
    browser.open(&code).expect(404);
    assert!(!browser.jar.contains_key(host) || browser.open(&format!("{origin}/logo.svg")).status == 404);
}

#[test]
fn a_bearer_is_handed_no_cookie() {
    let (server, origin, _) = shop("all-members");
    let token = server.token("vic", &["read"]);
    let answer = token.request("GET", "/open/shop?to=%2F").send();
    let to = answer.header("location").unwrap_or_default();
    assert_eq!(to, format!("{origin}/"), "a cookie would outlive the token");
    let host = origin.strip_prefix("http://").unwrap();
    let page = token.request("GET", "/").header("host", host).send().expect(200);
    assert!(page.text().contains("<h1>Shop</h1>"));
}

#[test]
fn cookies_that_a_sibling_sets_lock_nobody_out() {
    let (server, origin, _) = shop("all-members");
    let mut browser = looking(&server, &origin, "vic");
    let own = browser.jar[origin.strip_prefix("http://").unwrap()]["galley_view"].clone();
    let other = project_with(&server.user("ed"), "other", "all-members");
    upload(&server.user("ed"), &other, &Bundle::sample("Other"));
    let siblings = looking(&server, &origin.replace("shop.", "other."), "eve");
    let siblings = &siblings.jar[origin.replace("http://shop.", "other.").as_str()]["galley_view"];
    for planted in [
        "galley_view=planted".to_owned(),
        format!("galley_view={siblings}"),
        format!("galley_view={}x", &own[..own.len() - 1]),
        "galley_view=1; galley_session=1; theme=\u{e9}".to_owned(),
    ] {
        browser.planted = Some(planted.clone());
        browser.visited.clear();
        browser.open(&format!("{origin}/logo.svg")).expect(200);
        assert_eq!(browser.visited.len(), 1, "{planted}");
        // And who comes for the first time is handed over.
        let mut fresh = Browser::signed_in(&server, "vera");
        fresh.planted = Some(planted);
        fresh.open(&format!("{origin}/")).expect(200);
    }
}

#[test]
fn a_hand_over_works_once() {
    let (server, origin, _) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "vic");
    browser.open(&format!("{origin}/")).expect(200);
    let codes: Vec<String> = browser
        .visited
        .iter()
        .filter(|address| address.starts_with(&origin))
        .cloned()
        .collect();
    assert!(codes.len() >= 2, "{codes:?}");
    for code in codes {
        let mut thief = Browser::new(&server);
        let answer = thief.open(&code);
        assert!(!answer.text().contains("<h1>Shop</h1>"), "{code} was used twice");
    }
}

#[test]
fn a_hand_over_is_for_its_prototype_only() {
    let (server, origin, _) = shop("all-members");
    let other = project_with(&server.user("ed"), "other", "invited");
    upload(&server.user("ed"), &other, &Bundle::sample("Other"));
    let mut browser = Browser::signed_in(&server, "vic");
    browser.open(&format!("{origin}/")).expect(200);
    let other_origin = origin.replace("shop.", "other.");
    let (own, theirs) = (
        origin.strip_prefix("http://").unwrap(),
        other_origin.strip_prefix("http://").unwrap(),
    );
    let cookies = browser.jar[own].clone();
    let mut thief = Browser::new(&server);
    thief.jar.insert(theirs.to_owned(), cookies);
    thief.open(&format!("{other_origin}/")).expect(404);
}

#[test]
fn losing_access_ends_the_hand_over() {
    let (server, origin, shop) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "vic");
    browser.open(&format!("{origin}/")).expect(200);
    server
        .admin()
        .patch(&format!("/api/v1/projects/{shop}"), json!({ "access": "invited" }))
        .expect(200);
    browser.open(&format!("{origin}/")).expect(404);
}

#[test]
fn a_hand_over_never_leads_elsewhere() {
    let (server, origin, _) = shop("all-members");
    let mut browser = Browser::signed_in(&server, "vic");
    browser.open(&format!("{origin}/")).expect(200);
    let start = browser
        .visited
        .iter()
        .find(|address| !address.starts_with(&origin))
        .expect("a detour")
        .clone();
    let host = origin.strip_prefix("http://").unwrap();
    for evil in [
        "evil.example",
        "shop.proto.localhost.evil.example",
        "evil.example%2f",
        "a@evil.example",
    ] {
        let forged = start
            .replace(host, evil)
            .replace(&host.replace(':', "%3A"), evil)
            .replace("shop", evil);
        let forged = format!("{}{}", server.url(), forged.strip_prefix(&server.url()).unwrap_or("/"));
        let target = forged.strip_prefix(&server.url()).unwrap();
        let answer = server.user("vic").request("GET", target).send();
        if let Some(location) = answer.header("location") {
            assert!(!location.contains("evil.example"), "{target} leads to {location}");
        }
    }
}

#[test]
fn the_api_is_not_on_a_prototypes_origin() {
    let (server, origin, _) = shop("public-link");
    let host = origin.strip_prefix("http://").unwrap();
    for path in ["/api/v1/health", "/api/v1/projects", "/api/v1/me"] {
        let request = server.user("ed").request("GET", path).header("host", host);
        let answer = request.send();
        let body = answer.text();
        assert!(
            !body.contains("\"status\"") && !body.contains("\"projects\"") && !body.contains("ed@example.com"),
            "{path}: {body}"
        );
    }
}

#[test]
fn hosts_are_compared_without_regard_to_case() {
    let (server, origin, _) = shop("public-link");
    let host = origin.strip_prefix("http://").unwrap().to_uppercase();
    let answer = server
        .anonymous()
        .request("GET", "/")
        .header("host", host)
        .send()
        .expect(200);
    assert!(answer.text().contains("<h1>Shop</h1>"));
}

#[test]
fn odd_hosts_are_no_prototype() {
    let (server, origin, _) = shop("public-link");
    let domain = origin.strip_prefix("http://shop.").unwrap();
    for host in [
        format!("a.shop.{domain}"),
        format!(".{domain}"),
        format!("shop..{domain}"),
        format!("%73hop.{domain}"),
        "x".into(),
    ] {
        let answer = server.anonymous().request("GET", "/").header("host", &host).send();
        assert!(
            answer.status < 500 && !answer.text().contains("<h1>Shop</h1>"),
            "{host}: {}",
            answer.head
        );
    }
}
