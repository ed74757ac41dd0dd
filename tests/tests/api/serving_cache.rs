//! Caching of prototypes: ETag, 304, immutable names.

use galley_tests::prelude::*;

const SCRIPT: &str = "/p/shop/assets/app-5f4dcc3b.js";

fn shop() -> (Server, Client, String) {
    let server = Server::build().public_links(true).start();
    let ed = server.user("ed");
    let shop = project_with(&ed, "shop", "public-link");
    upload(&ed, &shop, &Bundle::sample("Shop"));
    (server, ed, shop)
}

fn tag(caller: &Client, path: &str) -> String {
    caller.get(path).expect(200).header("etag").expect("an ETag").to_owned()
}

fn cache(caller: &Client, path: &str) -> String {
    caller
        .get(path)
        .expect(200)
        .header("cache-control")
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn pages_are_asked_for_again_and_hashed_names_never() {
    let (server, ed, _) = shop();
    assert!(
        cache(&ed, "/p/shop/").contains("no-cache"),
        "{}",
        cache(&ed, "/p/shop/")
    );
    assert!(cache(&ed, "/p/shop/about").contains("no-cache"));
    let immutable = cache(&server.anonymous(), SCRIPT);
    assert!(
        immutable.contains("immutable") && immutable.contains("max-age=31536000"),
        "{immutable}"
    );
    let plain = cache(&ed, "/p/shop/logo.svg");
    assert!(!plain.contains("immutable"), "{plain}");
}

#[test]
fn an_entity_tag_is_strong_quoted_and_about_the_content() {
    let (_server, ed, shop) = shop();
    let (before, page) = (tag(&ed, SCRIPT), tag(&ed, "/p/shop/"));
    assert!(
        before.starts_with('"') && before.ends_with('"') && before.len() > 10,
        "{before}"
    );
    upload(&ed, &shop, &Bundle::sample("Shop 2"));
    assert_eq!(tag(&ed, SCRIPT), before, "the same bytes of another deployment");
    assert_ne!(tag(&ed, "/p/shop/"), page);
}

#[test]
fn if_none_match_is_compared_as_the_standard_says() {
    let (_server, ed, _) = shop();
    for path in [SCRIPT, "/p/shop/", "/p/shop/logo.svg"] {
        let tag = tag(&ed, path);
        let ask = |method: &str, value: &str| ed.request(method, path).header("if-none-match", value).send();
        for value in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"x\", {tag}"),
            format!("\"x\",{tag} , \"y\""),
            "*".into(),
        ] {
            let answer = ask("GET", &value).expect(304);
            assert!(answer.body.is_empty());
            assert_eq!(answer.header("etag"), Some(tag.as_str()));
            assert!(answer.header("cache-control").is_some(), "{}", answer.head);
            ask("HEAD", &value).expect(304);
        }
        for value in ["\"x\"", "W/\"x\"", tag.trim_matches('"'), "", "\"", "W/"] {
            ask("GET", value).expect(200);
        }
    }
}

#[test]
fn a_304_is_for_those_who_may_read() {
    let (server, ed, shop) = shop();
    let tag = tag(&ed, SCRIPT);
    ed.patch(&format!("/api/v1/projects/{shop}"), json!({ "access": "all-members" }))
        .expect(200);
    let ask = |caller: Client, tag: &str| caller.request("GET", SCRIPT).header("if-none-match", tag).send();
    ask(server.user("vic"), &tag).expect(304);
    ask(server.anonymous(), &tag).expect(404);
    ask(server.anonymous(), "*").expect(404);
}

#[test]
fn a_page_of_another_deployment_is_no_304() {
    let (_server, ed, shop) = shop();
    let tag = tag(&ed, "/p/shop/");
    upload(&ed, &shop, &Bundle::sample("Another"));
    let answer = ed
        .request("GET", "/p/shop/")
        .header("if-none-match", tag)
        .send()
        .expect(200);
    assert!(answer.text().contains("Another"));
}

#[test]
fn a_head_is_a_get_without_its_body() {
    let (_server, ed, _) = shop();
    for path in [SCRIPT, "/p/shop/", "/p/shop/about", "/p/shop/missing.js"] {
        let (get, head) = (ed.get(path), ed.head(path));
        assert_eq!(get.status, head.status);
        let headers = |answer: &Response| {
            let differs = ["date", "x-request-id", "transfer-encoding"];
            let mut headers = answer.headers.clone();
            headers.retain(|(name, _)| !differs.contains(&name.as_str()));
            headers
        };
        assert_eq!(headers(&get), headers(&head), "{path}");
    }
    let length = ed.head(SCRIPT).header("content-length").map(str::to_owned);
    assert_eq!(length, Some(ed.get(SCRIPT).body.len().to_string()));
}
