//! Mails of a cluster: one server at a time sends them, whatever becomes of it.

use std::time::Duration;

use galley_tests::cli::run;
use galley_tests::cluster::Cluster;
use galley_tests::mail::{MailSink, Moment, Trouble};
use galley_tests::prelude::*;

/// Mails that wait while the first one is under way, and are read together.
const WAITING: usize = 8;
/// How long the first mail is under way: the others are queued meanwhile, each by a request that waits a while for its mail.
const FIRST_MAIL: Duration = Duration::from_secs(20);
/// How long the mail is under way during which its server is stopped.
const NEXT_MAIL: Duration = Duration::from_secs(2);
/// How long a server that goes on is watched.
const WATCHED: Duration = Duration::from_secs(3);

fn invite(caller: &Client, number: usize) {
    let body = json!({ "email": format!("p{number}@example.com"), "role": "viewer" });
    caller.post("/api/v1/instance/invites", body).expect(201);
}

/// The name of the node that sends mail.
fn sender(server: &Server) -> Option<String> {
    let status = run(server.command().args(["cluster", "status", "--json"]))
        .expect(0)
        .json();
    let leases = status["leases"].as_array()?;
    let mail = leases.iter().find(|lease| lease["name"] == "mail")?;
    Some(text(mail, "node"))
}

fn sent(server: &Server) -> usize {
    server.log().matches("was sent").count()
}

#[test]
fn a_sender_that_stood_still_repeats_only_the_mail_that_it_was_sending() {
    let cluster = Cluster::new();
    let sink = MailSink::start();
    let names = ["one", "two"];
    let mut servers = names.map(|name| sink.serves(cluster.server()).env("SERVICE_NODE_NAME", name).start());
    let ana = servers[0].local_operator();
    sink.order(Moment::End, Trouble::Late(FIRST_MAIL));
    sink.order(Moment::End, Trouble::Late(NEXT_MAIL));
    invite(&ana, 0);
    std::thread::scope(|scope| {
        for number in 1..=WAITING {
            let ana = &ana;
            scope.spawn(move || invite(ana, number));
        }
    });
    let name = sender(&servers[0]).expect("one of them sends mail");
    let holder = names.iter().position(|other| *other == name).expect("it has a name");
    eventually("the others were read", || sink.made_trouble().then_some(()));
    servers[holder].signal("STOP");
    // The first one is settled: all others come from the other server.
    let before = sink.mails().len();
    assert_eq!(before, 2, "the test tests nothing");
    sink.wait_for(before + WAITING);
    let told = sent(&servers[holder]);
    servers[holder].signal("CONT");
    eventually("it goes on", || (sent(&servers[holder]) > told).then_some(()));
    std::thread::sleep(WATCHED);
    let mut to: Vec<String> = sink.mails().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to.len(), before + WAITING, "{to:?}");
    to.sort();
    to.dedup();
    assert_eq!(to.len(), 1 + WAITING, "all came");
}
