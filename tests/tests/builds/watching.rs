//! Following the log of a build.

use std::time::{Duration, Instant};

use galley_tests::prelude::*;
use galley_tests::sse::EventStream;

use crate::studio::{COPY_PAGE, Studio, joined, waiting};

#[test]
fn a_log_is_heard_while_the_build_goes_on_and_ends_with_its_status() {
    let studio = Studio::new(&waiting(&format!("echo going on; {COPY_PAGE}")));
    let id = studio.start();
    let stream = studio
        .server
        .user("ed")
        .stream(&format!("/api/v1/deployments/{id}/log/stream"));
    let mut heard = Vec::new();
    while !joined(&heard).contains("\nwaiting\n") {
        heard.push(stream.next());
    }
    assert_eq!(studio.deployment(&id)["status"], "building");
    assert!(!joined(&heard).contains("\ngoing on\n"));
    studio.let_go();
    heard.extend(stream.rest());
    let done = heard.last().unwrap();
    assert_eq!(
        (done.event.as_str(), done.json()),
        ("done", json!({ "status": "ready" }))
    );
    assert_eq!(joined(&heard), studio.log(&id), "each piece once, in order");
    // By then it is so.
    assert_eq!(studio.deployment(&id)["status"], "ready");
}

#[test]
fn whoever_comes_late_hears_it_from_the_start_and_whoever_was_cut_off_goes_on() {
    let studio = Studio::new(&waiting(&format!("echo going on; {COPY_PAGE}")));
    let id = studio.start();
    studio.says(&id, "waiting");
    let path = format!("/api/v1/deployments/{id}/log/stream");
    let late = studio.server.user("ed").stream(&path);
    let first = late.next();
    assert!(joined(std::slice::from_ref(&first)).starts_with("Cloning Octo-Org/Storefront"));
    drop(late);
    let mark = first.id.clone().expect("frames carry ids");
    studio.let_go();
    studio.ended(&id);
    let request = studio
        .server
        .user("ed")
        .request("GET", &path)
        .header("last-event-id", &mark);
    let rest = EventStream::open(&request).expect("a stream").rest();
    assert_eq!(joined(&[&[first][..], &rest].concat()), studio.log(&id));
    assert_eq!(rest.last().unwrap().event, "done");
}

#[test]
fn a_silent_build_is_kept_alive_by_a_ping_every_25_seconds() {
    let studio = Studio::new(&waiting(COPY_PAGE));
    let id = studio.start();
    studio.says(&id, "waiting");
    let (mut head, body, _connection) = studio
        .server
        .user("ed")
        .request("GET", &format!("/api/v1/deployments/{id}/log/stream"))
        .open()
        .unwrap();
    head.request = "the log's stream".into();
    assert_eq!(head.status, 200);
    let started = Instant::now();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(body));
    let ping = lines.find(|line| line.as_ref().is_ok_and(|line| line == ": ping"));
    assert!(ping.is_some(), "the stream ended without a ping");
    let waited = started.elapsed();
    assert!(
        (Duration::from_secs(24)..Duration::from_secs(35)).contains(&waited),
        "{waited:?}"
    );
}

#[test]
fn output_past_the_bound_is_dropped_and_the_build_goes_on() {
    let studio = Studio::new(&format!(
        "head -c 40000000 /dev/zero | tr '\\0' 'x' | fold -w 100; echo unheard; {COPY_PAGE}"
    ));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready");
    assert_eq!(
        log.matches("The output has reached 15 MB: the build goes on, and what it says is not kept\n")
            .count(),
        1
    );
    assert!(log.len() < 16 << 20 && !log.contains("\nunheard\n"));
    assert!(log.contains("\nPacked 1 file, "), "the server's own lines are kept");
}

#[test]
fn output_is_text_whatever_a_command_writes() {
    let studio = Studio::new(&format!(
        "printf '\\033[32mgreen\\033[39m \\377\\n50%%\\r100%%\\nno end'; {COPY_PAGE}"
    ));
    let (_, log) = studio.built();
    assert!(
        log.contains("\ngreen \u{fffd}\n50%\n100%\nno end\nPacking dist\n"),
        "{log}"
    );
}
