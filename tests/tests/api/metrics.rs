//! Figures for Prometheus: off by default, on a listener of their own, and without anything a person wrote.

use galley_tests::metrics::{figures, place};
use galley_tests::prelude::*;

#[test]
fn nobody_is_told_anything_by_default() {
    let server = Server::start();
    server.admin().get("/metrics").expect(404);
    assert!(!server.log().contains("Prometheus"));
}

#[test]
fn requests_are_counted_by_route_and_slot() {
    let server = Server::build().env("SERVICE_METRICS_LISTEN", "127.0.0.1:0").start();
    let place = place(&server);
    let shop = project(&server.user("ed"), "a-secret-name");
    for _ in 0..3 {
        comment(&server.user("ed"), &shop, "a secret remark");
    }
    server.anonymous().get("/api/v1/nothing/of/the/kind").expect(404);
    let stream = server.user("ed").stream(&format!("{}/stream", comments(&shop)));
    let figures = figures(place);
    drop(stream);
    let comments = "galley_http_requests_total{method=\"POST\",route=\"/api/v1/projects/{project}/comments\",\
                    slot=\"comments\",status=\"201\"} 3";
    for line in [
        comments,
        "route=\"/api/v1/projects\",slot=\"host\",status=\"201\"} 1",
        "route=\"none\",slot=\"host\",status=\"404\"} 1",
        "galley_http_request_duration_seconds_bucket{",
        "galley_plugin_traps_total{slot=\"comments\"} 0",
        "galley_open_streams 1",
        "galley_builds_running 0",
        "galley_mails_waiting 0",
        "process_resident_memory_bytes ",
    ] {
        assert!(figures.contains(line), "{line} is not in\n{figures}");
    }
    for secret in ["secret", &shop] {
        assert!(!figures.contains(secret), "{secret} is in\n{figures}");
    }
}

#[test]
fn each_slot_has_its_figures() {
    let server = Server::build().env("SERVICE_METRICS_LISTEN", "127.0.0.1:0").start();
    let shop = project(&server.user("ed"), "shop");
    comment(&server.user("ed"), &shop, "Hello");
    let figures = figures(place(&server));
    for line in [
        "galley_plugin_failures_total{slot=\"comments\",cause=\"trap\"} 0",
        "galley_plugin_failures_total{slot=\"comments\",cause=\"memory\"} 0",
        "galley_plugin_failures_total{slot=\"comments\",cause=\"timeout\"} 0",
        "# TYPE galley_plugin_call_duration_seconds histogram",
        "galley_plugin_call_duration_seconds_bucket{slot=\"comments\",le=\"+Inf\"} 1\n",
        "galley_plugin_call_duration_seconds_count{slot=\"comments\"} 1\n",
        "galley_plugin_calls_total{slot=\"comments\"} 1\n",
        "galley_plugin_serves{slot=\"comments\"} 1\n",
        "# TYPE galley_plugin_events_set_aside gauge",
    ] {
        assert!(figures.contains(line), "{line} is not in\n{figures}");
    }
    for (name, least) in [("instances", 1), ("memory_bytes", 64 << 10)] {
        let start = format!("galley_plugin_{name}{{slot=\"comments\"}} ");
        let value = figures.lines().find_map(|line| line.strip_prefix(&start));
        let value: u64 = value.expect(name).parse().unwrap();
        assert!(value >= least, "{name}: {value}");
    }
}

#[test]
fn the_figures_are_not_on_the_public_listener_and_the_api_is_not_on_theirs() {
    let server = Server::build().env("SERVICE_METRICS_LISTEN", "127.0.0.1:0").start();
    server.admin().get("/metrics").expect(404);
    galley_tests::http::Request::new(place(&server), "GET", "/api/v1/health")
        .send()
        .expect(404);
}

#[test]
fn a_wrong_address_stops_the_boot() {
    let failed = Server::build()
        .env("SERVICE_METRICS_LISTEN", "here")
        .try_start()
        .unwrap_err();
    assert_eq!(failed.code, Some(1));
    assert!(
        failed.stderr.contains("SERVICE_METRICS_LISTEN is `here`"),
        "{}",
        failed.stderr
    );
}

#[test]
fn the_access_line_names_route_and_slot() {
    let server = Server::build()
        .env("SERVICE_LOG", "info,access=debug")
        .env("SERVICE_LOG_FORMAT", "json")
        .start();
    let shop = project(&server.user("ed"), "shop");
    let answer = server.user("ed").get(&comments(&shop)).expect(200);
    let id = answer.header("x-request-id").unwrap().to_owned();
    let line = eventually("the access line", || {
        let log = server.log();
        let line = log
            .lines()
            .find(|line| line.contains(&id) && line.contains("\"access\""))?;
        serde_json::from_str::<Value>(line).ok()
    });
    let fields = &line;
    assert_eq!(fields["route"], "/api/v1/projects/{project}/comments", "{line}");
    assert_eq!(fields["slot"], "comments");
    assert_eq!(fields["status"], 200);
    assert_eq!(fields["request"], id.as_str());
}
