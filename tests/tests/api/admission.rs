//! Who is admitted after proving to own an address: the five grounds, in their order.

use galley_tests::accounts::{Core, Person};
use galley_tests::prelude::*;

/// Proves to own an address, by a link that was mailed to it.
fn sign_in(server: &mut Server, email: &str) -> Response {
    server.edit(|core| core.magic_link(email, &token(email)));
    server
        .anonymous()
        .submit(&format!("/api/v1/auth/signin/{}", token(email)), "")
}

fn token(email: &str) -> String {
    format!("{:-<43}", email.replace(['@', '.'], "-"))
}

#[track_caller]
fn role(server: &Server, answer: Response) -> String {
    let me = server
        .signed_in_by(&answer.expect(303))
        .get("/api/v1/me")
        .expect(200)
        .json();
    me["user"]["role"].as_str().unwrap().to_owned()
}

#[test]
fn an_existing_account_is_admitted_first_whatever_else_would_give() {
    let mut server = Server::start();
    server.edit(|core| {
        core.invite("ed@example.com", "admin", "invite");
        core.domain_rule("example.com", "admin");
    });
    let answer = sign_in(&mut server, "ed@example.com");
    assert_eq!(role(&server, answer), "editor");
    server.stop();
    assert!(!server.core().is_used("invite"), "it was not needed");
}

#[test]
fn a_valid_invite_for_exactly_that_address_is_second_and_becomes_used() {
    let mut server = Server::build().fresh().start();
    server.edit(|core| core.invite("nia@example.net", "editor", "invite"));
    // Even on an instance without accounts, whose first one would be an admin.
    let answer = sign_in(&mut server, "nia@example.net");
    assert_eq!(role(&server, answer), "editor");
    server.stop();
    assert!(server.core().is_used("invite"));
    server.again();
    sign_in(&mut server, "nia2@example.net").expect(403);
}

#[test]
fn an_invite_that_expired_or_was_revoked_admits_nobody() {
    let mut server = Server::start();
    server.edit(|core| core.invite("nia@example.net", "editor", "invite"));
    server.edit(Core::expire_links);
    sign_in(&mut server, "nia@example.net").expect(403);
    server.edit(|core| {
        core.invite("bo@example.net", "editor", "revoked");
        core.revoke_invites();
    });
    sign_in(&mut server, "bo@example.net").expect(403);
}

#[test]
fn the_first_account_of_a_new_instance_is_an_admin() {
    let mut server = Server::build()
        .fresh()
        .env("SERVICE_ALLOWED_EMAIL_DOMAINS", "example.net")
        .start();
    let answer = sign_in(&mut server, "ana@example.net");
    assert_eq!(role(&server, answer), "admin");
    let answer = sign_in(&mut server, "bo@example.net");
    assert_eq!(role(&server, answer), "viewer", "the second one has its domain's role");
    sign_in(&mut server, "cy@example.org").expect(403);
}

#[test]
fn two_at_once_do_not_both_become_the_first_admin() {
    let mut server = Server::build().fresh().start();
    let people: Vec<String> = (0..8).map(|number| format!("p{number}@example.net")).collect();
    server.edit(|core| people.iter().for_each(|email| core.magic_link(email, &token(email))));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = people
            .iter()
            .map(|email| {
                let link = format!("/api/v1/auth/signin/{}", token(email));
                let server = &server;
                scope.spawn(move || server.anonymous().submit(&link, "").status)
            })
            .collect();
        tries.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 303).count(),
        1,
        "{statuses:?}"
    );
    server.stop();
    let core = server.core();
    let admins = people.iter().flat_map(|email| core.roles(email)).collect::<Vec<_>>();
    assert_eq!(admins, ["admin"]);
}

#[test]
fn a_domain_rule_is_last_and_means_the_whole_domain() {
    let mut server = Server::start();
    server.edit(|core| core.domain_rule("example.net", "editor"));
    let answer = sign_in(&mut server, "nia@example.net");
    assert_eq!(role(&server, answer), "editor");
    for stranger in ["nia@sub.example.net", "nia@notexample.net", "nia@example.net.evil.org"] {
        sign_in(&mut server, stranger).expect(403);
    }
    server.edit(|core| core.invite("bo@example.net", "admin", "invite"));
    let answer = sign_in(&mut server, "bo@example.net");
    assert_eq!(role(&server, answer), "admin", "an invite goes before the rule");
}

#[test]
fn everybody_else_gets_the_invite_only_page_and_no_account() {
    let mut server = Server::start();
    let page = sign_in(&mut server, "eve@example.net").expect(403);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert!(
        page.text().contains("invite-only") && page.text().contains("admin"),
        "{}",
        page.text()
    );
    assert!(page.all("set-cookie").is_empty());
    server.edit(|core| core.magic_link("eve@example.net", "for-a-program"));
    let refused = server.anonymous().post("/api/v1/auth/signin/for-a-program", json!({}));
    assert!(refused.expect(403).error().contains("invite-only"));
    server.stop();
    assert_eq!(server.core().roles("eve@example.net"), Vec::<String>::new());
}

#[test]
fn a_removed_account_is_refused_even_where_a_rule_would_admit_its_address() {
    let mut server = Server::start();
    server.edit(|core| {
        core.domain_rule("example.com", "admin");
        core.remove(Person::named("vic"));
    });
    sign_in(&mut server, "vic@example.com").expect(403);
    server.stop();
    assert_eq!(server.core().roles("vic@example.com"), ["viewer"]);
}
