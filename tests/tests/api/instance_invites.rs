//! Invites, as admins make and take them back.

use std::time::{Duration, Instant};

use galley_harness::ports::free_port;
use galley_tests::accounts::Core;
use galley_tests::mail::{MailSink, Moment, PASSWORD, Trouble, USER};
use galley_tests::prelude::*;

const INVITES: &str = "/api/v1/instance/invites";
const EMAIL: &str = "nia@example.net";

fn invite(server: &Server, email: &str) -> Value {
    let body = json!({ "email": email, "role": "editor" });
    server.user("ada").post(INVITES, body).expect(201).json()
}

fn list(server: &Server) -> Vec<Value> {
    let list = server.admin().get(INVITES).expect(200).json();
    list["invites"].as_array().expect("a list").clone()
}

fn states(server: &Server) -> Vec<String> {
    list(server).iter().map(|invite| text(invite, "state")).collect()
}

fn path(invite: &Value) -> String {
    format!("{INVITES}/{}", id(invite))
}

/// The link's path on this server.
fn link(server: &Server, invite: &Value) -> String {
    let url = text(invite, "url");
    url.strip_prefix(&server.url())
        .expect("an address of this instance")
        .to_owned()
}

#[test]
fn creating_answers_201_with_the_invite_and_its_link() {
    let server = Server::start();
    let body = json!({ "email": "  Nia@Example.NET ", "role": "editor" });
    let made = server.user("ada").post(INVITES, body).expect(201).json();
    let expected = json!({
        "id": made["id"], "email": EMAIL, "role": "editor", "state": "pending", "emailed": false, "url": made["url"],
        "createdAt": made["createdAt"], "expiresAt": made["expiresAt"],
    });
    assert_eq!(made, expected);
    let link = link(&server, &made);
    assert!(
        link.starts_with("/api/v1/auth/invite/") && link.len() >= "/api/v1/auth/invite/".len() + 43,
        "{link}"
    );
    server.anonymous().open(&link).expect(200);
}

#[test]
fn the_list_never_shows_a_link() {
    let mut server = Server::start();
    let made = invite(&server, EMAIL);
    let token = link(&server, &made).rsplit('/').next().unwrap().to_owned();
    assert!(list(&server)[0].get("url").is_none());
    assert!(!server.admin().get(INVITES).expect(200).text().contains(&token));
    server.stop();
    assert!(!server.core().dump().contains(&token), "only a hash is stored");
    assert!(!server.log().contains(&token), "the link stands in the log");
}

#[test]
fn the_invited_person_comes_in_with_the_invites_role_and_it_is_used() {
    let server = Server::start();
    let made = invite(&server, EMAIL);
    let answer = server
        .anonymous()
        .submit(&link(&server, &made), "displayName=Nia")
        .expect(303);
    let nia = server.signed_in_by(&answer).get("/api/v1/me").expect(200).json();
    assert_eq!(
        (&nia["user"]["email"], &nia["user"]["role"]),
        (&json!(EMAIL), &json!("editor"))
    );
    assert_eq!(states(&server), ["used"]);
    let regenerate = format!("{}/regenerate", path(&made));
    let message = "This invite was used or revoked: make a new one";
    server.admin().post(&regenerate, json!({})).refused(409, message);
    server.admin().delete(&path(&made)).refused(409, message);
}

#[test]
fn an_unexpired_invite_for_the_address_is_a_409() {
    let server = Server::start();
    invite(&server, EMAIL);
    let again = server
        .admin()
        .post(INVITES, json!({ "email": "NIA@example.net", "role": "viewer" }));
    again.refused(409, "This address has an unexpired invite: regenerate or revoke it");
    invite(&server, "bo@example.net");
    assert_eq!(list(&server).len(), 2);
}

#[test]
fn many_invitations_of_one_address_at_once_make_one() {
    let server = Server::start();
    let body = json!({ "email": EMAIL, "role": "viewer" });
    let made = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| server.user("ada").post(INVITES, body.clone()).status))
            .collect();
        let statuses: Vec<u16> = tries.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(
            statuses.iter().all(|status| matches!(status, 201 | 409)),
            "{statuses:?}"
        );
        statuses.iter().filter(|status| **status == 201).count()
    });
    assert_eq!((made, list(&server).len()), (1, 1));
}

#[test]
fn an_expired_invite_makes_room_for_another() {
    let mut server = Server::start();
    let old = invite(&server, EMAIL);
    server.edit(Core::expire_links);
    assert_eq!(states(&server), ["expired"]);
    server.anonymous().submit(&link_of(&old), "").expect(404);
    invite(&server, EMAIL);
    assert_eq!(states(&server), ["pending", "expired"]);
    let message = "This address has an unexpired invite: regenerate or revoke it";
    server
        .admin()
        .post(&format!("{}/regenerate", path(&old)), json!({}))
        .refused(409, message);
}

/// The link's path, whatever port the server had when it was made.
fn link_of(invite: &Value) -> String {
    let url = text(invite, "url");
    url[url.find("/api/").expect("a path")..].to_owned()
}

#[test]
fn regenerating_gives_a_fresh_link_and_ends_the_old_one() {
    let mut server = Server::start();
    let made = invite(&server, EMAIL);
    let again = server
        .admin()
        .post(&format!("{}/regenerate", path(&made)), json!({}))
        .expect(200)
        .json();
    assert_eq!(
        (&again["id"], &again["state"], &again["email"]),
        (&made["id"], &json!("pending"), &json!(EMAIL))
    );
    assert_ne!(again["url"], made["url"]);
    server.anonymous().open(&link(&server, &made)).expect(404);
    server.anonymous().submit(&link(&server, &made), "").expect(404);
    server.anonymous().open(&link(&server, &again)).expect(200);
    server.edit(Core::expire_links);
    let again = server
        .admin()
        .post(&format!("{}/regenerate", path(&made)), json!({}))
        .expect(200)
        .json();
    assert_eq!(states(&server), ["pending"]);
    server
        .anonymous()
        .submit(&link(&server, &again), "displayName=Nia")
        .expect(303);
}

#[test]
fn an_invite_is_good_for_seven_days() {
    let server = Server::start();
    let made = invite(&server, EMAIL);
    let (from, to) = (text(&made, "createdAt"), text(&made, "expiresAt"));
    assert_eq!(seconds_between(&from, &to), 7 * 24 * 3_600);
}

#[test]
fn a_revoked_invite_lets_nobody_in() {
    let server = Server::start();
    let made = invite(&server, EMAIL);
    for _ in 0..2 {
        assert!(server.admin().delete(&path(&made)).expect(204).body.is_empty());
    }
    assert_eq!(states(&server), ["revoked"]);
    server
        .anonymous()
        .submit(&link(&server, &made), "displayName=Nia")
        .expect(404);
    let message = "This invite was used or revoked: make a new one";
    server
        .admin()
        .post(&format!("{}/regenerate", path(&made)), json!({}))
        .refused(409, message);
    invite(&server, EMAIL);
}

#[test]
fn an_address_with_an_account_is_not_invited() {
    let server = Server::start();
    let post = |email: &str| {
        server
            .admin()
            .post(INVITES, json!({ "email": email, "role": "viewer" }))
    };
    post("vic@example.com").refused(409, "This address has an account on this instance");
    server
        .admin()
        .delete("/api/v1/instance/members/account-vic")
        .expect(204);
    let message = "This address has a removed account on this instance: restore it instead";
    post("vic@example.com").refused(409, message);
}

#[test]
fn address_and_role_are_checked() {
    let server = Server::start();
    let bad = [
        (json!({ "role": "viewer" }), "email"),
        (json!({ "email": EMAIL }), "role"),
        (json!({ "email": 5, "role": "viewer" }), "email"),
        (json!({ "email": null, "role": "viewer" }), "email"),
        (json!({ "email": "", "role": "viewer" }), "email"),
        (json!({ "email": "nia", "role": "viewer" }), "email"),
        (json!({ "email": "@example.net", "role": "viewer" }), "email"),
        (json!({ "email": "a@b@c.net", "role": "viewer" }), "email"),
        (
            json!({ "email": "nia@example.net\r\nBcc: eve@example.net", "role": "viewer" }),
            "email",
        ),
        (json!({ "email": "Nia <nia@example.net>", "role": "viewer" }), "email"),
        (
            json!({ "email": format!("{}@example.net", "x".repeat(250)), "role": "viewer" }),
            "email",
        ),
        (json!({ "email": EMAIL, "role": "Viewer" }), "role"),
        (json!({ "email": EMAIL, "role": "owner" }), "role"),
        (json!({ "email": EMAIL, "role": 1 }), "role"),
    ];
    for (body, field) in bad {
        let error = server.admin().post(INVITES, body.clone()).expect(400).error();
        assert!(error.contains(&format!("`{field}`")), "{body}: {error}");
    }
    assert!(list(&server).is_empty());
}

#[test]
fn an_invite_that_does_not_exist_is_a_404() {
    let server = Server::start();
    server
        .admin()
        .delete(&format!("{INVITES}/nothing"))
        .refused(404, "Invite not found");
    let answer = server.admin().post(&format!("{INVITES}/nothing/regenerate"), json!({}));
    answer.refused(404, "Invite not found");
}

#[test]
fn the_newest_invite_comes_first() {
    let server = Server::start();
    let ids: Vec<String> = ["a@example.net", "b@example.net", "c@example.net"]
        .iter()
        .map(|email| id(&invite(&server, email)))
        .collect();
    let listed: Vec<String> = list(&server).iter().rev().map(id).collect();
    assert_eq!(listed, ids);
}

#[test]
fn the_link_is_mailed_when_the_environment_sets_a_mail_server() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let made = invite(&server, EMAIL);
    assert_eq!(
        (&made["emailed"], &list(&server)[0]["emailed"]),
        (&json!(true), &json!(true))
    );
    let mailed = sink.wait_to(EMAIL, 1).link("/auth/invite/");
    assert_eq!(mailed, link(&server, &made), "the same link as in the answer");
    let again = server
        .admin()
        .post(&format!("{}/regenerate", path(&made)), json!({}))
        .expect(200)
        .json();
    assert_eq!(again["emailed"], true);
    let fresh = sink.wait_to(EMAIL, 2).link("/auth/invite/");
    server.anonymous().submit(&mailed, "displayName=Nia").expect(404);
    server.anonymous().submit(&fresh, "displayName=Nia").expect(303);
}

#[test]
fn emailed_is_false_when_the_mail_server_refuses_the_mail() {
    let sink = MailSink::start();
    let mut server = sink.serves(Server::build()).start();
    sink.order(Moment::Recipient, Trouble::Say("550 5.1.1 No such user"));
    assert_eq!(invite(&server, EMAIL)["emailed"], false);
    assert_eq!(list(&server)[0]["emailed"], false);
    server.stop();
    server.again();
    assert_eq!(list(&server)[0]["emailed"], false);
    let again = server
        .admin()
        .post(&format!("{}/regenerate", path(&list(&server)[0])), json!({}))
        .expect(200)
        .json();
    assert_eq!(again["emailed"], true);
}

#[test]
fn emailed_turns_true_when_the_mail_server_takes_the_mail_later() {
    let sink = MailSink::start();
    let mut server = sink.serves(Server::build()).start();
    sink.order(Moment::End, Trouble::Say("451 4.7.1 Try again later"));
    assert_eq!(invite(&server, EMAIL)["emailed"], false);
    eventually("the mail was taken", || {
        (list(&server)[0]["emailed"] == true).then_some(())
    });
    assert_eq!(sink.mails_to(EMAIL).len(), 2);
    server.stop();
    server.again();
    assert_eq!(list(&server)[0]["emailed"], true, "after a restart");
}

#[test]
fn emailed_is_false_while_the_mail_server_is_down_or_says_nothing() {
    let sink = MailSink::start();
    let down = sink
        .serves(Server::build())
        .env("SERVICE_SMTP_PORT", free_port().to_string())
        .start();
    let started = Instant::now();
    assert_eq!(invite(&down, EMAIL)["emailed"], false);
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());

    let server = sink.serves(Server::build()).start();
    sink.order(Moment::Greeting, Trouble::Stall);
    let started = Instant::now();
    assert_eq!(invite(&server, EMAIL)["emailed"], false);
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}

#[test]
fn a_link_that_ended_is_not_mailed() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    for _ in 0..2 {
        sink.order(Moment::Recipient, Trouble::Say("451 4.7.1 Try again later"));
    }
    let (first, second) = (invite(&server, EMAIL), invite(&server, "bo@example.net"));
    server.admin().delete(&path(&first)).expect(204);
    eventually("the other one was mailed", || {
        let sent = list(&server)
            .iter()
            .any(|one| one["id"] == second["id"] && one["emailed"] == true);
        sent.then_some(())
    });
    assert!(sink.mails_to(EMAIL).is_empty());
}

#[test]
fn the_link_is_mailed_by_the_mail_server_an_admin_set() {
    let sink = MailSink::start();
    let server = Server::start();
    assert_eq!(invite(&server, "bo@example.net")["emailed"], false);
    let mail = json!({
        "host": "127.0.0.1", "port": sink.port(), "user": USER, "pass": PASSWORD, "from": "g@example.com",
    });
    server.admin().put("/api/v1/instance/email", mail).expect(200);
    assert_eq!(invite(&server, EMAIL)["emailed"], true);
    let mailed = sink.wait_to(EMAIL, 1).link("/auth/invite/");
    server.anonymous().submit(&mailed, "displayName=Nia").expect(303);
    server.admin().delete("/api/v1/instance/email").expect(204);
    assert_eq!(invite(&server, "cy@example.net")["emailed"], false);
    assert!(sink.mails_to("bo@example.net").is_empty() && sink.mails_to("cy@example.net").is_empty());
}

#[test]
fn a_sign_in_link_is_never_mailed() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    server
        .admin()
        .post("/api/v1/instance/members/account-vic/signin-link", json!({}))
        .expect(201);
    // Whatever was queued before this mail came before it.
    invite(&server, EMAIL);
    sink.wait_to(EMAIL, 1);
    assert!(sink.mails_to("vic@example.com").is_empty());
}
