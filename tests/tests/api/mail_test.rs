//! Test mails: an admin hears what the mail server says.

use galley_harness::ports::free_port;
use galley_tests::mail::{FROM, MailSink, Moment, PASSWORD, Trouble};
use galley_tests::prelude::*;

const TEST: &str = "/api/v1/instance/mail/test";

#[test]
fn an_admin_is_mailed_at_their_own_address() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let body = json!({ "to": "stranger@example.net" });
    for answer in [
        server.user("ada").post(TEST, body),
        server.user("ada").request("POST", TEST).send(),
    ] {
        assert_eq!(answer.expect(200).json(), json!({ "sent": true }));
    }
    let mail = sink.wait_to("ada@example.com", 2);
    assert_eq!(
        mail.header("Subject").unwrap(),
        format!("Test mail from {}", server.address())
    );
    assert_eq!(mail.header("From").unwrap(), FROM);
    assert_eq!(sink.mails().len(), 2);
}

#[test]
fn the_admin_bearer_says_to_whom() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let admin = server.admin();
    let to = json!({ "to": " Ops@Example.net " });
    assert_eq!(admin.post(TEST, to).expect(200).json(), json!({ "sent": true }));
    sink.mail_to("ops@example.net");
    for body in [
        json!({}),
        json!({ "to": null }),
        json!({ "to": "ops" }),
        json!({ "to": 5 }),
    ] {
        assert!(
            admin.post(TEST, body.clone()).expect(400).error().contains("`to`"),
            "{body}"
        );
    }
}

#[test]
fn what_the_mail_server_says_is_told_without_the_password() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    let said = |trouble: (Moment, &'static str)| {
        sink.order(trouble.0, Trouble::Say(trouble.1));
        let answer = server.user("ada").post(TEST, json!({})).expect(200).json();
        assert_eq!(answer["sent"], false, "{answer}");
        text(&answer, "error")
    };
    assert!(said((Moment::Recipient, "550 5.1.1 No such user here")).contains("No such user here"));
    let echo = "535 5.7.8 the-password-of-the-mail-server is wrong";
    assert!(echo.contains(PASSWORD));
    let error = said((Moment::Auth, echo));
    assert!(error.contains("is wrong") && !error.contains(PASSWORD), "{error}");
    assert!(!server.log().contains(PASSWORD));
    sink.order(Moment::Greeting, Trouble::Stall);
    let answer = server.user("ada").post(TEST, json!({})).expect(200).json();
    assert!(text(&answer, "error").contains("did not answer"), "{answer}");
}

#[test]
fn a_mail_server_that_is_down_is_an_answer() {
    let sink = MailSink::start();
    let build = sink
        .serves(Server::build())
        .env("SERVICE_SMTP_PORT", free_port().to_string());
    let server = build.start();
    let answer = server.user("ada").post(TEST, json!({})).expect(200).json();
    assert!(
        answer["sent"] == false && !text(&answer, "error").is_empty(),
        "{answer}"
    );
}

#[test]
fn without_a_mail_server_it_is_not_available() {
    let server = Server::start();
    server
        .user("ada")
        .post(TEST, json!({}))
        .refused(503, "No mail server is set: set one first");
}

#[test]
fn test_mails_are_for_admins_in_the_audit_log_and_few() {
    let sink = MailSink::start();
    let server = sink.serves(Server::build()).start();
    server.anonymous().post(TEST, json!({})).expect(401);
    for name in ["vic", "ed"] {
        server.user(name).post(TEST, json!({})).expect(403);
    }
    assert!(sink.mails().is_empty());
    let statuses: Vec<u16> = (0..8)
        .map(|_| server.user("ada").post(TEST, json!({})).status)
        .collect();
    assert!(
        statuses.starts_with(&[200]) && statuses.ends_with(&[429]),
        "{statuses:?}"
    );
    let audit = server.admin().get("/api/v1/instance/audit").expect(200).json();
    let entry = &audit["entries"][0];
    assert_eq!(
        (&entry["action"], &entry["details"]),
        (&json!("mail-tested"), &json!({ "to": "ada@example.com" }))
    );
}
