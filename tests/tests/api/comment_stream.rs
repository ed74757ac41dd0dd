//! The change bell.

use std::time::Duration;

use galley_tests::prelude::*;
use galley_tests::sse::{EventStream, Silence};

fn stream_of(project: &str) -> String {
    format!("{}/stream", comments(project))
}

fn shop() -> (Server, String) {
    let server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    (server, shop)
}

#[track_caller]
fn connected(stream: &EventStream) {
    assert_eq!(stream.next().json(), json!({ "type": "connected" }));
}

#[track_caller]
fn rings(stream: &EventStream, what: &str) {
    let event = stream.next();
    assert_eq!(
        (event.event.as_str(), event.json()),
        ("", json!({ "type": "changed" })),
        "{what}"
    );
}

#[test]
fn it_says_connected_at_once_and_is_never_stored() {
    let (server, shop) = shop();
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    assert!(
        stream
            .head
            .header("cache-control")
            .unwrap_or_default()
            .contains("no-store"),
        "{}",
        stream.head.head
    );
    assert_eq!(stream.head.header("content-encoding"), None);
    assert_eq!(stream.head.header("x-accel-buffering"), Some("no"));
}

#[test]
fn every_change_rings() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    let made = comment(&ed, &shop, "Hello");
    rings(&stream, "a new comment");
    let one = format!("{}/{}", comments(&shop), id(&made));
    ed.patch(&one, json!({ "resolved": true })).expect(200);
    rings(&stream, "a resolved comment");
    ed.post(&format!("{one}/replies"), json!({ "body": "Reply" }))
        .expect(201);
    rings(&stream, "a reply");
    ed.patch(&one, json!({ "body": "Changed" })).expect(200);
    rings(&stream, "a changed comment");
    ed.delete(&one).expect(204);
    rings(&stream, "a deleted comment");
}

#[test]
fn a_project_that_is_deleted_rings() {
    let (server, shop) = shop();
    comment(&server.user("ed"), &shop, "Hello");
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    server
        .user("ed")
        .delete(&format!("/api/v1/projects/{shop}"))
        .expect(204);
    rings(&stream, "a deleted project");
    server.user("vic").get(&comments(&shop)).expect(404);
}

#[test]
fn who_hears_the_bell_finds_the_change() {
    let (server, shop) = shop();
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    for number in 1..=20 {
        comment(&server.user("ed"), &shop, "Hello");
        rings(&stream, "a new comment");
        assert_eq!(bodies(&server.user("vic"), &shop).len(), number);
    }
}

#[test]
fn refusals_and_other_projects_do_not_ring() {
    let (server, shop) = shop();
    let ed = server.user("ed");
    let other = project(&ed, "other");
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    comment(&ed, &other, "Elsewhere");
    ed.post(&comments(&shop), json!({ "body": "" })).expect(400);
    ed.delete(&format!("{}/missing", comments(&shop))).expect(404);
    assert_eq!(
        stream.next_within(Duration::from_millis(300)),
        Err(Silence),
        "nothing changed here"
    );
    comment(&ed, &shop, "Here");
    rings(&stream, "the first change here");
}

#[test]
fn all_that_watch_are_rung() {
    let (server, shop) = shop();
    let streams: Vec<EventStream> = (0..15).map(|_| server.user("vic").stream(&stream_of(&shop))).collect();
    streams.iter().for_each(connected);
    comment(&server.user("ed"), &shop, "Hello");
    streams.iter().for_each(|stream| rings(stream, "everybody hears it"));
}

#[test]
fn one_client_holds_twenty_and_no_more() {
    let server = Server::build().public_links(true).start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let path = stream_of(&open);
    let guest = server.anonymous();
    let mut streams: Vec<EventStream> = (0..20).map(|_| guest.stream(&path)).collect();
    let refusal = guest.get(&path).expect(429);
    assert_eq!(refusal.header("retry-after"), Some("5"));
    assert_eq!(refusal.error(), "Too many open connections from this client");

    let elsewhere = guest.at([127, 0, 0, 2]).stream(&path);
    connected(&elsewhere);
    streams.pop();
    let again = eventually("a closed stream makes room", || {
        EventStream::open(&guest.request("GET", &path)).ok()
    });
    connected(&again);
    guest.get(&path).expect(429);
    guest.get(&comments(&open)).expect(200);
}

#[test]
fn the_addresses_of_an_ipv6_network_are_one_client() {
    let server = Server::build()
        .public_links(true)
        .env("SERVICE_TRUSTED_PROXIES", "127.0.0.1")
        .start();
    let open = project_with(&server.user("ed"), "open", "public-link");
    let path = stream_of(&open);
    let from = |address: String| {
        let guest = server.anonymous();
        EventStream::open(&guest.request("GET", &path).header("x-forwarded-for", address))
    };
    let streams: Vec<EventStream> = (1..=20)
        .map(|number| from(format!("2001:db8:1:2::{number:x}")).expect("a stream"))
        .collect();
    streams.iter().for_each(connected);
    let refused = from("2001:db8:1:2:ffff::1".into()).expect_err("the 21st of a network");
    assert_eq!(refused.status, 429);
    connected(&from("2001:db8:1:3::1".into()).expect("another network"));
}

#[test]
fn an_account_is_one_client_wherever_it_is() {
    let (server, shop) = shop();
    let other = project(&server.user("ed"), "other");
    let (session, token) = (server.user("vic"), server.token("vic", &["read"]));
    let streams: Vec<EventStream> = (0..20)
        .map(|number| {
            let caller = if number % 3 == 0 { &token } else { &session };
            caller
                .at([127, 0, 1, number])
                .stream(&stream_of(if number % 2 == 0 { &shop } else { &other }))
        })
        .collect();
    streams.iter().for_each(connected);
    session.at([127, 0, 0, 2]).get(&stream_of(&shop)).expect(429);
    token.get(&stream_of(&other)).expect(429);
    // Colleagues behind the same address are clients of their own.
    connected(&server.user("vera").stream(&stream_of(&shop)));
}

#[test]
fn a_refused_stream_takes_no_place() {
    let (server, shop) = shop();
    for _ in 0..30 {
        server.anonymous().get(&stream_of(&shop)).expect(404);
    }
    let streams: Vec<EventStream> = (0..20).map(|_| server.user("vic").stream(&stream_of(&shop))).collect();
    streams.iter().for_each(connected);
}

#[test]
fn a_server_that_ends_ends_its_streams() {
    let (mut server, shop) = shop();
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    assert!(server.stop().success());
    assert!(stream.rest().is_empty());
}

#[test]
fn many_streams_are_rung_and_end_with_the_server() {
    let (mut server, shop) = shop();
    let ed = server.user("ed");
    let names = ["vic", "vera", "eve", "ben"];
    let open = |name: &&str| {
        (0..16)
            .map(|_| server.user(name).stream(&stream_of(&shop)))
            .collect::<Vec<_>>()
    };
    let streams: Vec<EventStream> = names.iter().flat_map(open).collect();
    streams.iter().for_each(connected);
    for round in 0..3 {
        comment(&ed, &shop, "Hello");
        streams
            .iter()
            .for_each(|stream| rings(stream, &format!("round {round}")));
    }
    assert!(server.stop().success());
    assert!(streams.iter().all(|stream| stream.rest().is_empty()));
}

#[test]
fn readability_is_checked_when_it_opens() {
    let (server, shop) = shop();
    let stream = server.user("vic").stream(&stream_of(&shop));
    connected(&stream);
    server
        .admin()
        .patch(&format!("/api/v1/projects/{shop}"), json!({ "access": "invited" }))
        .expect(200);
    comment(&server.admin(), &shop, "Hello");
    rings(&stream, "an open stream goes on");
    server.user("vic").get(&stream_of(&shop)).expect(404);
}
