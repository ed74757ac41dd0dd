//! Who may call the local API: the interface's own origin, and nobody else.

use galley_editor_tests::{Editor, Repository, attached, stamping};
use galley_harness::http::{Request, Response};
use serde_json::json;

const ROUTES: [(&str, &str); 15] = [
    ("GET", "/api/editor/state"),
    ("POST", "/api/editor/state"),
    ("POST", "/api/editor/edit"),
    ("POST", "/api/editor/undo"),
    ("POST", "/api/editor/reading"),
    ("PUT", "/api/editor/file"),
    ("GET", "/api/editor/events"),
    ("POST", "/api/git/commit"),
    ("POST", "/api/project/link"),
    ("GET", "/api/editor/canvas/picture?page=/&width=390"),
    ("POST", "/api/editor/plans/Home/run"),
    ("PUT", "/api/settings"),
    ("OPTIONS", "/api/editor/edit"),
    ("GET", "/api/no/such/route"),
    ("GET", "/api"),
];

#[track_caller]
fn refused(editor: &Editor, answer: Response) {
    let answer = answer.expect(403);
    let reason = format!("Invalid Origin (expected {})", editor.origin());
    assert_eq!(
        answer.json(),
        json!({ "ok": false, "reason": reason }),
        "{}",
        answer.request
    );
    let allowed = answer
        .headers
        .iter()
        .any(|(name, _)| name.starts_with("access-control-"));
    assert!(!allowed, "{}", answer.head);
}

#[test]
fn every_route_wants_the_interfaces_own_origin() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let port = editor.address.port();
    let origins = [
        format!("http://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("HTTP://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "http://127.0.0.1".to_owned(),
        "null".to_owned(),
        "https://example.com".to_owned(),
        String::new(),
    ];
    for (method, path) in ROUTES {
        let request = editor.request(method, path);
        refused(&editor, request.clone().without("origin").send());
        for origin in &origins {
            refused(&editor, request.clone().header("origin", origin.as_str()).send());
        }
        let mut twice = request;
        twice.headers.push(("origin".into(), editor.origin()));
        refused(&editor, twice.send());
    }
}

#[test]
fn a_foreign_host_is_refused_whatever_the_origin() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let port = editor.address.port();
    for host in [
        format!("localhost:{port}"),
        format!("example.com:{port}"),
        "127.0.0.1".to_owned(),
    ] {
        let request = editor.request("POST", "/api/editor/state").header("host", host);
        refused(&editor, request.send());
    }
}

#[test]
fn the_right_origin_is_served_without_headers_that_would_let_others_in() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let answer = editor.ask("/api/editor/state").expect(200);
    assert!(
        !answer.head.to_lowercase().contains("access-control-"),
        "{}",
        answer.head
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[test]
fn the_interface_opened_under_another_name_leads_to_its_own() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let port = editor.address.port();
    let request = Request::new(editor.address, "GET", "/settings?a=b").header("host", format!("localhost:{port}"));
    let answer = request.send().expect(307);
    assert_eq!(
        answer.header("location"),
        Some(&*format!("{}/settings?a=b", editor.origin()))
    );
}

#[test]
fn the_stamp_endpoint_wants_the_runs_secret_and_tells_nothing_without() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let app = repository.read("src/App.tsx");
    let body = stamping::body([("src/App.tsx", &*app)]);
    for request in [
        editor.request("POST", "/__stamp"),
        editor.request("POST", "/__stamp").header("x-galley-token", ""),
        editor
            .request("POST", "/__stamp")
            .header("x-galley-token", "0".repeat(64)),
    ] {
        let answer = request.body(body.clone()).send().expect(403);
        assert_eq!(answer.json()["ok"], json!(false));
        assert!(!answer.text().contains("App"), "{}", answer.text());
    }
}
