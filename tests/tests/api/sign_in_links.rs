//! One-time sign-in links, which an admin makes for an account.

use galley_tests::accounts::{Core, Person};
use galley_tests::prelude::*;

const TOKEN: &str = "the-token-of-a-sign-in-link-in-a-test-00000";
const LINK: &str = "/api/v1/auth/signin/the-token-of-a-sign-in-link-in-a-test-00000";

/// A server that made a link for the editor Ed.
fn linking() -> Server {
    let mut server = Server::start();
    server.edit(|core| core.sign_in_link(Person::named("ed"), TOKEN));
    server
}

fn me(caller: &Client) -> Value {
    caller.get("/api/v1/me").expect(200).json()["user"].clone()
}

#[test]
fn opening_the_link_shows_whose_it_is_and_spends_nothing() {
    let server = linking();
    for _ in 0..3 {
        let page = server.anonymous().open(LINK).expect(200);
        assert!(page.text().contains("ed@example.com") && page.text().contains("<form method=\"post\""));
        assert!(page.all("set-cookie").is_empty());
        server.anonymous().head(LINK).expect(200);
    }
    server.anonymous().submit(LINK, "").expect(303);
}

#[test]
fn redeeming_signs_in_once() {
    let mut server = linking();
    let statuses: Vec<Response> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| server.anonymous().submit(LINK, "")))
            .collect();
        tries.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = statuses.into_iter().partition(|answer| answer.status == 303);
    assert_eq!(won.len(), 1);
    assert!(
        lost.iter()
            .all(|answer| answer.status == 404 && answer.all("set-cookie").is_empty())
    );
    assert_eq!(won[0].header("location"), Some("/"));
    assert_eq!(me(&server.signed_in_by(&won[0]))["id"], "account-ed");
    server.kill();
    server.again();
    server.anonymous().open(LINK).expect(404);
    server.anonymous().submit(LINK, "").expect(404);
    assert_eq!(me(&server.signed_in_by(&won[0]))["id"], "account-ed");
}

#[test]
fn links_that_do_not_work_answer_alike() {
    let mut server = linking();
    let unknown = server
        .anonymous()
        .open("/api/v1/auth/signin/unknown")
        .expect(404)
        .comparable();
    server.edit(Core::expire_links);
    assert_eq!(server.anonymous().open(LINK).expect(404).comparable(), unknown);
    let message = server.anonymous().post(LINK, json!({})).expect(404).error();
    assert!(message.contains("ask the sender for a new one"), "{message}");
}

#[test]
fn a_link_of_a_removed_account_signs_nobody_in() {
    let mut server = linking();
    server.edit(|core| core.remove(Person::named("ed")));
    server.anonymous().open(LINK).expect(404);
    assert!(
        server
            .anonymous()
            .submit(LINK, "")
            .expect(404)
            .all("set-cookie")
            .is_empty()
    );
}

#[test]
fn afterwards_one_goes_where_one_wanted_to_go_on_this_server_only() {
    let mut server = Server::start();
    let targets = [
        ("%2Fp%2Fshop%2F%3Fa%3Db", "/p/shop/?a=b"),
        ("%2F%2Fevil.example", "/"),
        ("https%3A%2F%2Fevil.example%2F", "/"),
        ("%2F%5Cevil.example", "/"),
        ("javascript%3Aalert(1)", "/"),
        ("%2Fa%0d%0aSet-Cookie%3A%20x%3Dy", "/"),
        ("%2F%09%2Fevil.example", "/"),
        ("", "/"),
    ];
    server.edit(|core| {
        for number in 0..targets.len() {
            core.sign_in_link(Person::named("ed"), &format!("link-{number}"));
        }
    });
    for (number, (to, expected)) in targets.into_iter().enumerate() {
        let link = format!("/api/v1/auth/signin/link-{number}?to={to}");
        let page = server.anonymous().open(&link).expect(200).text();
        assert!(!page.contains("evil") && !page.contains("javascript:"), "{page}");
        let answer = server.anonymous().submit(&link, "").expect(303);
        assert_eq!(answer.header("location"), Some(expected), "{to}");
        assert_eq!(answer.all("set-cookie").len(), 1);
    }
}

#[test]
fn a_form_that_ends_at_a_prototype_may_lead_to_its_own_origin() {
    let mut server = Server::build().env("SERVICE_SERVE_DOMAIN", "apps.localhost:9").start();
    server.edit(|core| core.sign_in_link(Person::named("ed"), TOKEN));
    let policy = |target: &str| {
        let page = server.anonymous().open(target).expect(200);
        page.header("content-security-policy").unwrap().to_owned()
    };
    assert!(
        policy(LINK).contains("form-action 'self' http://*.apps.localhost:9;"),
        "{}",
        policy(LINK)
    );
    assert!(policy("/sign-in").contains("form-action 'self';"));
}

#[test]
fn a_form_of_another_site_and_other_methods_redeem_nothing() {
    let server = linking();
    let foreign = server
        .anonymous()
        .form(LINK, "")
        .header("origin", "http://evil.example");
    assert!(foreign.send().expect(403).all("set-cookie").is_empty());
    for method in ["PUT", "PATCH", "DELETE"] {
        server.anonymous().request(method, LINK).send().expect(405);
    }
    server.anonymous().submit(LINK, "").expect(303);
}

#[test]
fn the_old_session_of_the_browser_ends() {
    let server = linking();
    let vic = server.user("vic");
    let answer = vic.submit(LINK, "").expect(303);
    assert_eq!(me(&server.signed_in_by(&answer))["id"], "account-ed");
    assert_eq!(me(&vic), Value::Null);
}
