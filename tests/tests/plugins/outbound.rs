//! Requests of plugins to the hosts of their manifests: nowhere else, with secrets that no plugin sees.

use std::io::Write;
use std::process::Stdio;
use std::time::Instant;

use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::outside::{Outside, SLOW};
use galley_tests::paths;
use galley_tests::prelude::*;

const TOKEN: &str = "a-token-for-the-outside-51e0";

struct World {
    operator: Operator,
    outside: Outside,
}

impl World {
    fn start() -> World {
        let outside = Outside::start(&["api.example.test", "key.example.test", "open.example.test"]);
        let operator = Operator::of(outside.reachable_by(Server::build()));
        operator.add_serving_guest("errands", "starts");
        World { operator, outside }
    }

    fn set_token(&self) {
        set_token(&self.operator, TOKEN);
    }

    fn send(&self, requests: Value, together: bool) -> Vec<Value> {
        send(&self.operator, requests, together)
    }

    fn one(&self, to: &str, path: &str) -> Value {
        self.send(json!([{ "to": to, "path": path }]), false).remove(0)
    }
}

/// Sets the secret `token`; an empty one takes it out.
fn set_token(operator: &Operator, token: &str) {
    let mut command = operator.server.command();
    command.args(["plugins", "config", "errands", "--secret", "token"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = pipes.spawn().expect("it starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    writeln!(stdin, "{token}").expect("it reads");
    drop(stdin);
    assert!(process.wait().expect("it ends").success());
}

fn send(operator: &Operator, requests: Value, together: bool) -> Vec<Value> {
    let body = json!({ "requests": requests, "together": together });
    let answers = operator.anonymous().post("/api/v1/x/errands/fetch", body);
    answers.expect(200).json().as_array().expect("a list").clone()
}

#[test]
fn a_secret_that_is_set_at_one_server_goes_with_the_requests_of_the_other() {
    let cluster = Cluster::new();
    let outside = Outside::start(&["api.example.test", "key.example.test", "open.example.test"]);
    let [one, two] = [(); 2].map(|()| Operator::of(outside.reachable_by(cluster.server())));
    let errands = paths::guest("errands").to_string_lossy().into_owned();
    one.server.galley(&["plugins", "install", &errands, "--yes"]).expect(0);
    eventually("the other one serves it", || {
        (two.anonymous().get("/api/v1/x/errands/starts").status == 200).then_some(())
    });
    let ask = || send(&two, json!([{ "to": "api.example.test", "path": "/v1" }]), false).remove(0);
    assert_eq!(ask()["code"], "unconfigured");
    for (operator, token) in [(&one, TOKEN), (&two, "another-token"), (&one, "a-third-token")] {
        set_token(operator, token);
        eventually("it goes with the request", || {
            let answer = ask();
            let asked = outside.asked();
            (answer["status"] == 200 && asked[0].contains(&format!("authorization: Bearer {token}"))).then_some(())
        });
    }
    set_token(&one, "");
    eventually("it is gone", || (ask()["code"] == "unconfigured").then_some(()));
    for operator in [&one, &two] {
        let said = operator.server.log();
        assert!(!said.contains(TOKEN) && !said.contains("a-third-token"));
    }
}

#[test]
fn a_declared_host_is_asked_with_the_secret_and_no_other() {
    let world = World::start();
    let early = world.one("api.example.test", "/v1");
    assert_eq!(early["code"], "unconfigured", "{early}");
    assert!(
        early["message"]
            .as_str()
            .unwrap()
            .contains("galley plugins config errands --secret token"),
        "{early}"
    );
    assert!(world.outside.asked().is_empty());

    world.set_token();
    let answer = world.one("api.example.test", "/v1?x=1");
    assert_eq!(
        (&answer["status"], &answer["body"]),
        (&json!(200), &json!("{\"ok\":true}")),
        "{answer}"
    );
    let asked = world.outside.asked().remove(0);
    assert!(asked.starts_with("GET /v1?x=1 HTTP/1.1"), "{asked}");
    assert!(asked.to_lowercase().contains("host: api.example.test\r\n"), "{asked}");
    assert!(asked.contains(&format!("authorization: Bearer {TOKEN}")), "{asked}");

    world.one("key.example.test", "/v1");
    let asked = world.outside.asked().remove(0);
    assert!(
        asked.contains(&format!("x-api-key: {TOKEN}")) && !asked.contains("Bearer"),
        "{asked}"
    );
    world.one("open.example.test", "/v1");
    assert!(!world.outside.asked().remove(0).contains(TOKEN));

    for to in [
        "other.example.test",
        "API.example.test",
        "api.example.test.",
        "127.0.0.1",
        "evil.api.example.test",
    ] {
        let answer = world.one(to, "/");
        assert_eq!(answer["code"], "denied", "{to}: {answer}");
    }
    assert_eq!(world.one("open.example.test", "/missing")["status"], 404);
    assert!(world.outside.asked().len() == 1, "nothing else left the server");
}

#[test]
fn no_request_leaves_its_host() {
    let world = World::start();
    world.set_token();
    assert_eq!(world.one("api.example.test", "/to//v1")["status"], 200);
    world.outside.asked();
    let local = format!("https://127.0.0.1:{}/v1", world.outside.address().port());
    for target in [
        "https://open.example.test/v1",
        "http://api.example.test/v1",
        "https://api.example.test:8443/v1",
        "https://localhost/v1",
        &local,
    ] {
        let answer = world.one("api.example.test", &format!("/to/{target}"));
        assert_eq!(answer["code"], "unreachable", "{target}: {answer}");
        assert!(
            answer["message"].as_str().unwrap().contains("redirects"),
            "{target}: {answer}"
        );
        assert_eq!(world.outside.asked().len(), 1, "{target}");
    }
    for path in [
        "",
        "v1",
        "//evil.example/\u{e9}",
        "@evil.example/",
        ":1/",
        "/a\\b",
        "/a\r\nx: y",
    ] {
        let answer = world.one("api.example.test", path);
        assert_eq!(answer["code"], "bad-request", "{path:?}: {answer}");
    }
    for header in [
        "authorization",
        "Host",
        "cookie",
        "x-forwarded-for",
        "proxy-authorization",
        "a b",
    ] {
        let request = json!([{ "to": "api.example.test", "path": "/", "headers": [[header, "x"]] }]);
        let answer = world.send(request, false).remove(0);
        assert_eq!(answer["code"], "bad-request", "{header}: {answer}");
    }
    let request = json!([{ "to": "key.example.test", "path": "/", "headers": [["X-Api-Key", "x"]] }]);
    assert_eq!(world.send(request, false)[0]["code"], "bad-request");
    assert!(world.outside.asked().is_empty());
    let cookies = world.one("api.example.test", "/cookies");
    let names: Vec<&str> = cookies["headers"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|pair| pair[0].as_str())
        .collect();
    assert!(names.contains(&"x-seen") && !names.contains(&"set-cookie"), "{cookies}");
}

#[test]
fn a_declared_host_whose_name_leads_into_a_private_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = folder.path().join("hosts");
    // As a name server answers whom somebody else owns the name of.
    let private = [
        "127.0.0.1 open.example.test",
        "10.7.7.7 api.example.test",
        "169.254.169.254 key.example.test",
        "::1 key.example.test",
    ];
    std::fs::write(&hosts, private.join("\n") + "\n").unwrap();
    let outside = Outside::start(&["open.example.test"]);
    let build = Server::build().env("SERVICE_OUTBOUND_CA", outside.authority());
    let operator = Operator::of(build.hosts(&hosts));
    operator.add_serving_guest("errands", "starts");
    let mut world = World { operator, outside };
    world.set_token();
    for to in ["open.example.test", "api.example.test", "key.example.test"] {
        let answer = world.one(to, "/v1");
        assert_eq!(answer["code"], "unreachable", "{answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(
            message.contains("not on the public internet") && message.contains("SERVICE_OUTBOUND_HOSTS"),
            "{to}: {message}"
        );
        world.operator.server.logs(&[&format!("the host {to} cannot be asked")]);
    }
    // The way out that the message names.
    let place = format!("open.example.test={}", world.outside.address());
    world.operator.server.stop();
    world.operator.server.set_env("SERVICE_OUTBOUND_HOSTS", place);
    world.operator.server.again();
    assert_eq!(world.one("open.example.test", "/v1")["status"], 200);
    assert_eq!(world.one("api.example.test", "/v1")["code"], "unreachable");
}

#[test]
fn requests_together_overlap_within_their_bounds() {
    let world = World::start();
    let many = |path: &str, count: usize| {
        let one = json!({ "to": "open.example.test", "path": path });
        Value::Array(vec![one; count])
    };
    let started = Instant::now();
    let answers = world.send(many("/slow", 6), true);
    assert!(answers.iter().all(|answer| answer["body"] == "slow"), "{answers:?}");
    assert!(
        started.elapsed() < SLOW * 4,
        "they did not overlap: {:?}",
        started.elapsed()
    );

    let mixed = json!([
        { "to": "open.example.test", "path": "/a" },
        { "to": "other.example.test", "path": "/b" },
        { "to": "open.example.test", "path": "/missing" },
    ]);
    let answers = world.send(mixed, true);
    assert_eq!(
        (&answers[0]["status"], &answers[2]["status"]),
        (&json!(200), &json!(404))
    );
    assert_eq!(answers[1]["code"], "denied");

    world.outside.asked();
    let answers = world.send(many("/a", 17), true);
    assert!(
        answers.len() == 17 && answers.iter().all(|answer| answer["code"] == "bad-request"),
        "{answers:?}"
    );
    assert!(world.outside.asked().is_empty());
    let large = world.one("open.example.test", "/large");
    assert_eq!(large["code"], "unreachable", "{large}");
    let answers = world.send(many("/three", 5), true);
    let fine = answers.iter().filter(|answer| answer["bytes"] == 3 << 20).count();
    assert!((1..=2).contains(&fine), "{fine} of 3 MiB each");

    world
        .operator
        .server
        .galley(&["plugins", "limits", "errands", "outbound=3/min"])
        .expect(0);
    let answers = world.send(many("/a", 10), true);
    let limited = answers.iter().filter(|answer| answer["code"] == "rate-limited").count();
    assert!(limited >= 7, "{answers:?}");
}

#[test]
fn a_certificate_of_somebody_else_is_refused() {
    let outside = Outside::start(&["open.example.test"]);
    let other = Outside::start(&["open.example.test"]);
    let build = outside
        .reachable_by(Server::build())
        .env("SERVICE_OUTBOUND_CA", other.authority());
    let operator = Operator::of(build);
    operator.add_guest("errands");
    operator.approve("errands");
    let world = World { operator, outside };
    let answer = eventually("it answers", || {
        let body = json!({ "requests": [{ "to": "open.example.test", "path": "/" }] });
        let answer = world.operator.anonymous().post("/api/v1/x/errands/fetch", body);
        (answer.status == 200).then(|| answer.json()[0].clone())
    });
    assert_eq!(answer["code"], "unreachable", "{answer}");
    assert!(world.outside.asked().is_empty());
}

#[test]
fn no_answer_log_or_output_holds_the_secret() {
    let mut world = World::start();
    world.set_token();
    let mut said = String::new();
    for (to, path) in [
        ("api.example.test", "/echo"),
        ("key.example.test", "/echo"),
        ("api.example.test", "/to/https://open.example.test/"),
        ("api.example.test", "/large"),
        ("api.example.test", "/v1"),
    ] {
        said.push_str(&world.one(to, path).to_string());
    }
    assert_eq!(world.one("api.example.test", "/echo")["code"], "unreachable");
    let seen = world
        .operator
        .anonymous()
        .get("/api/v1/x/errands/config/token")
        .expect(200);
    assert_eq!(seen.json(), json!({ "value": null, "hasSecret": true }));
    let server = &world.operator.server;
    for command in [
        &["plugins", "config", "errands"][..],
        &["plugins", "config", "errands", "--json"],
        &["plugins", "list", "--json"],
        &["plugins", "inspect", "errands", "--json"],
        &["plugins", "history", "errands", "--json"],
    ] {
        let ended = server.galley(command);
        said.push_str(&ended.stdout);
        said.push_str(&ended.stderr);
    }
    said.push_str(
        &server
            .admin()
            .get("/api/v1/instance/plugins/errands/config")
            .expect(200)
            .text(),
    );
    said.push_str(&server.admin().get("/api/v1/instance/audit").expect(200).text());
    world.operator.server.stop();
    said.push_str(&world.operator.server.log());
    assert!(!said.contains(TOKEN), "{said}");
    for (file, bytes) in world.operator.server.contents() {
        let found = bytes.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes());
        assert!(!found, "{file} holds the secret");
    }
}
