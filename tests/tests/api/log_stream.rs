//! The log stream of a deployment.

use galley_tests::prelude::*;

fn address(deployment: &str) -> String {
    format!("/api/v1/deployments/{deployment}/log/stream")
}

/// A deployment whose log carries a note; its id and the log of the upload's answer.
fn noted(server: &Server, slug: &str, access: &str) -> (String, String) {
    let ed = server.user("ed");
    let project = project_with(&ed, slug, access);
    let made = upload(
        &ed,
        &project,
        &Bundle::page("x").file("app.js", "const a = '/images/a.png'"),
    );
    (text(&made, "deploymentId"), text(&made, "log"))
}

#[test]
fn a_finished_log_is_sent_whole_and_closed() {
    let server = Server::start();
    let (deployment, log) = noted(&server, "shop", "all-members");
    assert!(log.contains("Note:"));
    let stream = server.user("ed").stream(&address(&deployment));
    let cache = stream.head.header("cache-control").unwrap_or_default().to_owned();
    assert!(cache.contains("no-store") || cache.contains("no-cache"), "{cache}");
    let events = stream.rest();
    let (done, lines) = events.split_last().expect("at least the last frame");
    assert_eq!(
        (done.event.as_str(), done.json()),
        ("done", json!({ "status": "ready" }))
    );
    assert!(lines.iter().all(|event| event.event == "log"), "{events:?}");
    let sent: String = lines.iter().map(|event| text(&event.json(), "text")).collect();
    assert_eq!(sent, log);
}

#[test]
fn a_client_that_was_cut_off_goes_on_where_it_was() {
    let server = Server::start();
    let (deployment, log) = noted(&server, "shop", "all-members");
    let whole = server.user("ed").stream(&address(&deployment)).rest();
    let last = whole
        .iter()
        .rev()
        .find_map(|event| event.id.clone())
        .expect("frames carry ids");
    let resume = |from: &str| {
        let request = server
            .user("ed")
            .request("GET", &address(&deployment))
            .header("last-event-id", from);
        galley_tests::sse::EventStream::open(&request).expect("a stream").rest()
    };
    let rest = resume(&last);
    assert!(
        rest.iter().all(|event| event.event != "log"),
        "nothing is sent twice: {rest:?}"
    );
    assert_eq!(rest.last().unwrap().event, "done");
    let all: String = resume("0")
        .iter()
        .filter(|event| event.event == "log")
        .map(|event| text(&event.json(), "text"))
        .collect();
    assert_eq!(all, log);
    for odd in ["999999999", "-1", "nonsense", "18446744073709551616"] {
        assert_eq!(resume(odd).last().unwrap().event, "done", "{odd}");
    }
}

#[test]
fn it_is_for_those_who_manage() {
    let server = Server::build().public_links(true).start();
    let (deployment, _) = noted(&server, "open", "public-link");
    let path = address(&deployment);
    for caller in [
        server.user("vic"),
        server.anonymous(),
        server.token("vic", &["read", "write"]),
    ] {
        assert!(!caller.get(&path).expect(403).error().is_empty());
    }
    for caller in [
        server.user("ed"),
        server.user("eve"),
        server.admin(),
        server.token("ed", &["read"]),
    ] {
        assert_eq!(caller.stream(&path).rest().last().unwrap().event, "done");
    }
}

#[test]
fn an_unknown_deployment_is_a_404() {
    let server = Server::start();
    for id in ["nothing", "00000000000000000000000000"] {
        assert!(!server.admin().get(&address(id)).expect(404).error().is_empty());
    }
}

#[test]
fn a_log_survives_a_restart() {
    let mut server = Server::start();
    let (deployment, log) = noted(&server, "shop", "all-members");
    server.kill();
    server.again();
    let events = server.user("ed").stream(&address(&deployment)).rest();
    let sent: String = events
        .iter()
        .filter(|event| event.event == "log")
        .map(|event| text(&event.json(), "text"))
        .collect();
    assert_eq!(sent, log);
}
