//! Traces by OTLP: a request, the plugin's call in it, and each host call in that are one trace.

use std::time::{Duration, Instant};

use galley_tests::codehost::CodeHost;
use galley_tests::collector::{Collector, Span};
use galley_tests::operator::Operator;
use galley_tests::prelude::*;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn traced(collector: &Collector) -> Server {
    Server::build()
        .env("SERVICE_OTLP_ENDPOINT", collector.endpoint())
        .start()
}

/// The spans of a trace, once there is one that `is_last`.
fn trace(collector: &Collector, id: &str, is_last: impl Fn(&Span) -> bool) -> Vec<Span> {
    eventually("the trace arrives", || {
        let spans: Vec<Span> = collector.spans().into_iter().filter(|span| span.trace == id).collect();
        spans.iter().any(&is_last).then_some(spans)
    })
}

#[test]
fn one_trace_holds_request_guest_and_host_calls() {
    let collector = Collector::start();
    let mut server = traced(&collector);
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "a-secret-remark-51cc");
    comment(&ed, &shop, "Another");
    let request = ed.request("GET", &format!("{}?q=a-secret-query-51cc", comments(&shop)));
    let answer = request
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .send()
        .expect(200);
    let spans = trace(&collector, TRACE, |span| span.parent == PARENT);
    let find = |name: &str| {
        let found = spans.iter().find(|span| span.name == name);
        found.unwrap_or_else(|| panic!("no span `{name}` in {spans:#?}"))
    };
    let request = find("GET /api/v1/projects/{project}/comments");
    assert_eq!(request.parent, PARENT, "the client's trace goes on");
    assert_eq!(request.attribute("http.response.status_code"), Some("200"));
    assert_eq!(request.attribute("galley.slot"), Some("comments"));
    assert_eq!(request.attribute("galley.request_id"), answer.header("x-request-id"));
    let guest = find("guest comments");
    assert_eq!(guest.parent, request.id);
    let query = find("sql.query");
    assert_eq!(query.parent, guest.id);
    let queries = spans.iter().filter(|span| span.name == "sql.query");
    let rows: Vec<_> = queries.filter_map(|span| span.attribute("galley.rows")).collect();
    assert!(rows.contains(&"2"), "{rows:?}");
    assert!(query.attribute("galley.bytes").is_some(), "{query:?}");
    // A write goes on when its client leaves, and is in the trace all the same.
    let written = eventually("the write arrives", || {
        let spans = collector.spans();
        let batch = spans.iter().find(|span| span.name == "sql.batch")?;
        let guest = spans.iter().find(|span| span.id == batch.parent)?;
        let request = spans.iter().find(|span| span.id == guest.parent)?;
        Some(request.name.clone())
    });
    assert_eq!(written, "POST /api/v1/projects/{project}/comments");
    server.stop();
    let bytes = collector.bytes();
    for secret in ["51cc", "INSERT INTO", &shop, ed.secret()] {
        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "`{secret}` is in a span");
    }
    assert!(collector.spans().iter().all(|span| span.events == 0));
}

#[test]
fn failures_are_in_the_trace_and_the_last_spans_are_sent_at_the_end() {
    let collector = Collector::start();
    let mut operator = Operator::of(Server::build().env("SERVICE_OTLP_ENDPOINT", collector.endpoint()));
    operator.add_serving_guest("hostile", "nothing");
    operator.anonymous().get("/api/v1/x/hostile/panic").expect(500);
    operator.server.stop();
    let spans = collector.spans();
    let failed = spans
        .iter()
        .find(|span| span.attribute("http.response.status_code") == Some("500"))
        .expect("the failed request");
    assert_eq!(failed.name, "GET /api/v1/x/hostile/{deed}");
}

#[test]
fn a_collector_that_is_gone_harms_nobody() {
    // Nobody listens there; and one that never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    for endpoint in ["http://127.0.0.1:1".to_owned(), silent] {
        let mut server = Server::build().env("SERVICE_OTLP_ENDPOINT", endpoint).start();
        let ed = server.user("ed");
        let shop = project(&ed, "shop");
        let begun = Instant::now();
        for _ in 0..200 {
            ed.get(&comments(&shop)).expect(200);
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let begun = Instant::now();
        server.stop();
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    }
}

#[test]
fn only_so_many_requests_of_a_second_are_traced_and_those_whole() {
    let collector = Collector::start();
    let begun = Instant::now();
    let mut server = Server::build()
        .env("SERVICE_OTLP_ENDPOINT", collector.endpoint())
        .env("SERVICE_OTLP_TRACES_PER_SECOND", "5")
        .start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let mut asked = 0;
    // The plugins' starts are traces, too, and may have used up what the first second brings.
    while asked < 400 || begun.elapsed() < Duration::from_secs(2) {
        // What anybody can claim opens no way around the bound.
        let flag = if asked % 2 == 0 { "01" } else { "00" };
        let request = ed.request("GET", &comments(&shop));
        request
            .header("traceparent", format!("00-{TRACE}-{PARENT}-{flag}"))
            .send()
            .expect(200);
        asked += 1;
    }
    server.stop();
    let seconds = begun.elapsed().as_secs() as usize;
    let spans = collector.spans();
    let (requests, inner): (Vec<&Span>, Vec<&Span>) = spans
        .iter()
        .partition(|span| span.attribute("galley.request_id").is_some());
    assert!(
        (1..=5 * (seconds + 2)).contains(&requests.len()),
        "{} in {seconds} s",
        requests.len()
    );
    assert!(requests.len() < asked / 2);
    for span in inner.into_iter().filter(|span| !span.parent.is_empty()) {
        assert!(
            spans.iter().any(|outer| outer.id == span.parent),
            "{span:?} lies in nothing"
        );
    }
}

#[test]
fn an_endpoint_is_checked_and_its_secrets_are_not_repeated() {
    let server = Server::start();
    for (endpoint, words) in [
        ("collector:4318", "SERVICE_OTLP_ENDPOINT"),
        ("http://ann:a-secret-9d@collector:4318", "OTEL_EXPORTER_OTLP_HEADERS"),
    ] {
        let mut galley = server.command();
        galley.arg("check-config").env("SERVICE_OTLP_ENDPOINT", endpoint);
        let ended = galley_tests::cli::run(&mut galley).expect(1);
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
        assert!(!ended.stderr.contains("a-secret-9d"), "{}", ended.stderr);
    }
}

#[test]
fn requests_to_the_outside_carry_the_trace() {
    let collector = Collector::start();
    let host = CodeHost::start();
    let build = Server::build().env("SERVICE_OTLP_ENDPOINT", collector.endpoint());
    let server = host.configure(build).start();
    let ed = host.sign_in(&server, "octo-ed");
    let asked = ed.request("GET", "/api/v1/codehost/installations");
    asked
        .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
        .send()
        .expect(200);
    let carried: Vec<String> = host
        .requests()
        .iter()
        .filter_map(|request| request.headers.get("traceparent").cloned())
        .collect();
    let spans = trace(&collector, TRACE, |span| span.parent == PARENT);
    let fetch = spans
        .iter()
        .find(|span| span.name == "outbound.fetch")
        .expect("the host call");
    assert!(carried.contains(&format!("00-{TRACE}-{}-01", fetch.id)), "{carried:?}");
}
