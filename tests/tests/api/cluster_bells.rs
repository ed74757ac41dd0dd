//! Two servers of one cluster: what happens at one of them is heard at the other, and what they bound they bound together.

use std::time::{Duration, Instant};

use galley_harness::ports::free_port;
use galley_tests::cluster::Cluster;
use galley_tests::codehost::CodeHost;
use galley_tests::http::Request;
use galley_tests::prelude::*;
use galley_tests::sse::EventStream;

/// The same caller at another server.
fn at(server: &Server, caller: &Client) -> Client {
    Client::new(server.address(), caller.credential().clone())
}

/// Two servers, and a caller with the first account at each.
fn two(cluster: &Cluster) -> ([Server; 2], [Client; 2]) {
    let servers = [(); 2].map(|()| cluster.server().start());
    let ana = servers[0].local_operator();
    let there = at(&servers[1], &ana);
    (servers, [ana, there])
}

/// A stream of the project's comments, connected.
fn stream(caller: &Client, project: &str) -> EventStream {
    let stream = caller.stream(&format!("{}/stream", comments(project)));
    assert_eq!(stream.next().json(), json!({ "type": "connected" }));
    stream
}

/// Waits for a ring, and answers when it came.
fn rung(stream: &EventStream) -> Instant {
    assert_eq!(stream.next().json(), json!({ "type": "changed" }));
    Instant::now()
}

/// Takes the rings that came until it is quiet: whoever was cut off, or has just begun to listen, hears one too many.
fn quiet(stream: &EventStream) {
    while stream.next_within(Duration::from_millis(300)).is_ok() {}
}

#[test]
fn a_comment_at_one_server_rings_a_stream_at_the_other() {
    const COMMENTS: usize = 100;
    let cluster = Cluster::new();
    let (_servers, callers) = two(&cluster);
    let shop = project(&callers[0], "shop");
    let mut streams = [0, 1].map(|at| stream(&callers[at], &shop));
    streams.iter().for_each(quiet);
    // By a clock of its own each: neither waits for the other.
    let mut took = [Vec::new(), Vec::new()];
    for number in 0..COMMENTS {
        let began = Instant::now();
        let heard = std::thread::scope(|scope| {
            let hearing = streams.each_mut().map(|stream| scope.spawn(move || rung(stream)));
            comment(&callers[0], &shop, &format!("Hello {number}"));
            hearing.map(|hearing| hearing.join().expect("it is heard"))
        });
        for (took, heard) in took.iter_mut().zip(heard) {
            took.push(heard - began);
        }
    }
    assert_eq!(bodies(&callers[1], &shop).len(), COMMENTS);
    for (took, place) in took.iter_mut().zip(["at the same server", "at the other one"]) {
        took.sort_unstable();
        let (half, most) = (took[COMMENTS / 2], took[COMMENTS * 99 / 100]);
        println!("from the request for a comment to its bell {place}: p50 {half:?}, p99 {most:?}");
    }
}

#[test]
fn a_stream_misses_nothing_though_its_server_is_cut_off_from_the_database() {
    let cluster = Cluster::new();
    let (_servers, callers) = two(&cluster);
    let shop = project(&callers[0], "shop");
    let stream = stream(&callers[1], &shop);
    let cut_off = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{}'",
        cluster.database_name()
    );
    for number in 1..=5 {
        comment(&callers[0], &shop, "Hello");
        cluster.postgres().psql(&cut_off);
        // Whenever it is rung it looks; after the last ring it has seen everything.
        while bodies(&callers[1], &shop).len() < number {
            rung(&stream);
        }
        rung(&stream);
        quiet(&stream);
    }
}

#[test]
fn attempts_to_sign_in_are_counted_over_both_servers() {
    const MAX_TRIES: usize = 30;
    let cluster = Cluster::new();
    let servers = [(); 2].map(|()| cluster.server().start());
    let wrong = |turn: usize, from: u8| {
        let client = servers[turn % 2].anonymous().at([127, 0, 0, from]);
        client.post("/api/v1/auth/signin/wrong", json!({})).status
    };
    let statuses: Vec<u16> = (0..2 * MAX_TRIES).map(|turn| wrong(turn, 2)).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 404).count(),
        MAX_TRIES,
        "{statuses:?}"
    );
    assert!(
        statuses[MAX_TRIES..].iter().all(|status| *status == 429),
        "{statuses:?}"
    );
    assert_eq!(wrong(0, 3), 404, "another client");
}

#[test]
fn the_rate_of_a_route_and_the_streams_of_a_client_are_counted_over_both_servers() {
    const MAX_STREAMS: usize = 20;
    let cluster = Cluster::new();
    let ([one, mut two], callers) = two(&cluster);
    let settings = json!({ "allowPublicLinks": true, "allowAnonymousComments": true });
    callers[0].patch("/api/v1/instance/settings", settings).expect(200);
    let open = project_with(&callers[0], "open", "public-link");
    let guests = [one.anonymous(), two.anonymous()];

    let path = format!("{}/stream", comments(&open));
    let mut streams: Vec<EventStream> = (0..MAX_STREAMS).map(|turn| guests[turn % 2].stream(&path)).collect();
    guests.iter().for_each(|guest| drop(guest.get(&path).expect(429)));
    // One that is closed at one server makes room at the other.
    streams.remove(1);
    streams.push(eventually("a closed stream makes room", || {
        EventStream::open(&guests[0].request("GET", &path)).ok()
    }));
    guests.iter().for_each(|guest| drop(guest.get(&path).expect(429)));

    let write = |turn: usize| guests[turn % 2].post(&comments(&open), remark("Hello")).status;
    let began = Instant::now();
    let refused = (0..5_000)
        .find(|turn| write(*turn) == 429)
        .expect("a limit within 5,000 writes");
    if began.elapsed() < Duration::from_secs(60) {
        assert_eq!(refused, 120, "the 121st of a minute");
    }
    assert_eq!(write(1), 429, "at the other one, too");

    // A server that was killed holds none of them for long.
    two.kill();
    let freed: Vec<EventStream> = (0..3)
        .map(|_| {
            eventually("the streams of a server that is gone make room", || {
                EventStream::open(&guests[0].request("GET", &path)).ok()
            })
        })
        .collect();
    drop((freed, streams));
}

#[test]
fn the_link_that_makes_the_first_account_is_good_once_at_any_server() {
    let cluster = Cluster::new();
    let servers = [(); 2].map(|()| cluster.server().start());
    let links = [0, 1].map(|at| eventually("a one-time link in the log", || servers[at].local_link()));
    let make = |at: usize, link: usize, name: &str| {
        let form = format!("email={name}%40example.com&displayName={name}");
        servers[at].anonymous().submit(&links[link], &form)
    };
    servers[1].anonymous().open(&links[0]).expect(200);
    // All at once: each link at each server.
    let answers: Vec<u16> = std::thread::scope(|scope| {
        let make = &make;
        let tries =
            (0..8).map(|number| scope.spawn(move || make(number % 2, number / 2 % 2, &format!("p{number}")).status));
        let tries: Vec<_> = tries.collect();
        tries
            .into_iter()
            .map(|tried| tried.join().expect("it is answered"))
            .collect()
    });
    let made = answers.iter().filter(|status| (200..400).contains(*status)).count();
    assert_eq!(made, 1, "{answers:?}");
    for (server, link) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(make(server, link, "late").status, 404, "{link} at {server}");
    }
}

#[test]
fn a_code_for_a_prototypes_own_host_is_good_once_at_any_server() {
    let cluster = Cluster::new();
    let domain = format!("proto.localhost:{}", free_port());
    let servers = [(); 2].map(|()| cluster.server().env("SERVICE_SERVE_DOMAIN", &domain).start());
    let ana = servers[0].local_operator();
    let shop = project(&ana, "shop");
    upload(&ana, &shop, &Bundle::sample("Shop"));
    let host = format!("shop.{domain}");
    let code = || {
        let onward = ana.open("/open/shop").expect(303);
        let to = onward.header("location").expect("it leads somewhere").to_owned();
        to.strip_prefix(&format!("http://{host}"))
            .expect("to the prototype's host")
            .to_owned()
    };
    let enter = |at: usize, target: &str| {
        let answer = Request::new(servers[at].address(), "GET", target)
            .header("host", &host)
            .send();
        !answer.all("set-cookie").is_empty()
    };
    for (first, then) in [(0, 1), (1, 0)] {
        let target = code();
        assert!(target.starts_with("/.galley/enter?code="), "{target}");
        assert!(enter(first, &target), "at {first}");
        assert!(!enter(then, &target) && !enter(first, &target), "it is spent");
    }
}

#[test]
fn of_both_servers_one_renews_the_token_of_a_person() {
    const INSTALLATIONS: &str = "/api/v1/codehost/installations";
    let (cluster, host) = (Cluster::new(), CodeHost::start());
    let servers = [(); 2].map(|()| host.configure(cluster.server()).start());
    host.state().expire_user_tokens();
    host.state().user_tokens_live(30);
    let ed = host.sign_in(&servers[0], "octo-ed");
    let callers = [ed.clone(), at(&servers[1], &ed)];
    host.state().user_tokens_live(28_800);
    std::thread::scope(|scope| {
        for turn in 0..8 {
            let caller = &callers[turn % 2];
            scope.spawn(move || assert_eq!(caller.get(INSTALLATIONS).expect(200).json()["linked"], true));
        }
    });
    let requests = host.requests();
    let refreshes = requests
        .iter()
        .filter(|request| request.body.contains("grant_type=refresh_token"));
    assert_eq!(refreshes.count(), 1, "a refresh token works once");
}
