//! The fallback by Referer.

use super::*;

#[tokio::test]
async fn the_referer_tells_where_to_look() {
    let fixture = path_mode().await;
    let version = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("assets/a.js", b"script"),
            ("img/p.png", b"pic"),
            ("data.json", b"{}"),
        ])
        .await;
    let page = ("referer", "http://galley.test/p/shop/some/route?x");
    let answer = fixture
        .fallback("/img/p.png", &[page, ("sec-fetch-dest", "image")])
        .await
        .unwrap();
    assert_eq!(
        (answer.status.as_u16(), answer.text(), answer.header("cache-control")),
        (200, "pic", "private, no-cache")
    );
    let vary: Vec<_> = answer
        .headers
        .get_all("vary")
        .iter()
        .map(|value| value.to_str().unwrap())
        .collect();
    assert_eq!(vary, ["referer", "sec-fetch-dest"]);
    assert_eq!(
        fixture
            .fallback("/data.json", &[page, ("sec-fetch-dest", "empty")])
            .await
            .unwrap()
            .text(),
        "{}"
    );
    assert_eq!(
        fixture
            .fallback("/data.json", &[page, ("accept", "*/*")])
            .await
            .unwrap()
            .text(),
        "{}"
    );
    for destination in ["script", "style", "worker", "sharedworker"] {
        let answer = fixture
            .fallback("/assets/a.js?v=1", &[page, ("sec-fetch-dest", destination)])
            .await
            .unwrap();
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (307, "/p/shop/assets/a.js?v=1")
        );
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert!(answer.headers.get_all("vary").iter().any(|value| value == "referer"));
    }
    // A router may leave out the slash at its root; what is sent on to has it.
    let root = ("referer", "http://galley.test/p/shop");
    assert_eq!(fixture.fallback("/img/p.png", &[root]).await.unwrap().text(), "pic");
    let answer = fixture
        .fallback("/assets/a.js", &[root, ("sec-fetch-dest", "script")])
        .await
        .unwrap();
    assert_eq!(answer.header("location"), "/p/shop/assets/a.js");
    let pinned = format!("http://galley.test/p/shop/@{version}/");
    let answer = fixture
        .fallback("/assets/a.js", &[("referer", &pinned), ("sec-fetch-dest", "script")])
        .await
        .unwrap();
    assert_eq!(answer.header("location"), format!("/p/shop/@{version}/assets/a.js"));

    for (uri, headers) in [
        ("/img/p.png", &[][..]),
        ("/img/p.png", &[("referer", "http://evil.test/p/shop/")]),
        ("/img/p.png", &[("referer", "http://galley.test/dashboard")]),
        ("/img/p.png", &[("referer", "http://galley.test/p/nosuch/")]),
        ("/img/p.png", &[("referer", "nonsense")]),
        ("/img/missing.png", &[page]),
        ("/route", &[page]),
        ("/api/v1/img/p.png", &[page]),
        ("/p/x", &[page]),
        ("/data.json", &[page, ("sec-fetch-dest", "document")]),
        ("/data.json", &[page, ("sec-fetch-dest", "iframe")]),
        ("/data.json", &[page, ("sec-fetch-mode", "navigate")]),
        ("/data.json", &[page, ("accept", "text/html,*/*")]),
        ("/assets/a.js", &[page, ("sec-fetch-dest", "serviceworker")]),
        ("/assets/a.js", &[page, ("service-worker", "script")]),
        ("//evil.test/a", &[page]),
    ] {
        assert!(fixture.fallback(uri, headers).await.is_none(), "{uri} {headers:?}");
    }
    let post = request("POST", "/data.json", &[page]);
    assert!(fixture.sites.fallback(&post).await.is_none());
    // Access is checked again.
    let secret = fixture.project("secret", Access::Invited).await;
    fixture
        .publish(&secret, &[("index.html", b""), ("x.png", b"secret")])
        .await;
    let page = ("referer", "http://galley.test/p/secret/");
    assert!(
        fixture
            .fallback("/x.png", &[page, ("sec-fetch-dest", "image")])
            .await
            .is_none()
    );
}
