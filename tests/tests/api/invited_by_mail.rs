//! Invitations by mail, and the mail server an admin sets.

use galley_tests::mail::{FROM, MailSink, PASSWORD, USER};
use galley_tests::prelude::*;

const INVITES: &str = "/api/v1/instance/invites";
const MAIL_SERVER: &str = "/api/v1/instance/email";
const EMAIL: &str = "nia@example.net";

fn invite(server: &Server, email: &str) -> Value {
    let body = json!({ "email": email, "role": "editor" });
    server.user("ada").post(INVITES, body).expect(201).json()
}

/// The sink as an admin sets it.
fn set(server: &Server, sink: &MailSink) -> Response {
    let body = json!({ "host": "127.0.0.1", "port": sink.port(), "user": USER, "pass": PASSWORD, "from": FROM });
    server.user("ada").put(MAIL_SERVER, body)
}

#[test]
fn an_invite_that_was_mailed_says_so_and_names_who_invites() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let made = invite(&server, EMAIL);
    assert_eq!(made["emailed"], true);
    let mail = sink.mail_to(EMAIL);
    let host = server.address();
    assert_eq!(mail.header("Subject").unwrap(), format!("ada invites you to {host}"));
    assert!(mail.text().contains(made["url"].as_str().unwrap()), "{}", mail.text());
    assert!(mail.html().contains(made["url"].as_str().unwrap()));
    assert_eq!(mail.header("List-Unsubscribe"), None, "nobody unsubscribes from links");
}

#[test]
fn a_regenerated_invite_is_mailed_with_its_new_link() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let made = invite(&server, EMAIL);
    sink.wait_for(1);
    let path = format!("{INVITES}/{}/regenerate", id(&made));
    let again = server.user("ada").post(&path, json!({})).expect(200).json();
    assert_eq!(again["emailed"], true);
    let mails = sink.wait_for(2);
    assert!(mails[1].text().contains(again["url"].as_str().unwrap()));
    assert!(!mails[1].text().contains(made["url"].as_str().unwrap()));
}

#[test]
fn somebody_who_was_invited_by_mail_comments_mentions_and_a_colleague_unsubscribes() {
    let sink = MailSink::start();
    let build = sink
        .serves(Server::build())
        .env("SERVICE_UNSUBSCRIBE_SECRET", "a-secret-of-this-test");
    let server = build.start();
    let shop = project(&server.user("ed"), "shop");

    invite(&server, EMAIL);
    let link = sink.mail_to(EMAIL).link("/auth/invite/");
    server.anonymous().open(&link).expect(200);
    let nia = server.signed_in_by(&server.anonymous().submit(&link, "displayName=Nia").expect(303));

    let people = format!("/api/v1/projects/{shop}/participants");
    let vic = nia
        .post(&people, json!({ "email": "vic@example.com" }))
        .expect(201)
        .json();
    let mention = |body: &str| {
        let mut body = remark(body);
        body["mentions"] = json!([vic["id"]]);
        nia.post(&comments(&shop), body).expect(201);
    };
    mention("Vic, what do you say?");
    let mail = sink.mail_to("vic@example.com");
    assert_eq!(mail.header("Subject").unwrap(), "Nia mentioned you in shop");

    let unsubscribe = mail.link("/api/v1/unsubscribe");
    let click = server
        .anonymous()
        .request("POST", &unsubscribe)
        .body("List-Unsubscribe=One-Click");
    let click = click.header("content-type", "application/x-www-form-urlencoded");
    click.send().expect(200);
    mention("Vic?");
    // What comes after shows that it would have come.
    invite(&server, "last@example.net");
    sink.mail_to("last@example.net");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let to_vic = sink.mails().iter().filter(|mail| mail.to == "vic@example.com").count();
    assert_eq!(to_vic, 1);
}

#[test]
fn the_mail_server_an_admin_sets_is_used_at_once_and_after_a_restart() {
    let sink = MailSink::start();
    let mut server = Server::start();
    assert_eq!(invite(&server, "before@example.net")["emailed"], false);
    let status = set(&server, &sink).expect(200).json();
    assert!(!status.to_string().contains(PASSWORD), "{status}");
    assert_eq!(invite(&server, EMAIL)["emailed"], true);
    sink.mail_to(EMAIL);
    assert_eq!(
        sink.mails().len(),
        1,
        "what was made without a mail server is not mailed later"
    );

    server.stop();
    assert!(!server.core().dump().contains(PASSWORD));
    server.again();
    invite(&server, "after@example.net");
    sink.mail_to("after@example.net");
    assert!(!server.log().contains(PASSWORD));
}

#[test]
fn mail_that_is_turned_off_goes_nowhere() {
    let sink = MailSink::start();
    let server = Server::start();
    set(&server, &sink).expect(200);
    let answer = server.user("ada").delete(MAIL_SERVER);
    assert!(matches!(answer.status, 200 | 204), "{}", answer.head);
    assert_eq!(invite(&server, EMAIL)["emailed"], false);
    set(&server, &sink).expect(200);
    invite(&server, "last@example.net");
    sink.mail_to("last@example.net");
    assert_eq!(sink.mails().len(), 1);
}
