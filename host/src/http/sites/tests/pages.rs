//! Pages: what is put into them, and what people are told instead of one.

use super::*;

#[tokio::test]
async fn a_page_has_base_bridge_and_its_headers() {
    let fixture = path_mode().await;
    fixture.shop(&[("index.html", PAGE.as_bytes())]).await;
    let answer = fixture.get("/p/shop/", &[]).await;
    assert_eq!(answer.status, 200);
    let text = answer.text().to_owned();
    assert!(
        text.contains("<head><base href=\"/p/shop/\" data-galley><script src=\"/.galley/bridge-"),
        "{text}"
    );
    assert!(text.contains("<a href=/p/shop/x>"));
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("x-robots-tag"), "noindex");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("content-length"), text.len().to_string());
    let tag = answer.header("etag").to_owned();
    let again = fixture.get("/p/shop/", &[("if-none-match", &tag)]).await;
    assert_eq!(
        (again.status, again.body.len(), again.header("etag")),
        (StatusCode::NOT_MODIFIED, 0, tag.as_str())
    );
    assert!(!again.headers.contains_key("content-length"));

    let off = fixture.get("/p/shop/?a=1&review=off", &[]).await;
    assert!(off.text().contains("<base href=\"/p/shop/\"") && !off.text().contains("bridge"));
    assert_ne!(off.header("etag"), tag);
    let head = fixture.ask("HEAD", "/p/shop/", &[]).await.unwrap();
    assert_eq!(
        (head.status, head.body.len(), head.header("content-length")),
        (StatusCode::OK, 0, answer.header("content-length"))
    );

    let bridge = text.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let script = fixture.get(bridge, &[("accept-encoding", "br")]).await;
    assert_eq!(script.header("content-encoding"), "br");
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(
        fixture.get(bridge, &[]).await.text(),
        "console.log('bridge');\n".repeat(100)
    );
    assert!(fixture.ask("GET", "/.galley/bridge-0000.js", &[]).await.is_none());
}

#[tokio::test]
async fn a_page_names_its_version_also_when_its_text_is_the_same() {
    let fixture = path_mode().await;
    let project = fixture.project("shop", Access::PublicLink).await;
    let files = [("index.html", PAGE.as_bytes())];
    let named = |version: &str| format!(" data-version=\"{version}\"");
    let first = fixture.publish(&project, &files).await;
    let page = fixture.get("/p/shop/", &[]).await;
    assert!(page.text().contains(&named(&first)), "{}", page.text());

    let second = fixture.publish(&project, &files).await;
    let page = fixture.get("/p/shop/", &[("if-none-match", page.header("etag"))]).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains(&named(&second)), "{}", page.text());
    let pinned = fixture.get(&format!("/p/shop/@{first}/"), &[]).await;
    assert!(pinned.text().contains(&named(&first)), "{}", pinned.text());
}

#[tokio::test]
async fn what_may_not_be_read_looks_like_what_does_not_exist() {
    let fixture = path_mode().await;
    let project = fixture.project("secret", Access::AllMembers).await;
    fixture.publish(&project, &[("index.html", PAGE.as_bytes())]).await;
    fixture.project("empty", Access::PublicLink).await;
    for headers in [
        &[][..],
        &[("accept", "text/html,*/*")],
        &[("sec-fetch-dest", "document"), ("accept", "text/html")],
    ] {
        let missing = fixture.get("/p/nosuch/", headers).await;
        for uri in [
            "/p/secret/",
            "/p/secret",
            "/p/secret/x.js",
            "/p/secret/@01hzzzzzzzzzzzzzzzzzzzzzzz/",
            "/p/",
            "/p//",
        ] {
            let answer = fixture.get(uri, headers).await;
            assert_eq!(answer.status, 404, "{uri}");
            assert_eq!(
                (&answer.headers, &answer.body),
                (&missing.headers, &missing.body),
                "{uri}"
            );
        }
        assert!(missing.text().contains("Prototype not found"));
    }
    assert_eq!(fixture.get("/p/nosuch/", &[]).await.text(), "Prototype not found");
    let empty = fixture.get("/p/empty/", &[]).await;
    let exact = concat!("Prototype has no deploy", "ment yet");
    assert_eq!((empty.status, empty.text()), (StatusCode::NOT_FOUND, exact));
    let page = fixture.get("/p/empty/", &[("accept", "text/html")]).await;
    assert!(page.text().contains(exact) && page.header("content-type").starts_with("text/html"));

    let (_, session) = fixture.account("a@x.org", Role::Viewer).await;
    let cookie = format!("galley_session={session}");
    let answer = fixture.get("/p/secret/", &[("cookie", &cookie)]).await;
    assert_eq!(
        (answer.status, answer.header("cache-control")),
        (StatusCode::OK, "private, no-cache")
    );
    // A bad bearer is never made good by a cookie, for any address.
    for uri in ["/p/secret/", "/p/nosuch/"] {
        let answer = fixture
            .get(uri, &[("cookie", &cookie), ("authorization", "Bearer nonsense")])
            .await;
        assert_eq!(answer.status, 401);
    }
    let bearer = format!("Bearer {BEARER}");
    assert_eq!(
        fixture.get("/p/secret/", &[("authorization", &bearer)]).await.status,
        200
    );
    for method in ["POST", "DELETE", "OPTIONS"] {
        let answer = fixture.ask(method, "/p/secret/", &[]).await.unwrap();
        assert_eq!(
            (answer.status, answer.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
        );
    }
}

#[tokio::test]
async fn pages_in_other_encodings_keep_them() {
    let fixture = path_mode().await;
    let latin = b"<head><meta charset=iso-8859-1></head><p>\xfc<a href=/x>";
    let wide = b"\xff\xfe<\0p\0>\0";
    let japanese = b"<head><meta charset=iso-2022-jp></head><p>\x1b$B$\"\x1b(B";
    fixture
        .shop(&[("index.html", latin), ("wide.html", wide), ("japanese.html", japanese)])
        .await;
    let page = fixture.get("/p/shop/", &[]).await;
    assert_eq!(page.header("content-type"), "text/html");
    assert!(page.body.ends_with(b"<p>\xfc<a href=/p/shop/x>"));
    let page = fixture.get("/p/shop/wide.html", &[]).await;
    assert_eq!(
        (page.header("content-type"), page.body.as_slice()),
        ("text/html", &wide[..])
    );
    assert_eq!(
        fixture.get("/p/shop/japanese.html", &[]).await.header("content-type"),
        "text/html"
    );
}
