//! Sign-in links by mail.

use std::time::{Duration, Instant};

use galley_tests::accounts::{Core, Person};
use galley_tests::mail::MailSink;
use galley_tests::prelude::*;

const ASK: &str = "/api/v1/auth/magic-link";

/// A server that sends its mail to a mail server.
fn mailing() -> (Server, MailSink) {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    (server, sink)
}

fn ask(server: &Server, email: &str) -> Response {
    server.anonymous().post(ASK, json!({ "email": email }))
}

#[test]
fn the_link_in_the_mail_signs_in_once() {
    let (server, sink) = mailing();
    ask(&server, " Ed@Example.COM ").expect(202);
    let mail = sink.mail_to("ed@example.com");
    let link = mail.link("/auth/signin/");
    assert!(
        mail.text().contains(&format!("{}{link}", server.url())),
        "the link is absolute: {}",
        mail.text()
    );
    let page = server.anonymous().open(&link).expect(200);
    assert!(page.text().contains("ed@example.com") && page.all("set-cookie").is_empty());
    server.anonymous().head(&link).expect(200);
    let ed = server.signed_in_by(&server.anonymous().submit(&link, "").expect(303));
    assert_eq!(ed.get("/api/v1/me").expect(200).json()["user"]["id"], "account-ed");
    server.anonymous().submit(&link, "").expect(404);
    assert_eq!(sink.mails().len(), 1);
}

#[test]
fn the_answer_is_the_same_whether_or_not_the_address_is_known() {
    let (mut server, sink) = mailing();
    server.edit(|core| core.remove(Person::named("vera")));
    let known = ask(&server, "ed@example.com").expect(202);
    let page = |email: &str| {
        server
            .anonymous()
            .submit(ASK, &format!("email={email}"))
            .expect(202)
            .comparable()
    };
    let known_page = page("ed%40example.com");
    for email in ["nobody@example.net", "vera@example.com"] {
        assert_eq!(ask(&server, email).expect(202).comparable(), known.comparable());
        assert_eq!(page(&email.replace('@', "%40")), known_page);
    }
    assert!(known_page.contains("15 minutes"), "{known_page}");
    ask(&server, "eve@example.com").expect(202);
    sink.mail_to("eve@example.com");
    let others: Vec<_> = sink
        .mails()
        .into_iter()
        .filter(|mail| mail.to != "ed@example.com")
        .collect();
    assert_eq!(
        others.len(),
        1,
        "no mail goes to strangers and to removed accounts: {others:?}"
    );
}

#[test]
fn the_time_of_the_answer_tells_nothing() {
    let (server, _sink) = mailing();
    for email in ["ed@example.com", "nobody@example.net"] {
        let started = Instant::now();
        ask(&server, email).expect(202);
        // What is done for a known address takes a few milliseconds, far below what everybody waits.
        assert!(
            started.elapsed() >= Duration::from_millis(390),
            "{email}: {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn who_was_invited_gets_a_link_that_redeems_the_invite() {
    let (mut server, sink) = mailing();
    server.edit(|core| core.invite("nia@example.net", "editor", "invite"));
    ask(&server, "nia@example.net").expect(202);
    let link = sink.mail_to("nia@example.net").link("/auth/signin/");
    let nia = server.signed_in_by(&server.anonymous().submit(&link, "").expect(303));
    assert_eq!(nia.get("/api/v1/me").expect(200).json()["user"]["role"], "editor");
    server.anonymous().submit("/api/v1/auth/invite/invite", "").expect(404);
}

#[test]
fn whose_invite_is_revoked_meanwhile_stays_outside() {
    let (mut server, sink) = mailing();
    server.edit(|core| core.invite("nia@example.net", "editor", "invite"));
    ask(&server, "nia@example.net").expect(202);
    let link = sink.mail_to("nia@example.net").link("/auth/signin/");
    server.edit(Core::revoke_invites);
    let page = server.anonymous().submit(&link, "").expect(403);
    assert!(page.text().contains("invite-only") && page.all("set-cookie").is_empty());
    server.anonymous().submit(&link, "").expect(404);
}

#[test]
fn a_link_is_too_old_after_a_quarter_of_an_hour() {
    let (mut server, sink) = mailing();
    ask(&server, "ed@example.com").expect(202);
    let link = sink.mail_to("ed@example.com").link("/auth/signin/");
    server.edit(Core::expire_links);
    server.anonymous().open(&link).expect(404);
    server.anonymous().submit(&link, "").expect(404);
}

#[test]
fn where_one_wanted_to_go_goes_along() {
    let (server, sink) = mailing();
    server
        .anonymous()
        .submit(ASK, "email=ed%40example.com&to=%2Fp%2Fshop%2F%3Fa%3Db")
        .expect(202);
    let link = sink.mail_to("ed@example.com").link("/auth/signin/");
    let answer = server.anonymous().submit(&link, "").expect(303);
    assert_eq!(answer.header("location"), Some("/p/shop/?a=b"));
    server
        .anonymous()
        .submit(ASK, "email=ed%40example.com&to=https%3A%2F%2Fevil.example")
        .expect(202);
    let mail = sink.wait_for(2).remove(1);
    assert!(!mail.text().contains("evil"), "{}", mail.text());
}

#[test]
fn an_address_that_is_none_is_a_400() {
    let (server, sink) = mailing();
    let bad = [
        "",
        "ed",
        "@example.com",
        "ed@",
        "a@b@c",
        "ed@example.com\r\nBcc: eve@example.com",
        "ed@example.com,eve@example.com",
    ];
    for email in bad {
        let message = ask(&server, email).expect(400).error();
        assert!(message.contains("`email`"), "{message}");
    }
    server
        .anonymous()
        .post(ASK, json!({ "email": ["ed@example.com"] }))
        .expect(400)
        .error();
    server.anonymous().post(ASK, json!([])).expect(400).error();
    let page = server.anonymous().submit(ASK, "email=ed").expect(400);
    assert!(page.text().contains("id=\"email-error\""), "{}", page.text());
    assert_eq!(sink.mails().len(), 0);
}

#[test]
fn asking_is_limited_for_each_client() {
    let (server, _sink) = mailing();
    let client = server.anonymous().at([127, 0, 0, 9]);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..20)
            .map(|number| {
                let client = &client;
                scope.spawn(move || {
                    client
                        .post(ASK, json!({ "email": format!("p{number}@example.net") }))
                        .status
                })
            })
            .collect();
        tries.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(
        statuses.iter().filter(|status| **status == 202).count(),
        10,
        "{statuses:?}"
    );
    let refused = client.post(ASK, json!({ "email": "ed@example.com" })).expect(429);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    ask(&server, "ed@example.com").expect(202);
}

#[test]
fn a_mailbox_is_not_filled_by_somebody_elses_asking() {
    let (server, sink) = mailing();
    for client in 1..=8 {
        let client = server.anonymous().at([127, 0, 1, client]);
        client.post(ASK, json!({ "email": "ed@example.com" })).expect(202);
    }
    ask(&server, "eve@example.com").expect(202);
    sink.mail_to("eve@example.com");
    let mails = sink.mails_to("ed@example.com");
    assert_eq!(mails.len(), 5);
    // Each of them works: asking again does not take the first one away.
    for mail in mails {
        server.anonymous().submit(&mail.link("/auth/signin/"), "").expect(303);
    }
}

#[test]
fn without_mail_it_is_not_available() {
    let server = Server::start();
    let message = ask(&server, "ed@example.com").expect(503).error();
    assert!(message.contains("sends no mail"), "{message}");
    let page = server.anonymous().submit(ASK, "email=ed%40example.com").expect(503);
    assert!(page.text().contains("<h1>"));
    server.anonymous().get(ASK).expect(405);
}

#[test]
fn a_form_of_another_site_asks_for_nothing() {
    let (server, sink) = mailing();
    let foreign = server
        .anonymous()
        .form(ASK, "email=ed%40example.com")
        .header("origin", "http://evil.example");
    foreign.send().expect(403);
    ask(&server, "eve@example.com").expect(202);
    sink.mail_to("eve@example.com");
    assert_eq!(sink.mails_to("ed@example.com").len(), 0);
}

#[test]
fn the_token_stands_in_no_file_and_in_no_log() {
    let sink = MailSink::start();
    let mut server = sink.serves(Server::build()).env("SERVICE_LOG", "debug").start();
    ask(&server, "ed@example.com").expect(202);
    let link = sink.mail_to("ed@example.com").link("/auth/signin/");
    server.anonymous().open(&link).expect(200);
    let token = link.rsplit('/').next().unwrap().to_owned();
    assert_eq!(token.len(), 43, "256 bits");
    server.stop();
    assert!(!server.core().dump().contains(&token));
    assert!(!server.log().contains(&token), "{}", server.log());
}

#[test]
fn html_is_for_who_asks_for_it() {
    let (server, _sink) = mailing();
    let send = |accept: Option<&str>, form: &str| {
        let mut request = server.anonymous().request("POST", ASK);
        if let Some(accept) = accept {
            request = request.header("accept", accept);
        }
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let answer = request.body(form).send();
        let kind = answer.header("content-type").unwrap_or_default();
        (answer.status, kind.split(';').next().unwrap_or_default().to_owned())
    };
    for accept in [
        None,
        Some("*/*"),
        Some("application/json"),
        Some("application/json, text/html;q=0.9"),
    ] {
        let json = "application/json".to_owned();
        assert_eq!(send(accept, "email=nobody"), (400, json.clone()), "{accept:?}");
        assert_eq!(send(accept, ""), (400, json.clone()), "{accept:?}");
    }
    assert_eq!(send(Some("*/*"), "email=ed%40example.com").1, "application/json");
    let browser = Some("text/html,application/xhtml+xml,*/*;q=0.8");
    assert_eq!(send(browser, "email=nobody"), (400, "text/html".to_owned()));
}
