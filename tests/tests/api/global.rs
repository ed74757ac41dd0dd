//! Health and the global rules of `/api/v1`.

use galley_tests::prelude::*;

const AS_DOCUMENT: &str = "This endpoint may not be loaded as a document.";

#[test]
fn health_needs_no_credential() {
    let server = Server::start();
    let health = server.anonymous().get("/api/v1/health").expect(200).json();
    assert_eq!(health["status"], "ok");
    assert!(health.as_object().unwrap().contains_key("profile"), "{health}");
}

#[test]
fn health_names_the_profile() {
    let server = Server::build().env("SERVICE_PROFILE", "selfhost").start();
    assert_eq!(
        server.anonymous().get("/api/v1/health").expect(200).json()["profile"],
        "selfhost"
    );
}

#[test]
fn a_document_fetch_is_refused_on_every_route() {
    let server = Server::start();
    let project = project(&server.user("ed"), "shop");
    let routes = [
        "/api/v1/health".to_owned(),
        "/api/v1/me".to_owned(),
        "/api/v1/projects".to_owned(),
        format!("/api/v1/projects/{project}"),
        format!("/api/v1/projects/{project}/members"),
        format!("/api/v1/projects/{project}/comments"),
        format!("/api/v1/projects/{project}/comments/stream"),
        format!("/api/v1/projects/{project}/deployments"),
        "/api/v1/projects/no-such-project".to_owned(),
    ];
    for route in &routes {
        for destination in ["document", "iframe", "frame", "fencedframe", "embed", "object"] {
            let request = server
                .user("ed")
                .request("GET", route)
                .header("sec-fetch-dest", destination);
            request.send().refused(403, AS_DOCUMENT);
        }
    }
}

#[test]
fn a_document_fetch_is_refused_before_anything_happens() {
    let server = Server::start();
    let request = server
        .user("ed")
        .request("POST", "/api/v1/projects")
        .header("sec-fetch-dest", "document");
    request
        .json(&json!({ "slug": "shop", "name": "Shop" }))
        .send()
        .refused(403, AS_DOCUMENT);
    assert_eq!(
        server.admin().get("/api/v1/projects").expect(200).json()["projects"],
        json!([])
    );
}

#[test]
fn a_fetch_by_a_script_is_no_document_fetch() {
    let server = Server::start();
    for destination in ["empty", "script", "image"] {
        server
            .anonymous()
            .request("GET", "/api/v1/health")
            .header("sec-fetch-dest", destination)
            .send()
            .expect(200);
    }
    let request = server
        .anonymous()
        .request("GET", "/api/v1/health")
        .header("referer", "http://elsewhere.example/");
    request.send().expect(200);
}

#[test]
fn an_unknown_path_is_a_json_404() {
    let server = Server::start();
    for path in [
        "/api/v1/nothing",
        "/api/v1",
        "/api/v1/",
        "/api/v1/projects/a/b/c/d",
        "/api/v1/nothing.html",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let request = server.user("ada").request(method, path).header("accept", "text/html");
            let answer = request.send().expect(404);
            assert!(!answer.error().is_empty());
        }
    }
}

#[test]
fn a_project_is_found_by_id_only() {
    let server = Server::start();
    let ed = server.user("ed");
    let id = project(&ed, "shop");
    assert_ne!(id, "shop");
    ed.get(&format!("/api/v1/projects/{id}")).expect(200);
    let by_slug = ed.get("/api/v1/projects/shop").expect(404);
    assert_eq!(by_slug.comparable(), ed.get("/api/v1/projects/none").comparable());
    ed.get("/api/v1/projects/shop/comments").expect(404);
}

#[test]
fn a_method_that_a_path_does_not_have_is_a_405_that_names_the_others() {
    let server = Server::start();
    let project = project(&server.user("ed"), "shop");
    let cases = [
        ("POST", "/api/v1/health".to_owned(), "GET"),
        ("PUT", "/api/v1/projects".to_owned(), "POST"),
        ("PUT", format!("/api/v1/projects/{project}"), "PATCH"),
        ("PUT", format!("/api/v1/projects/{project}/comments"), "POST"),
        ("DELETE", format!("/api/v1/projects/{project}/deployments"), "POST"),
        ("GET", "/api/v1/auth/logout".to_owned(), "POST"),
    ];
    for (method, path, allowed) in cases {
        let answer = server.user("ed").request(method, &path).send().expect(405);
        assert!(!answer.error().is_empty());
        let allow = answer.header("allow").unwrap_or_default().to_owned();
        assert!(
            allow.split(',').any(|name| name.trim() == allowed),
            "{method} {path}: `Allow: {allow}`"
        );
        assert!(
            !allow.split(',').any(|name| name.trim() == method),
            "{method} {path}: `Allow: {allow}`"
        );
    }
}

#[test]
fn a_get_route_answers_head() {
    let server = Server::start();
    let project = project(&server.user("ed"), "shop");
    for path in [
        "/api/v1/health".to_owned(),
        format!("/api/v1/projects/{project}/comments"),
    ] {
        let get = server.user("ed").get(&path).expect(200);
        let head = server.user("ed").head(&path).expect(200);
        assert!(head.body.is_empty());
        assert_eq!(head.header("content-type"), get.header("content-type"));
        assert_eq!(head.header("content-length"), get.header("content-length"));
    }
}

#[test]
fn a_body_over_one_mebibyte_is_a_413() {
    let server = Server::start();
    let ed = server.user("ed");
    let project = project(&ed, "shop");
    let long = "x".repeat((1 << 20) + 1);
    for path in [
        "/api/v1/projects".to_owned(),
        comments(&project),
        "/api/v1/tokens".to_owned(),
    ] {
        let answer = ed
            .post(&path, json!({ "name": long, "slug": "aa", "body": long }))
            .expect(413);
        assert!(!answer.error().is_empty());
    }
    healthy(&server);
}

#[test]
fn a_body_of_nearly_one_mebibyte_is_read() {
    let server = Server::start();
    let filler = "x".repeat((1 << 20) - 200);
    let body = json!({ "slug": "shop", "name": "Shop", "unknown": filler });
    server.user("ed").post("/api/v1/projects", body).expect(201);
}

#[test]
fn unknown_fields_are_ignored_and_a_wrong_type_names_its_field() {
    let server = Server::start();
    let ed = server.user("ed");
    let project = project(&ed, "shop");
    ed.post(
        "/api/v1/projects",
        json!({ "slug": "bb", "name": "B", "colour": "red" }),
    )
    .expect(201);
    let error = ed
        .post("/api/v1/projects", json!({ "slug": "cc", "name": 5 }))
        .expect(400)
        .error();
    assert!(error.contains("name"), "{error}");
    let error = ed
        .post(&comments(&project), json!({ "body": ["a"], "position": {} }))
        .expect(400)
        .error();
    assert!(error.contains("body") || error.contains("position"), "{error}");
}

#[test]
fn every_answer_carries_a_request_id_of_its_own() {
    let server = Server::start();
    let ids = ["/api/v1/health", "/api/v1/nothing", "/p/nothing/"].map(|path| {
        let answer = server.anonymous().get(path);
        answer
            .header("x-request-id")
            .unwrap_or_else(|| panic!("{path}: {}", answer.head))
            .to_owned()
    });
    assert!(ids[0] != ids[1] && ids[1] != ids[2], "{ids:?}");
}

#[test]
fn crawlers_are_sent_away_and_browsers_get_an_icon() {
    let server = Server::start();
    let robots = server.anonymous().get("/robots.txt").expect(200);
    assert_eq!(robots.text(), "User-agent: *\nDisallow: /\n");
    assert!(robots.header("content-type").unwrap().starts_with("text/plain"));
    let icon = server.anonymous().get("/favicon.ico").expect(200);
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
    server.anonymous().head("/favicon.ico").expect(200);
}

#[test]
fn in_path_mode_a_prototypes_own_icon_comes_first() {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    upload(
        &server.user("ed"),
        &shop,
        &Bundle::page("<p>x").file("favicon.ico", "its own icon"),
    );
    let none = project(&server.user("ed"), "none");
    upload(&server.user("ed"), &none, &Bundle::page("<p>x"));
    let asked_from = |page: &str| {
        let request = server.user("ed").request("GET", "/favicon.ico");
        let request = request
            .header("referer", format!("{}{page}", server.url()))
            .header("sec-fetch-dest", "image");
        request.send().expect(200).text()
    };
    assert_eq!(asked_from("/p/shop/"), "its own icon");
    assert!(asked_from("/p/none/").contains("<svg"));
    assert!(asked_from("/").contains("<svg"));
    // A prototype does not speak to crawlers for the whole server.
    upload(
        &server.user("ed"),
        &shop,
        &Bundle::page("<p>x").file("robots.txt", "User-agent: *\nAllow: /\n"),
    );
    let request = server.user("ed").request("GET", "/robots.txt");
    let robots = request
        .header("referer", format!("{}/p/shop/", server.url()))
        .send()
        .expect(200);
    assert!(robots.text().contains("Disallow: /"));
}
