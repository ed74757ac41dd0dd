//! The outbox: how mail reaches a mail server, and what happens when that is in trouble.

use std::time::{Duration, Instant};

use galley_tests::mail::{MailSink, Moment, PASSWORD, Trouble};
use galley_tests::prelude::*;

/// A server with a mail server, and a project in which Mo can be mentioned.
struct Review {
    sink: MailSink,
    server: Server,
    project: String,
}

impl Review {
    fn start() -> Review {
        let sink = MailSink::start();
        let server = sink.serves(Server::build()).start();
        let project = project(&server.user("ed"), "shop");
        Review { sink, server, project }
    }

    /// Mentions somebody by address. The mail says `body`, when the address has an account.
    fn mention(&self, email: &str, body: &str) {
        let participants = format!("/api/v1/projects/{}/participants", self.project);
        let ed = self.server.user("ed");
        let person = ed.post(&participants, json!({ "email": email })).json();
        let mut remark = remark(body);
        remark["mentions"] = json!([person["id"]]);
        ed.post(&comments(&self.project), remark).expect(201);
    }
}

#[test]
fn mail_is_sent_after_signing_in() {
    let review = Review::start();
    review.mention("mo@example.com", "Look at this");
    let mail = review.sink.mail_to("mo@example.com");
    assert_eq!(mail.from, "review@example.com");
    assert_eq!(review.sink.sign_ins(), 1);
    assert!(!review.server.log().contains(PASSWORD));
}

#[test]
fn a_mail_is_plain_text_and_html_of_an_automatic_sender() {
    let review = Review::start();
    review.mention("eve@example.com", "Grüße & <b>more</b>\n.\n..two");
    let mail = review.sink.mail_to("eve@example.com");
    assert_eq!(mail.header("From").unwrap(), "Galley <review@example.com>");
    assert_eq!(mail.header("To").unwrap(), "eve@example.com");
    assert_eq!(mail.header("Auto-Submitted").unwrap(), "auto-generated");
    assert_eq!(mail.header("MIME-Version").unwrap(), "1.0");
    assert!(mail.header("Date").unwrap().ends_with("+0000"));
    let id = mail.header("Message-ID").unwrap();
    assert!(id.starts_with('<') && id.contains('@') && id.ends_with('>'), "{id}");
    let kind = mail.header("Content-Type").unwrap();
    assert!(kind.starts_with("multipart/alternative"), "{kind}");
    assert!(
        mail.text().contains("> Grüße & <b>more</b>\n> .\n> ..two\n"),
        "{}",
        mail.text()
    );
    let html = mail.html();
    assert!(html.contains("Grüße &#38; &#60;b&#62;more"), "{html}");
    for remote in ["<img", "<script", "<link", "src=", "url("] {
        assert!(!html.contains(remote), "{remote}: {html}");
    }
    assert!(mail.raw.lines().all(|line| line.len() <= 998));
}

#[test]
fn what_is_refused_for_now_is_sent_again_as_the_same_mail() {
    for moment in [Moment::Sender, Moment::Recipient, Moment::Data, Moment::End] {
        let review = Review::start();
        review.sink.order(moment, Trouble::Say("451 4.7.1 Try again later"));
        review.mention("mo@example.com", "Look");
        review.sink.mail_to("mo@example.com");
        eventually("the mail was sent", || {
            review.server.log().contains("was sent").then_some(())
        });
        let ids: Vec<_> = review
            .sink
            .mails()
            .iter()
            .map(|mail| mail.header("Message-ID"))
            .collect();
        assert_eq!(ids.len(), if moment == Moment::End { 2 } else { 1 }, "{moment:?}");
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
}

#[test]
fn a_connection_that_breaks_at_any_moment_loses_no_mail() {
    for moment in [
        Moment::Greeting,
        Moment::Auth,
        Moment::Sender,
        Moment::Recipient,
        Moment::Data,
        Moment::End,
    ] {
        let review = Review::start();
        review.sink.order(moment, Trouble::HangUp);
        review.mention("mo@example.com", "Look");
        eventually("the mail was sent", || {
            review.server.log().contains("was sent").then_some(())
        });
        assert!(review.sink.made_trouble(), "{moment:?}");
        let count = review.sink.mails().len();
        assert_eq!(count, if moment == Moment::End { 2 } else { 1 }, "{moment:?}");
    }
}

#[test]
fn a_refused_password_is_nothing_against_the_mail() {
    let review = Review::start();
    review.sink.order(Moment::Auth, Trouble::Say("535 5.7.8 Not today"));
    review.mention("mo@example.com", "Look");
    review.sink.mail_to("mo@example.com");
}

#[test]
fn what_is_refused_for_good_is_dropped_and_keeps_nobody_waiting() {
    let review = Review::start();
    review
        .sink
        .order(Moment::Recipient, Trouble::Say("550 5.1.1 gone@example.com is unknown"));
    review.mention("gone@example.com", "A remark for nobody");
    eventually("the mail was refused", || {
        review.server.log().contains("is dropped").then_some(())
    });
    review.mention("mo@example.com", "Look");
    review.sink.mail_to("mo@example.com");
    // Longer than the first pause: it does not come again.
    std::thread::sleep(Duration::from_millis(3_500));
    assert_eq!(review.sink.mails().len(), 1);
    let log = review.server.log();
    assert!(log.contains("550"), "{log}");
    assert!(
        !log.contains("gone@example.com") && !log.contains("A remark for nobody"),
        "{log}"
    );
}

#[test]
fn no_answer_waits_for_mail() {
    let review = Review::start();
    for _ in 0..3 {
        review.sink.order(Moment::Greeting, Trouble::Stall);
    }
    review.mention("mo@example.com", "Look");
    eventually("the mail server stalls", || {
        (review.sink.connections() > 0).then_some(())
    });
    let started = Instant::now();
    review.mention("bo@example.com", "Look");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn mails_that_wait_are_sealed_and_leave_nothing_once_sent() {
    let sink = MailSink::start();
    let secret = "the-words-of-a-remark-that-waits";
    let mut server = sink.serves(Server::build()).start();
    let shop = project(&server.user("ed"), "shop");
    let review = Review {
        sink,
        server,
        project: shop,
    };
    review.sink.order(Moment::End, Trouble::Say("451 Later"));
    review.mention("eve@example.com", secret);
    review.sink.mail_to("eve@example.com");
    let Review {
        sink,
        server: mut running,
        ..
    } = review;
    eventually("the mail waits", || running.log().contains("tried again").then_some(()));
    running.stop();
    assert!(!running.core().dump().contains(secret), "while it waits");
    // A file of the core has what a row had that is not there any more.
    for (name, bytes) in running.contents() {
        let is_there = String::from_utf8_lossy(&bytes).contains(secret);
        assert!(!(is_there && name.starts_with("core.db")), "{name}");
    }
    running.again();
    sink.wait_for(2);
    eventually("the mail was sent", || running.log().contains("was sent").then_some(()));
    server = running;
    server.stop();
    assert_eq!(server.core().sealed_mails(), 0);
}

#[test]
fn mail_waits_for_a_mail_server_that_is_down() {
    let sink = MailSink::start();
    let nobody = galley_harness::ports::free_port();
    let server = sink
        .serves(Server::build())
        .env("SERVICE_SMTP_PORT", nobody.to_string())
        .start();
    let shop = project(&server.user("ed"), "shop");
    let mut review = Review {
        sink,
        server,
        project: shop,
    };
    review.mention("eve@example.com", "Look");
    eventually("it was tried", || {
        review.server.log().contains("mail cannot be sent").then_some(())
    });
    review.server.stop();
    review
        .server
        .set_env("SERVICE_SMTP_PORT", review.sink.port().to_string());
    review.server.again();
    assert!(review.sink.mail_to("eve@example.com").text().contains("Look"));
}

/// Rights end while a mail waits: what it says is for readers of the project alone.
#[test]
fn what_waits_is_not_sent_to_whom_may_not_read_it_any_more() {
    let review = Review::start();
    let (server, project) = (&review.server, format!("/api/v1/projects/{}", review.project));
    let dropped = |count: usize| {
        eventually(&format!("{count} mails are dropped"), || {
            (server.log().matches("is dropped: its").count() == count).then_some(())
        });
    };
    review.sink.order(Moment::Recipient, Trouble::Say("451 Later"));
    review.mention("vic@example.com", "For vic");
    eventually("it was tried", || review.sink.made_trouble().then_some(()));
    let member = "/api/v1/instance/members/account-vic";
    server.admin().delete(member).expect(204);
    dropped(1);

    review.sink.order(Moment::Recipient, Trouble::Say("451 Later"));
    review.mention("eve@example.com", "For eve");
    eventually("it was tried", || review.sink.made_trouble().then_some(()));
    server.user("ed").delete(&project).expect(204);
    dropped(2);
    assert!(review.sink.mails().is_empty(), "{:?}", review.sink.mails());
}

#[test]
fn without_a_mail_server_everything_else_works() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let people = format!("/api/v1/projects/{shop}/participants");
    let mo = ed
        .post(&people, json!({ "email": "mo@example.com" }))
        .expect(201)
        .json();
    let mut body = remark("Look");
    body["mentions"] = json!([mo["id"]]);
    let made = ed.post(&comments(&shop), body).expect(201).json();
    assert_eq!(made["mentions"], json!([mo["id"]]));
}

#[test]
fn a_sender_that_is_no_address_stops_the_boot() {
    let sink = MailSink::start();
    let failed = sink
        .serves(Server::build())
        .env("SERVICE_SMTP_FROM", "nobody")
        .try_start()
        .unwrap_err();
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("SERVICE_SMTP_FROM is `nobody`"),
        "{}",
        failed.stderr
    );
}
