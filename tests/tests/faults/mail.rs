//! Mail. SMTP is at least once: a mail that the receiver took just before the server died may come again, as the same
//! mail. None is lost, and none that the server knows to be sent comes again.

use std::collections::BTreeMap;
use std::time::Duration;

use galley_tests::accounts::Person;
use galley_tests::kills::{kill_after, life};
use galley_tests::mail::{Mail, MailSink, Moment, Trouble};
use galley_tests::poll::{WAIT_TIMEOUT, within};
use galley_tests::prelude::*;

use crate::kills;

struct Review {
    sink: MailSink,
    server: Server,
    project: String,
    people: Vec<String>,
}

fn review(people: usize) -> Review {
    let sink = MailSink::start();
    let mut server = sink.serves(Server::build()).start();
    with_accounts(&mut server, people);
    let ed = server.user("ed");
    let project = project(&ed, "shop");
    let path = format!("/api/v1/projects/{project}/participants");
    let invite = |number| {
        let body = json!({ "email": format!("p{number}@example.com") });
        id(&ed.post(&path, body).expect(201).json())
    };
    let people = (0..people).map(invite).collect();
    Review {
        sink,
        server,
        project,
        people,
    }
}

/// Makes accounts of the people: only who has one reads in a mail what was said, and is mailed as often as mentioned.
fn with_accounts(server: &mut Server, people: usize) {
    server.stop();
    let core = server.core();
    for number in 0..people {
        core.add(&Person {
            name: format!("p{number}").leak(),
            role: "viewer",
        });
    }
    drop(core);
    server.again();
}

impl Review {
    /// A comment that mentions somebody.
    fn mention(&self, body: &str, person: usize) -> bool {
        let mut remark = remark(body);
        remark["mentions"] = json!([self.people[person % self.people.len()]]);
        let request = self
            .server
            .user("ed")
            .request("POST", &comments(&self.project))
            .json(&remark);
        request.try_send().is_ok_and(|answer| answer.status == 201)
    }

    /// Waits until nothing more comes.
    fn settled(&self) -> Vec<Mail> {
        self.mention("The last one", 0);
        eventually("the last mail", || {
            self.sink
                .mails()
                .iter()
                .any(|mail| mail.text().contains("The last one"))
                .then_some(())
        });
        std::thread::sleep(Duration::from_secs(3));
        self.sink.mails()
    }
}

fn message_id(mail: &Mail) -> String {
    mail.header("Message-ID").expect("a Message-ID")
}

#[test]
fn a_kill_in_the_middle_of_a_mail_sends_it_again_and_nothing_else() {
    let mut review = review(1);
    assert!(review.mention("Sent before", 0));
    eventually("the first mail was sent", || {
        review.server.log().contains("was sent").then_some(())
    });
    for moment in [Moment::Recipient, Moment::Data, Moment::End] {
        let before = review.sink.mails().len();
        review.sink.order(moment, Trouble::Stall);
        assert!(review.mention(&format!("Killed at {moment:?}"), 0));
        eventually("the mail is under way", || review.sink.made_trouble().then_some(()));
        review.server.kill();
        review.server.again();
        let repeated = usize::from(moment == Moment::End);
        let mails = review.sink.wait_for(before + 1 + repeated);
        let own: Vec<_> = mails[before..].iter().map(message_id).collect();
        assert_eq!(own.len(), 1 + repeated, "{moment:?}");
        assert!(
            own.iter().all(|id| *id == own[0]),
            "the same mail under two ids: {own:?}"
        );
        eventually("it is written down", || {
            review.server.log().contains("was sent").then_some(())
        });
    }
    // Another start finds nothing to send.
    let before = review.sink.mails().len();
    review.server.kill();
    review.server.again();
    let after = review.settled();
    assert_eq!(after.len(), before + 1, "only the last one is new");
}

#[test]
fn no_mail_of_an_acknowledged_mention_is_lost_or_doubled_under_another_id() {
    let mut review = review(20);
    let mut acknowledged = Vec::new();
    let rounds = kills().min(10);
    for round in 0..rounds {
        std::thread::scope(|scope| {
            let processes = review.server.ids();
            scope.spawn(move || kill_after(&processes, life(round)));
            for number in 0.. {
                let body = format!("Remark {round}-{number}.");
                if !review.mention(&body, number) {
                    break;
                }
                acknowledged.push(body);
            }
        });
        review.server.kill();
        review.server.again();
    }
    assert!(acknowledged.len() > rounds as usize, "the test tests nothing");
    let mut missing = Vec::new();
    let told = within(WAIT_TIMEOUT, || {
        let texts: Vec<String> = review.sink.mails().iter().map(Mail::text).collect();
        let is_missing = |body: &&String| !texts.iter().any(|text| text.contains(*body));
        missing = acknowledged.iter().filter(is_missing).cloned().collect();
        missing.is_empty().then_some(())
    });
    let (count, all) = (missing.len(), acknowledged.len());
    assert!(
        told.is_some(),
        "{count} of {all} were never told, the first {:?}",
        missing.first()
    );
    let mails = review.sink.mails();
    let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mail in &mails {
        ids.entry(mail.text()).or_default().push(message_id(mail));
    }
    let mut repeats = 0;
    for (text, ids) in &ids {
        assert!(ids.iter().all(|id| id == &ids[0]), "one mail under several ids: {text}");
        repeats += ids.len() - 1;
    }
    // A kill can repeat the one mail that was under way.
    assert!(repeats <= rounds as usize, "{repeats} repeats in {rounds} kills");
}
