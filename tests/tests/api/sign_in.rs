//! The first sign-in: a one-time link in the log of a new instance.

use galley_tests::prelude::*;
use galley_tests::server::{Build, session_cookie};

const FORM: &str = "email=Ana%40Example.com&displayName=Ana";

fn new_instance() -> Build {
    Server::build().fresh().without("SERVICE_ADMIN_TOKEN")
}

fn link(server: &Server) -> String {
    eventually("a one-time link in the log", || server.local_link())
}

fn submit(server: &Server, link: &str, form: &str) -> Response {
    let request = server.anonymous().request("POST", link).header("origin", server.url());
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form)
        .send()
}

#[test]
fn the_first_account_is_an_admin_and_is_signed_in() {
    let server = new_instance().start();
    let ana = server.local_operator();
    let me = ana.get("/api/v1/me").expect(200).json();
    assert_eq!(me["user"]["email"], "ana@example.com");
    assert_eq!(
        (&me["user"]["displayName"], &me["user"]["role"]),
        (&json!("Ana"), &json!("admin"))
    );
    assert_eq!(me["scopes"], Value::Null);
    project(&ana, "shop");
}

#[test]
fn the_link_is_absolute_and_opens_a_form() {
    let server = new_instance().start();
    let link = link(&server);
    assert!(
        server.log().contains(&format!("{}{link}", server.url())),
        "{}",
        server.log()
    );
    for _ in 0..2 {
        let page = server.anonymous().get(&link).expect(200);
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
        let html = page.text().to_lowercase();
        assert!(
            html.contains("<form") && html.contains("method=\"post\"") && html.contains("name=\"email\""),
            "{html}"
        );
        assert!(page.all("set-cookie").is_empty(), "looking at the page signs nobody in");
    }
    submit(&server, &link, FORM);
}

#[test]
fn the_form_is_opened_by_a_browser_as_a_document() {
    let server = new_instance().start();
    let request = server
        .anonymous()
        .request("GET", &link(&server))
        .header("sec-fetch-dest", "document");
    request.send().expect(200);
}

#[test]
fn the_session_cookie_is_guarded() {
    let server = new_instance().start();
    let answer = submit(&server, &link(&server), FORM);
    let cookie = answer.all("set-cookie").join("\n");
    assert!(session_cookie(&answer).starts_with("galley_session="), "{cookie}");
    let attributes = cookie.to_lowercase();
    for attribute in ["httponly", "samesite=lax", "path=/"] {
        assert!(attributes.contains(attribute), "{attribute} in {cookie}");
    }
    assert!(
        !attributes.contains("secure") && !attributes.contains("domain="),
        "{cookie}"
    );
    let days = attributes
        .split("max-age=")
        .nth(1)
        .and_then(|rest| rest.split(';').next())
        .map(str::trim);
    assert_eq!(days, Some("2592000"), "{cookie}");
}

#[test]
fn over_https_the_cookie_is_secure_and_bound_to_its_host() {
    let server = new_instance()
        .env("SERVICE_PUBLIC_URL", "https://galley.example")
        .start();
    let link = link(&server);
    let request = server
        .anonymous()
        .request("POST", &link)
        .header("origin", "https://galley.example")
        .body(FORM);
    let answer = request
        .header("content-type", "application/x-www-form-urlencoded")
        .send();
    let cookie = answer.all("set-cookie").join("\n");
    assert!(cookie.contains("__Host-galley_session="), "{cookie}");
    assert!(cookie.to_lowercase().contains("secure"), "{cookie}");
}

#[test]
fn the_link_works_once() {
    let server = new_instance().start();
    let link = link(&server);
    assert!(submit(&server, &link, FORM).status < 400);
    let again = submit(&server, &link, "email=eve%40example.com&displayName=Eve");
    assert!((400..500).contains(&again.status), "{}", again.head);
    assert!(again.all("set-cookie").is_empty());
    let later = server.anonymous().get(&link);
    assert!((400..500).contains(&later.status), "{}", later.head);
}

#[test]
fn the_link_is_in_the_log_whatever_its_filter_is() {
    for filter in ["warn", "off"] {
        let server = new_instance().env("SERVICE_LOG", filter).start();
        assert!(submit(&server, &link(&server), FORM).status < 400);
        let log = server.log();
        let others = log
            .lines()
            .filter(|line| line.contains(" INFO ") && !line.contains("/api/v1/auth/local?"));
        assert_eq!(others.count(), 0, "{log}");
    }
}

#[test]
fn two_people_with_the_link_make_one_account() {
    let server = new_instance().start();
    let link = link(&server);
    let winners = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..6)
            .map(|number| {
                let form = format!("email=p{number}%40example.com&displayName=P");
                let (server, link) = (&server, &link);
                scope.spawn(move || submit(server, link, &form).status < 400)
            })
            .collect();
        tries
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .filter(|won| *won)
            .count()
    });
    assert_eq!(winners, 1);
}

#[test]
fn a_wrong_link_is_refused() {
    let server = new_instance().start();
    let link = link(&server);
    let forged = [
        "/api/v1/auth/local".to_owned(),
        "/api/v1/auth/local?token=".to_owned(),
        "/api/v1/auth/local?token=wrong".to_owned(),
        format!("{}x", link),
        link[..link.len() - 1].to_owned(),
    ];
    for link in &forged {
        for answer in [submit(&server, link, FORM), server.anonymous().get(link)] {
            assert!(
                (400..500).contains(&answer.status),
                "{}: {}",
                answer.request,
                answer.head
            );
            assert!(answer.all("set-cookie").is_empty());
        }
    }
    assert!(
        submit(&server, &link, FORM).status < 400,
        "the real one was not spent by the wrong ones"
    );
}

#[test]
fn a_form_without_an_address_spends_nothing() {
    let server = new_instance().start();
    let link = link(&server);
    for form in [
        "",
        "displayName=Ana",
        "email=&displayName=Ana",
        "email=nonsense&displayName=Ana",
        "email=a%40b%40c&displayName=Ana",
    ] {
        let answer = submit(&server, &link, form);
        assert!((400..500).contains(&answer.status), "`{form}`: {}", answer.head);
    }
    assert!(submit(&server, &link, FORM).status < 400);
}

#[test]
fn the_link_is_for_callers_on_this_machine() {
    let server = new_instance().env("SERVICE_TRUSTED_PROXIES", "127.0.0.0/8").start();
    let link = link(&server);
    let request = server
        .anonymous()
        .request("POST", &link)
        .header("origin", server.url())
        .body(FORM);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let answer = request.clone().header("x-forwarded-for", "203.0.113.9").send();
    assert!((400..500).contains(&answer.status), "{}", answer.head);
    assert!(answer.all("set-cookie").is_empty());
    assert!(request.send().status < 400);
}

#[test]
fn a_form_of_another_site_signs_nobody_in() {
    let server = new_instance().start();
    let link = link(&server);
    let request = server
        .anonymous()
        .request("POST", &link)
        .header("origin", "http://evil.example")
        .body(FORM);
    let answer = request
        .header("content-type", "application/x-www-form-urlencoded")
        .send();
    assert!((400..500).contains(&answer.status), "{}", answer.head);
}

#[test]
fn with_code_host_sign_in_the_link_hands_off_to_it_and_makes_no_account_by_itself() {
    let server = new_instance()
        .env("SERVICE_CODEHOST_CLIENT_ID", "an-id")
        .env("SERVICE_CODEHOST_CLIENT_SECRET", "a-secret")
        .start();
    let link = link(&server);
    let token = link.split("token=").nth(1).unwrap();
    let there = format!("/api/v1/auth/codehost?operator={token}");
    for answer in [
        server.anonymous().open(&link),
        submit(&server, &link, FORM),
        server.anonymous().open(&link),
    ] {
        let answer = answer.expect(303);
        assert_eq!(answer.header("location"), Some(there.as_str()));
        assert!(answer.all("set-cookie").is_empty());
    }
    let elsewhere = server.anonymous().open("/api/v1/auth/local?token=wrong").expect(404);
    assert_eq!(elsewhere.header("location"), None);
}

#[test]
fn the_form_keeps_what_was_typed_and_names_the_wrong_field() {
    let server = new_instance().start();
    let link = link(&server);
    let answer = server
        .anonymous()
        .submit(&link, "email=nonsense&displayName=Ana")
        .expect(400);
    let html = answer.text();
    assert!(
        html.contains("value=\"nonsense\"") && html.contains("value=\"Ana\""),
        "{html}"
    );
    assert!(
        html.contains("id=\"email-error\"") && !html.contains("id=\"name-error\""),
        "{html}"
    );
    let message = server
        .anonymous()
        .post(&link, json!({ "email": "a@b.org", "displayName": "x\ny" }));
    assert!(message.expect(400).error().contains("`displayName`"));
}

#[test]
fn there_is_no_link_with_an_admin_token_or_with_accounts() {
    let mut server = Server::build().fresh().start();
    server.anonymous().get("/api/v1/health").expect(200);
    assert_eq!(server.local_link(), None);
    drop(server);
    server = Server::build().without("SERVICE_ADMIN_TOKEN").start();
    server.anonymous().get("/api/v1/health").expect(200);
    assert_eq!(server.local_link(), None);
    server.anonymous().get("/api/v1/auth/local?token=x").expect(404);
}

#[test]
fn every_start_has_a_link_of_its_own() {
    let mut server = new_instance().start();
    let first = link(&server);
    server.stop();
    server.again();
    let second = link(&server);
    assert_ne!(first, second);
    let answer = submit(&server, &first, FORM);
    assert!((400..500).contains(&answer.status), "{}", answer.head);
}

#[test]
fn only_hashes_of_links_and_sessions_are_stored() {
    let mut server = new_instance().start();
    let link = link(&server);
    let secret = link.split("token=").nth(1).unwrap().to_owned();
    let ana = server.local_operator();
    let session = ana.secret().split('=').nth(1).unwrap().to_owned();
    server.stop();
    let dump = server.core().dump();
    assert!(dump.contains("ana@example.com"));
    assert!(!dump.contains(&secret), "the link stands in core.db");
    assert!(!dump.contains(&session), "the session stands in core.db");
    assert!(!server.log().contains(&session), "the session stands in the log");
}
