//! Which file answers, in which form, and for how long.

use super::*;

#[tokio::test]
async fn addresses_find_their_files() {
    let fixture = path_mode().await;
    fixture
        .shop(&[
            ("index.html", b"<p>root"),
            ("about.html", b"<p>about"),
            ("docs/index.html", b"<p>docs"),
            ("docs/404.html", b"<p>lost in docs"),
            ("a b/\u{fc}.txt", b"umlaut"),
            ("app.js", b"1"),
        ])
        .await;
    let document = &[("sec-fetch-dest", "document"), ("accept", "text/html")][..];
    let script = &[("sec-fetch-dest", "script")][..];
    let fetch = &[("sec-fetch-dest", "empty"), ("accept", "*/*")][..];
    for (uri, headers, status, text) in [
        ("/p/shop/", &[][..], 200, "root"),
        ("/p/shop/index.html", &[], 200, "root"),
        ("/p/shop/about", document, 200, "about"),
        ("/p/shop/about.html", document, 200, "about"),
        ("/p/shop/docs/", document, 200, "docs"),
        ("/p/shop/a%20b/%C3%BC.txt", &[], 200, "umlaut"),
        ("/p/shop/users/7", document, 200, "root"),
        ("/p/shop/users/7", &[], 200, "root"),
        ("/p/shop/users/jane.doe", document, 200, "root"),
        ("/p/shop/users/jane.doe", &[], 404, "not part"),
        ("/p/shop/users/7", fetch, 404, "not part"),
        ("/p/shop/users/7", script, 404, "not part"),
        ("/p/shop/missing.js", script, 404, "not part"),
        ("/p/shop/missing.js", document, 404, "not part"),
        ("/p/shop/missing.js", &[], 404, "not part"),
        ("/p/shop/docs/missing", document, 404, "lost in docs"),
        ("/p/shop/docs/deep/er/missing.html", document, 404, "lost in docs"),
        ("/p/shop/docs/missing.js", script, 404, "not part"),
        ("/p/shop/../shop/app.js", &[], 404, "not part"),
        ("/p/shop/%2e%2e/app.js", &[], 404, "not part"),
        ("/p/shop//app.js", &[], 404, "not part"),
        ("/p/shop/a%00b", &[], 404, "not part"),
        ("/p/shop/%ff", &[], 404, "not part"),
    ] {
        let answer = fixture.get(uri, headers).await;
        assert_eq!(answer.status, status, "{uri} {headers:?}");
        assert!(answer.text().contains(text), "{uri} {headers:?}: {}", answer.text());
    }
    for (uri, to) in [
        ("/p/shop", "/p/shop/"),
        ("/p/shop?a=b", "/p/shop/?a=b"),
        ("/p/shop/docs", "/p/shop/docs/"),
        ("/p/shop/docs?a=b", "/p/shop/docs/?a=b"),
    ] {
        let answer = fixture.get(uri, &[]).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (StatusCode::TEMPORARY_REDIRECT, to)
        );
    }
}

#[tokio::test]
async fn a_page_for_what_is_missing_wins_over_routes() {
    let fixture = path_mode().await;
    fixture
        .shop(&[
            ("index.html", b"<p>root"),
            ("404.html", b"<p>lost"),
            ("200.html", b"<p>any"),
        ])
        .await;
    let answer = fixture.get("/p/shop/route", &[("range", "bytes=0-1")]).await;
    assert_eq!(
        (answer.status, answer.header("cache-control")),
        (StatusCode::NOT_FOUND, "no-cache")
    );
    assert!(answer.text().contains("lost"));
    let other = path_mode().await;
    other.shop(&[("index.html", b"<p>root"), ("200.html", b"<p>any")]).await;
    assert!(other.get("/p/shop/route", &[]).await.text().contains("any"));
}

#[tokio::test]
async fn codings_tags_and_caching_follow_the_file() {
    let fixture = path_mode().await;
    let code = "const answer = 42;\n".repeat(500);
    let image: Vec<u8> = (0..5000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8)
        .collect();
    fixture
        .shop(&[
            ("index.html", PAGE.repeat(40).as_bytes()),
            ("app.js", code.as_bytes()),
            ("assets/app-BxY12_aZ.js", code.as_bytes()),
            ("pic.png", &image),
        ])
        .await;
    let plain = fixture.get("/p/shop/app.js", &[]).await;
    assert_eq!((plain.text(), plain.header("vary")), (code.as_str(), "accept-encoding"));
    assert_eq!(plain.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(plain.header("cache-control"), "no-cache");
    let brotli = fixture.get("/p/shop/app.js", &[("accept-encoding", "gzip, br")]).await;
    assert_eq!(brotli.header("content-encoding"), "br");
    assert!(brotli.body.len() < 100 && brotli.header("etag") != plain.header("etag"));
    let gzip = fixture.get("/p/shop/app.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!(
        (gzip.header("content-encoding"), &gzip.body[..2]),
        ("gzip", &[0x1f, 0x8b][..])
    );
    let wrong = fixture
        .get("/p/shop/app.js", &[("if-none-match", brotli.header("etag"))])
        .await;
    assert_eq!(wrong.status, 200);
    let image = fixture.get("/p/shop/pic.png", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((image.header("content-encoding"), image.header("vary")), ("", ""));
    let hashed = fixture.get("/p/shop/assets/app-BxY12_aZ.js", &[]).await;
    assert_eq!(hashed.header("cache-control"), "public, max-age=31536000, immutable");
    let page = fixture.get("/p/shop/", &[("accept-encoding", "br")]).await;
    assert_eq!(
        (page.header("content-encoding"), page.header("vary")),
        ("br", "accept-encoding")
    );
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &page.body[..], &mut text).unwrap();
    assert_eq!(text, fixture.get("/p/shop/", &[]).await.body);
}

#[tokio::test]
async fn parts_of_a_file_and_large_files() {
    let fixture = path_mode().await;
    let small: Vec<u8> = (0..1000_u32).map(|n| n as u8).collect();
    let mut large = vec![0; 5_000_000];
    crate::storage::id::fill_random(&mut large);
    fixture
        .shop(&[("index.html", b""), ("f.bin", &small), ("large.bin", &large)])
        .await;
    for (range, status, content_range, part) in [
        ("bytes=0-8", 206, "bytes 0-8/1000", &small[..9]),
        ("bytes=-10", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=990-", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=990-1990", 206, "bytes 990-999/1000", &small[990..]),
        ("bytes=100000-", 416, "bytes */1000", &[]),
        ("bytes=0-1,5-6", 200, "", &small),
    ] {
        let answer = fixture.get("/p/shop/f.bin", &[("range", range)]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-range")),
            (status, content_range),
            "{range}"
        );
        assert_eq!(answer.body, part, "{range}");
        assert_eq!(answer.header("content-length"), part.len().to_string());
    }
    let tag = fixture.get("/p/shop/f.bin", &[]).await.header("etag").to_owned();
    let same = fixture
        .get("/p/shop/f.bin", &[("range", "bytes=0-8"), ("if-range", &tag)])
        .await;
    let other = fixture
        .get("/p/shop/f.bin", &[("range", "bytes=0-8"), ("if-range", "\"x\"")])
        .await;
    assert_eq!((same.status.as_u16(), other.status.as_u16()), (206, 200));

    let whole = fixture.get("/p/shop/large.bin", &[]).await;
    assert!(whole.body == large && whole.header("content-length") == "5000000");
    let part = fixture
        .get("/p/shop/large.bin", &[("range", "bytes=262143-1000000")])
        .await;
    assert!(part.status == 206 && part.body == large[262_143..=1_000_000]);
    let head = fixture.ask("HEAD", "/p/shop/large.bin", &[]).await.unwrap();
    assert_eq!((head.body.len(), head.header("content-length")), (0, "5000000"));
}

#[tokio::test]
async fn a_version_stays_at_its_own_address() {
    let fixture = path_mode().await;
    let first = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("a.js", b"first"),
            ("d/index.html", b"d"),
        ])
        .await;
    let project = fixture.core.project_by_slug("shop").unwrap();
    fixture
        .publish(
            &project,
            &[
                ("index.html", b"<p>second"),
                ("a.js", b"second"),
                ("@scope/a.js", b"scoped"),
            ],
        )
        .await;
    assert!(fixture.get("/p/shop/", &[]).await.text().contains("second"));
    assert_eq!(fixture.get("/p/shop/a.js", &[]).await.text(), "second");
    assert_eq!(fixture.get("/p/shop/@scope/a.js", &[]).await.text(), "scoped");
    let page = fixture.get(&format!("/p/shop/@{first}/"), &[]).await;
    assert!(
        page.text()
            .contains(&format!("<base href=\"/p/shop/@{first}/\" data-galley>"))
    );
    assert!(page.text().contains(&format!("<a href=/p/shop/@{first}/x>")));
    let script = fixture.get(&format!("/p/shop/@{first}/a.js"), &[]).await;
    assert_eq!(
        (script.text(), script.header("cache-control")),
        ("first", "public, max-age=31536000, immutable")
    );
    for (uri, to) in [
        (format!("/p/shop/@{first}"), format!("/p/shop/@{first}/")),
        (format!("/p/shop/@{first}/d"), format!("/p/shop/@{first}/d/")),
    ] {
        assert_eq!(fixture.get(&uri, &[]).await.header("location"), to);
    }
    assert_eq!(
        fixture.get("/p/shop/@01hzzzzzzzzzzzzzzzzzzzzzzz/", &[]).await.text(),
        "Prototype not found"
    );
    // Another project's version is none of this one's.
    let other = fixture.project("other", Access::PublicLink).await;
    fixture.publish(&other, &[("index.html", b"other")]).await;
    assert_eq!(fixture.get(&format!("/p/other/@{first}/"), &[]).await.status, 404);
}
