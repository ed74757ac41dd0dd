//! Answers of plugins have the origin of the server's own pages: none of them is a page there.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

fn deed(operator: &Operator, deed: &str) -> Response {
    operator.anonymous().get(&format!("/api/v1/x/hostile/{deed}"))
}

#[test]
fn a_guests_html_is_no_document() {
    let operator = Operator::with_guest("hostile", 5_000);
    for kind in [
        "text/html",
        "image/svg%2Bxml",
        "application/xhtml%2Bxml",
        "text/javascript",
        "",
    ] {
        let answer = deed(&operator, &format!("answer-as?name={kind}")).expect(200);
        assert_eq!(
            answer.header("content-type"),
            Some("application/octet-stream"),
            "{kind}: {}",
            answer.head
        );
    }
    let answer = deed(&operator, "answer-as?name=image/png").expect(200);
    assert_eq!(answer.header("content-type"), Some("image/png"));
    for answer in [answer, deed(&operator, "nothing"), deed(&operator, "panic")] {
        assert_eq!(
            answer.header("content-security-policy"),
            Some("sandbox; default-src 'none'"),
            "{}",
            answer.head
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn streams_are_contained_too() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let stream = ed.stream(&format!("{}/stream", comments(&shop)));
    let sandbox = stream.head.header("content-security-policy");
    assert_eq!(sandbox, Some("sandbox; default-src 'none'"), "{}", stream.head.head);
}

#[test]
fn a_guest_sets_no_header_that_changes_the_origin() {
    let operator = Operator::with_guest("hostile", 5_000);
    for name in [
        "clear-site-data",
        "service-worker-allowed",
        "access-control-allow-origin",
        "strict-transport-security",
        "refresh",
        "set-cookie",
        "content-disposition",
        "x-accel-redirect",
        "x-sendfile",
    ] {
        let answer = deed(&operator, &format!("header?name={name}")).expect(200);
        assert_eq!(answer.header(name), None, "{}", answer.head);
    }
    for name in ["etag", "retry-after", "link", "x-total-count"] {
        let answer = deed(&operator, &format!("header?name={name}")).expect(200);
        assert_eq!(answer.header(name), Some("value"), "{}", answer.head);
    }
}

#[test]
fn a_guest_redirects_within_this_server_only() {
    let operator = Operator::with_guest("hostile", 5_000);
    let own = format!("{}/p/shop/", operator.server.url());
    for address in ["/api/v1/me", own.as_str()] {
        let answer = deed(&operator, &format!("redirect?name={address}")).expect(302);
        assert_eq!(answer.header("location"), Some(address));
    }
    for address in [
        "https://evil.example/",
        "//evil.example",
        "/%5Cevil.example",
        "javascript:alert(1)",
    ] {
        let answer = deed(&operator, &format!("redirect?name={address}")).expect(500);
        assert_eq!(answer.header("location"), None);
    }
}

#[test]
fn a_route_beside_the_sign_in_pages_is_refused() {
    let operator = Operator::start();
    operator.add_guest("squatter");
    let ended = operator.try_approve("squatter").expect(2);
    assert!(ended.stderr.contains("/api/v1/auth/localx/{deed}"), "{}", ended.stderr);
    let open = |path: &str| operator.anonymous().open(path);
    for path in [
        "/api/v1/auth/localx/a",
        "/api/v1/auth/magic-linkage",
        "/api/v1/unsubscribe-x",
    ] {
        open(path).expect(403);
    }
    assert_ne!(open("/api/v1/auth/local").status, 403);
}
