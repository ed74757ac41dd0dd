//! Prototypes on hosts of their own.

use super::*;

#[tokio::test]
async fn own_origins_serve_pages_as_they_are() {
    let fixture = own_origin().await;
    let version = fixture
        .shop(&[
            ("index.html", PAGE.as_bytes()),
            ("a.js", b"script"),
            ("d/index.html", b"d"),
        ])
        .await;
    let host = ("host", "shop.proto.test:8443");
    assert_eq!(fixture.get("/?review=off", &[host]).await.text(), PAGE);
    let page = fixture.get("/", &[host]).await;
    let expected = PAGE.replace("<head>", "<head><script src=\"/.galley/bridge-");
    assert!(page.text().starts_with(&expected[..50]) && !page.text().contains("<base"));
    assert_eq!(fixture.get("/a.js", &[host]).await.text(), "script");
    assert_eq!(fixture.get("/d", &[host]).await.header("location"), "/d/");
    assert_eq!(fixture.get("//evil.test/", &[host]).await.status, 404);
    let pinned = fixture.get(&format!("/@{version}/"), &[host]).await;
    assert!(
        pinned
            .text()
            .contains(&format!("<base href=\"/@{version}/\" data-galley>"))
    );
    assert!(pinned.text().contains(&format!("<a href=/@{version}/x>")));
    // The API is not there, and other hosts are the router's.
    assert_eq!(
        fixture
            .get("/api/v1/health", &[host, ("sec-fetch-dest", "empty")])
            .await
            .status,
        404
    );
    assert!(fixture.ask("GET", "/", &[("host", "proto.test:8443")]).await.is_none());
    assert!(fixture.ask("GET", "/", &[]).await.is_none());
    assert_eq!(fixture.ask("POST", "/", &[host]).await.unwrap().status, 405);
    let moved = fixture.get("/p/shop/d/?x=1", &[]).await;
    assert_eq!(
        (moved.status.as_u16(), moved.header("location")),
        (302, "https://shop.proto.test:8443/d/?x=1")
    );
    assert_eq!(fixture.get("/p/nosuch/", &[]).await.text(), "Prototype not found");
    assert!(
        fixture
            .fallback("/a.js", &[("referer", "https://galley.test/p/shop/")])
            .await
            .is_none()
    );
}

#[tokio::test]
async fn a_hand_off_lets_who_may_read_in() {
    let fixture = own_origin().await;
    let project = fixture.project("secret", Access::Invited).await;
    fixture
        .publish(&project, &[("index.html", PAGE.as_bytes()), ("a.js", b"script")])
        .await;
    let (ana, session) = fixture.account("ana@x.org", Role::Admin).await;
    let (_, guest) = fixture.account("guest@x.org", Role::Viewer).await;
    let host = ("host", "secret.proto.test:8443");
    let document = [("sec-fetch-dest", "document"), ("accept", "text/html")];

    // Without a cookie a sub-resource is nowhere, and a navigation goes to ask, for any slug.
    let missing = fixture
        .get(
            "/a.js",
            &[("host", "nosuch.proto.test:8443"), ("sec-fetch-dest", "script")],
        )
        .await;
    let answer = fixture.get("/a.js", &[host, ("sec-fetch-dest", "script")]).await;
    assert_eq!((answer.status.as_u16(), answer.text()), (404, "Prototype not found"));
    assert_eq!((&answer.headers, &answer.body), (&missing.headers, &missing.body));
    let go = fixture.get("/page?x=1", &[host, document[0], document[1]]).await;
    let open = "https://galley.test/open/secret?to=%2Fpage%3Fx%3D1";
    assert_eq!((go.status.as_u16(), go.header("location")), (302, open));
    let go = fixture.get("/", &[("host", "nosuch.proto.test"), document[0]]).await;
    assert_eq!(go.header("location"), "https://galley.test/open/nosuch?to=%2F");

    // There, who may not read and who asks for nothing hear the same.
    let cookie = |session: &str| format!("__Host-galley_session={session}");
    let open = "/open/secret?to=%2Fpage%3Fx%3D1";
    let missing = fixture.get("/open/nosuch?to=%2F", &[document[1]]).await;
    for headers in [&[document[1]][..], &[document[1], ("cookie", &cookie(&guest))]] {
        let answer = fixture.get(open, headers).await;
        assert_eq!(
            (answer.status, &answer.headers, &answer.body),
            (missing.status, &missing.headers, &missing.body)
        );
    }
    let answer = fixture.get(open, &[("cookie", &cookie(&session))]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("cache-control")),
        (303, "no-store")
    );
    let enter = answer
        .header("location")
        .strip_prefix("https://secret.proto.test:8443")
        .unwrap()
        .to_owned();
    assert!(enter.starts_with("/.galley/enter?code=") && enter.ends_with("&to=%2Fpage%3Fx%3D1"));

    // The code is good for this prototype only, once; a look with HEAD does not spend it.
    fixture.ask("HEAD", &enter, &[host]).await.unwrap();
    let entered = fixture.get(&enter, &[host]).await;
    assert_eq!(
        (entered.status.as_u16(), entered.header("location")),
        (303, "/page?x=1")
    );
    let set = entered.header("set-cookie");
    assert!(
        set.starts_with("__Host-galley_view=2.")
            && set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure")
    );
    assert!(!set.contains(&session));
    let view = set.split(';').next().unwrap().to_owned();
    assert!(!fixture.get(&enter, &[host]).await.headers.contains_key("set-cookie"));
    let view = ("cookie", view.as_str());
    let page = fixture.get("/", &[host, view]).await;
    assert_eq!(
        (page.status.as_u16(), page.header("cache-control")),
        (200, "private, no-cache")
    );
    assert_eq!(fixture.get("/a.js", &[host, view]).await.text(), "script");

    // The cookie is no session, and none of another prototype.
    let other = fixture.project("other", Access::Invited).await;
    fixture.publish(&other, &[("index.html", b"")]).await;
    assert_eq!(
        fixture.get("/a.js", &[("host", "other.proto.test"), view]).await.status,
        404
    );
    assert_eq!(
        fixture
            .get("/a.js", &[host, ("cookie", &cookie(&session))])
            .await
            .status,
        404
    );
    // A bearer works as everywhere, a bad one is refused.
    let bearer = format!("Bearer {BEARER}");
    assert_eq!(
        fixture.get("/a.js", &[host, ("authorization", &bearer)]).await.status,
        200
    );
    assert_eq!(
        fixture
            .get("/a.js", &[host, view, ("authorization", "Bearer x")])
            .await
            .status,
        401
    );

    // A cookie of the name that somebody else set first is in nobody's way; one without the prefix is not looked at.
    let planted = format!("__Host-galley_view=2.x; {}", view.1);
    assert_eq!(fixture.get("/a.js", &[host, ("cookie", &planted)]).await.status, 200);
    let bare = view.1.strip_prefix("__Host-").unwrap();
    assert_eq!(fixture.get("/a.js", &[host, ("cookie", bare)]).await.status, 404);

    // An account that was removed sees nothing any more, and a restored one has to sign in first.
    fixture.account("other@x.org", Role::Admin).await;
    fixture.core.remove_account(&Actor::System, &ana.id).await.unwrap();
    assert_eq!(fixture.get("/a.js", &[host, view]).await.status, 404);
    fixture.core.restore_account(&Actor::System, &ana.id).await.unwrap();
    assert_eq!(fixture.get("/a.js", &[host, view]).await.status, 404);
}
