//! What people change about themselves: their name, their sessions, their mails.

use galley_tests::accounts::Person;
use galley_tests::mail::MailSink;
use galley_tests::prelude::*;

const ME: &str = "/api/v1/me";
const SESSIONS: &str = "/api/v1/me/sessions";
const MAIL: &str = "/api/v1/me/mail";

fn sessions(caller: &Client) -> Vec<Value> {
    let answer = caller.get(SESSIONS).expect(200).json();
    answer["sessions"].as_array().expect("a list").clone()
}

#[test]
fn people_change_their_own_name() {
    let server = Server::start();
    let ed = server.user("ed");
    let me = ed.patch(ME, json!({ "displayName": "  Edda Ñ  " })).expect(200).json();
    assert_eq!(me["user"]["displayName"], "Edda Ñ");
    assert_eq!(me, ed.get(ME).expect(200).json());
    let token = server.token("ed", &["write"]);
    token.patch(ME, json!({ "displayName": "Ed" })).expect(200);
    assert_eq!(
        server.token("ed", &["read"]).get(ME).expect(200).json()["user"]["displayName"],
        "Ed"
    );
    let shop = project(&ed, "shop");
    assert_eq!(comment(&ed, &shop, "Hello")["author"]["displayName"], "Ed");
}

#[test]
fn a_name_is_one_plain_line_and_needs_a_person_who_may_write() {
    let server = Server::start();
    let ed = server.user("ed");
    for name in ["", "  ", "a\nb", "\u{202e}de", &"é".repeat(101)] {
        assert!(
            ed.patch(ME, json!({ "displayName": name }))
                .expect(400)
                .error()
                .contains("`displayName`")
        );
    }
    for body in [json!({}), json!({ "displayName": 5 }), json!({ "displayName": null })] {
        ed.patch(ME, body).expect(400);
    }
    let body = || json!({ "displayName": "Mallory" });
    server.anonymous().patch(ME, body()).expect(401);
    server.admin().patch(ME, body()).expect(403);
    server.token("ed", &["read"]).patch(ME, body()).expect(403);
    assert_eq!(ed.get(ME).expect(200).json()["user"]["displayName"], "ed");
}

#[test]
fn sessions_are_listed_with_browser_and_time() {
    let mut server = Server::start();
    server.edit(|core| core.sign_in_link(Person::named("ed"), "a-link-of-ed"));
    let request = server.anonymous().form("/api/v1/auth/signin/a-link-of-ed", "");
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    let answer = request.header("user-agent", firefox).send().expect(303);
    let browser = server.signed_in_by(&answer);
    let listed = sessions(&browser);
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert_eq!(
        (&listed[0]["browser"], &listed[0]["current"]),
        (&json!("Firefox on Linux"), &json!(true))
    );
    // The harness made the other one, which has no browser.
    assert_eq!(
        (&listed[1]["browser"], &listed[1]["current"]),
        (&Value::Null, &json!(false))
    );
    let (created, seen) = (text(&listed[0], "createdAt"), text(&listed[0], "lastSeenAt"));
    assert!(seconds_between(&created, &seen).abs() < 5, "{created} {seen}");
    let seen_by_other = sessions(&server.user("ed"));
    assert_eq!(
        (&seen_by_other[0]["current"], &seen_by_other[0]["id"]),
        (&json!(true), &listed[1]["id"])
    );
    assert_eq!(sessions(&server.user("eve")).len(), 1);
    let all = json!(listed).to_string();
    assert!(
        !all.contains(browser.secret().split('=').nth(1).unwrap()),
        "a session's secret is told"
    );
}

#[test]
fn a_session_is_ended_from_another_one() {
    let mut server = Server::start();
    server.edit(|core| core.add_session(Person::named("ed"), "eds-telephone"));
    let ed = server.user("ed");
    let telephone = Client::new(
        server.address(),
        galley_tests::client::Credential::Cookie("galley_session=eds-telephone".into()),
    );
    assert_eq!(telephone.get(ME).expect(200).json()["user"]["email"], "ed@example.com");
    let listed = sessions(&ed);
    let other = listed.iter().find(|session| session["current"] == false).unwrap();
    let path = format!("{SESSIONS}/{}", id(other));
    server.user("eve").delete(&path).refused(404, "Session not found");
    assert!(ed.delete(&path).expect(204).all("set-cookie").is_empty());
    ed.delete(&path).refused(404, "Session not found");
    assert_eq!(telephone.get(ME).expect(200).json()["user"], Value::Null);
    let own = format!("{SESSIONS}/{}", id(&sessions(&ed)[0]));
    let cookies = ed.delete(&own).expect(204).all("set-cookie").join("\n").to_lowercase();
    assert!(cookies.contains("max-age=0"), "{cookies}");
    assert_eq!(ed.get(ME).expect(200).json()["user"], Value::Null);
}

#[test]
fn sessions_are_for_browsers() {
    let server = Server::start();
    for (caller, status) in [
        (server.anonymous(), 401),
        (server.admin(), 403),
        (server.token("ed", &["read", "write"]), 403),
    ] {
        caller.get(SESSIONS).expect(status);
        caller.delete(&format!("{SESSIONS}/x")).expect(status);
    }
}

#[test]
fn mails_about_mentions_are_switched_off_and_on() {
    let sink = MailSink::start();
    let server = sink
        .serves(Server::build())
        .env("SERVICE_UNSUBSCRIBE_SECRET", "a-secret-for-unsubscribe-links")
        .start();
    let (ed, vic) = (server.user("ed"), server.user("vic"));
    assert_eq!(
        vic.get(MAIL).expect(200).json(),
        json!({ "mentions": true, "configured": true })
    );
    let shop = project(&ed, "shop");
    let participants = format!("/api/v1/projects/{shop}/participants");
    let mention = |email: &str, words: &str| {
        let person = ed.post(&participants, json!({ "email": email })).json()["id"].clone();
        let mut body = remark(words);
        body["mentions"] = json!([person]);
        ed.post(&comments(&shop), body).expect(201);
    };
    let off = vic.put(MAIL, json!({ "mentions": false })).expect(200).json();
    assert_eq!(off, json!({ "mentions": false, "configured": true }));
    mention("vic@example.com", "Unheard");
    // Mails are sent in order: what comes last shows that nothing came before.
    mention("vera@example.com", "Heard");
    sink.mail_to("vera@example.com");
    assert!(sink.mails().iter().all(|mail| mail.to != "vic@example.com"));
    server
        .token("vic", &["write"])
        .put(MAIL, json!({ "mentions": true }))
        .expect(200);
    mention("vic@example.com", "Heard again");
    sink.mail_to("vic@example.com");
}

#[test]
fn the_switch_for_mails_is_checked() {
    let server = Server::start();
    let vic = server.user("vic");
    assert_eq!(
        vic.get(MAIL).expect(200).json(),
        json!({ "mentions": true, "configured": false })
    );
    for body in [json!({}), json!({ "mentions": "no" }), json!({ "mentions": null })] {
        vic.put(MAIL, body).refused(400, "`mentions` must be true or false");
    }
    server.anonymous().get(MAIL).expect(401);
    server.admin().get(MAIL).expect(403);
    let off = || json!({ "mentions": false });
    server.token("vic", &["read"]).put(MAIL, off()).expect(403);
    server.anonymous().put(MAIL, off()).expect(401);
    assert_eq!(vic.get(MAIL).expect(200).json()["mentions"], true);
}
