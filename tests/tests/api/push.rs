//! Deliveries of the code host.

use galley_tests::codehost::delivery::{PATH, push, signature};
use galley_tests::codehost::examples::examples;
use galley_tests::codehost::{CodeHost, Delivery, Repository, WEBHOOK_SECRET};
use galley_tests::prelude::*;

pub const COMMIT: &str = "0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c";
const BUILD_REQUESTED: &str = "repo/build-requested";
const UNSIGNED: &str = "The request is not signed with this server's secret: X-Hub-Signature-256 is missing or wrong";

pub fn start() -> (CodeHost, Server) {
    let host = CodeHost::start();
    let server = host.configure(Server::build()).start();
    server.core().keep_events(BUILD_REQUESTED);
    (host, server)
}

/// A project that is connected to the storefront.
#[track_caller]
pub fn connected(server: &Server, slug: &str, branch: &str, auto_deploy: bool) -> String {
    let id = project(&server.admin(), slug);
    let body = json!({
        "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": branch, "autoDeploy": auto_deploy,
    });
    server
        .admin()
        .put(&format!("/api/v1/projects/{id}/repo"), body)
        .expect(200);
    id
}

pub fn queued(answer: Response) -> Value {
    answer.expect(200).json()["queued"].clone()
}

/// What was published since the start, in order: the data of each `build-requested`.
///
/// The answer to a push is given when its events are in the plugin's database. They go on from there on their own, and a server
/// that ends before goes on with it when it starts again: whatever is to come is waited for.
pub fn requested(server: &mut Server, is_all: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let published = |server: &Server| server.core().events(BUILD_REQUESTED);
    eventually("the builds are requested", || is_all(&published(server)).then_some(()));
    server.stop();
    let events = published(server);
    server.again();
    events
}

/// For [`requested`]: all are there when there are so many.
pub fn count(count: usize) -> impl Fn(&[Value]) -> bool {
    move |events| events.len() == count
}

#[test]
fn a_push_asks_for_a_build_of_every_project_that_matches() {
    let (_host, mut server) = start();
    let first = connected(&server, "shop", "main", true);
    let second = connected(&server, "shop-again", "main", true);
    connected(&server, "by-hand", "main", false);
    connected(&server, "other-branch", "next", true);
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    assert_eq!(delivery.send(&server).expect(200).json(), json!({ "queued": 2 }));
    let mut expected =
        [first, second].map(|id| json!({ "projectId": id, "commitSha": COMMIT, "branch": "main", "deliveryId": "d1" }));
    expected.sort_by_key(|event| event["projectId"].to_string());
    assert_eq!(requested(&mut server, count(2)), expected);
}

#[test]
fn repositories_are_compared_by_id_and_branches_with_their_letter_case() {
    let (_host, server) = start();
    connected(&server, "shop", "feature/new-cart", true);
    let push = |id: &str, name: &str, branch: &str| queued(Delivery::push(id, name, branch, COMMIT).send(&server));
    assert_eq!(push("1", "Octo-Org/Storefront", "feature/new-cart"), 1);
    assert_eq!(push("2", "Octo-Org/Storefront", "Feature/new-cart"), 0);
    assert_eq!(push("3", "Octo-Org/Storefront", "new-cart"), 0);
    assert_eq!(push("4", "Octo-Org/Storefront", "feature"), 0);
    assert_eq!(push("5", "Octo-Org/Storefront-2", "feature/new-cart"), 0);
    assert_eq!(push("6", "evil/Storefront", "feature/new-cart"), 0);
}

#[test]
fn nothing_that_matches_is_a_success() {
    let (_host, server) = start();
    let delivery = Delivery::push("d1", "nobody/nothing", "main", COMMIT);
    assert_eq!(delivery.send(&server).expect(200).json(), json!({ "queued": 0 }));
}

#[test]
fn a_delivery_that_comes_again_asks_for_nothing_again() {
    let (_host, mut server) = start();
    connected(&server, "shop", "main", true);
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    assert_eq!(queued(delivery.send(&server)), 1);
    assert_eq!(queued(delivery.send(&server)), 1, "the same answer");
    server.kill();
    server.again();
    assert_eq!(queued(delivery.send(&server)), 1);
    let all = std::thread::scope(|scope| {
        let same = Delivery::push("d2", "Octo-Org/Storefront", "main", &"2".repeat(40));
        let tries: Vec<_> = (0..8)
            .map(|_| {
                let (same, server) = (same.clone(), &server);
                scope.spawn(move || queued(same.send(server)))
            })
            .collect();
        tries
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(all.iter().all(|queued| queued == 1), "{all:?}");
    // The event of the first one may be handed on again after the kill: that is what its delivery id is for.
    let of_second = |event: &Value| event["deliveryId"] == "d2";
    let events = requested(&mut server, |events| events.iter().any(of_second));
    assert_eq!(events.iter().filter(|event| of_second(event)).count(), 1, "{events:?}");
}

#[test]
fn a_delivery_without_an_id_is_known_by_its_signature() {
    let (_host, mut server) = start();
    connected(&server, "shop", "main", true);
    let request = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT)
        .request(&server)
        .without("x-github-delivery");
    assert_eq!(queued(request.send()), 1);
    assert_eq!(queued(request.send()), 1);
    assert_eq!(requested(&mut server, count(1)).len(), 1);
}

#[test]
fn tags_deletions_and_other_references_are_not_built() {
    let (_host, mut server) = start();
    connected(&server, "shop", "main", true);
    let full = "Octo-Org/Storefront";
    let references = [
        "refs/tags/main",
        "refs/tags/v1.0",
        "refs/pull/1/head",
        "main",
        "heads/main",
        "refs/heads",
        "refs/heads/",
        "",
    ];
    for (number, reference) in references.into_iter().enumerate() {
        let delivery = Delivery::new("push", &format!("r{number}"), &push(full, reference, COMMIT));
        assert_eq!(queued(delivery.send(&server)), 0, "{reference}");
    }
    let mut deleted = push(full, "refs/heads/main", COMMIT);
    deleted["deleted"] = true.into();
    assert_eq!(queued(Delivery::new("push", "x1", &deleted).send(&server)), 0);
    let zeros = push(full, "refs/heads/main", &"0".repeat(40));
    assert_eq!(queued(Delivery::new("push", "x2", &zeros).send(&server)), 0);
    assert!(requested(&mut server, count(0)).is_empty());
}

#[test]
fn a_commit_that_asks_not_to_be_built_is_not() {
    let (_host, server) = start();
    connected(&server, "shop", "main", true);
    let send = |id: &str, message: Value| {
        let mut body = push("Octo-Org/Storefront", "refs/heads/main", COMMIT);
        body["head_commit"]["message"] = message;
        queued(Delivery::new("push", id, &body).send(&server))
    };
    for (number, marker) in ["[skip galley]", "[galley skip]", "[skip ci]", "[CI skip]", "[No CI]"]
        .into_iter()
        .enumerate()
    {
        let message = format!("Mend a typo\n\nNothing to see. {marker}");
        assert_eq!(send(&format!("s{number}"), message.into()), 0, "{marker}");
    }
    assert_eq!(send("t1", "skip ci, said nobody".into()), 1);
    assert_eq!(send("t2", Value::Null), 1);
}

#[test]
fn other_events_are_acknowledged_and_ignored() {
    let (_host, mut server) = start();
    connected(&server, "shop", "main", true);
    let body = push("Octo-Org/Storefront", "refs/heads/main", COMMIT);
    for event in ["ping", "pull_request", "issues", "Push", "create", "", "x y"] {
        let answer = Delivery::new(event, event, &body).send(&server).expect(200).json();
        assert_eq!(answer, json!({ "ignored": true }), "{event}");
    }
    let request = Delivery::new("push", "d", &body)
        .request(&server)
        .without("x-github-event");
    assert_eq!(request.send().expect(200).json(), json!({ "ignored": true }));
    assert!(requested(&mut server, count(0)).is_empty());
}

#[test]
fn githubs_own_samples_are_taken() {
    let (host, mut server) = start();
    let hello = Repository::new(186_853_002, "Codertocat", "Hello-World").with_branches(["master"]);
    host.edit(|world| world.installation_mut(101).repositories.push(hello));
    let id = project(&server.admin(), "hello");
    let body = json!({
        "installationId": 101, "owner": "Codertocat", "name": "Hello-World", "branch": "master", "autoDeploy": true,
    });
    server
        .admin()
        .put(&format!("/api/v1/projects/{id}/repo"), body)
        .expect(200);
    let (mut pushes, mut built) = (0, 0);
    for (number, (event, body)) in examples().into_iter().enumerate() {
        let answer = Delivery::new(&event, &format!("sample-{number}"), &body).send(&server);
        let answer = answer.expect(200).json();
        if event != "push" {
            assert_eq!(answer, json!({ "ignored": true }), "{event}");
            continue;
        }
        pushes += 1;
        let is_branch = body["ref"] == "refs/heads/master" && body["deleted"] == false;
        built += u32::from(is_branch);
        assert_eq!(answer["queued"], u32::from(is_branch), "{}", body["ref"]);
    }
    assert_eq!((pushes, built), (7, 2));
    let commits: Vec<_> = requested(&mut server, count(2))
        .iter()
        .map(|event| event["commitSha"].clone())
        .collect();
    assert_eq!(commits, ["6113728f27ae82c7b1a177c8d03f9e96e0adf246"; 2]);
}

#[test]
fn without_a_secret_it_answers_503() {
    let host = CodeHost::start();
    let unset = host.configure_repositories(Server::build()).start();
    let empty = host
        .configure(Server::build())
        .env("SERVICE_REPO_APP_WEBHOOK_SECRET", "")
        .start();
    for server in [unset, empty] {
        let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
        delivery.send(&server).refused(503, "Webhooks are not configured");
        let with_empty_secret = delivery
            .request(&server)
            .header("x-hub-signature-256", signature("", &delivery.body));
        with_empty_secret.send().refused(503, "Webhooks are not configured");
        server
            .anonymous()
            .post(PATH, json!({}))
            .refused(503, "Webhooks are not configured");
    }
}

#[test]
fn the_published_vector_is_accepted() {
    let (_host, server) = start();
    let request = server
        .anonymous()
        .request("POST", PATH)
        .header("x-github-event", "ping")
        .body("Hello, World!");
    let signed = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    let answer = request.clone().header("x-hub-signature-256", signed).send().expect(200);
    assert_eq!(answer.json(), json!({ "ignored": true }));
    // It is the body that is signed, not what it means: this one is no push.
    let pushed = request
        .header("x-hub-signature-256", signed)
        .header("x-github-event", "push");
    assert!(!pushed.send().expect(400).error().is_empty());
}

#[test]
fn a_bad_signature_is_a_401() {
    let (_host, mut server) = start();
    connected(&server, "shop", "main", true);
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    let good = delivery.signature();
    let hex = good.strip_prefix("sha256=").unwrap().to_owned();
    let mut flipped = hex.clone().into_bytes();
    flipped[0] = if flipped[0] == b'0' { b'1' } else { b'0' };
    let forged = [
        String::new(),
        hex.clone(),
        format!("sha1={hex}"),
        format!("sha1={}", &hex[..40]),
        format!("sha256={}", String::from_utf8(flipped).unwrap()),
        format!("sha256={}", hex.to_uppercase()),
        format!("SHA256={hex}"),
        format!("sha256= {hex}"),
        format!("sha256={hex}0"),
        format!("sha256={}", &hex[..63]),
        format!("sha256={}", &hex[..62]),
        "sha256=".to_owned(),
        format!("{good}, {good}"),
        signature("", &delivery.body),
        signature("another secret", &delivery.body),
        signature(WEBHOOK_SECRET, b"another body"),
    ];
    for header in &forged {
        let request = delivery.request(&server).header("x-hub-signature-256", header.as_str());
        request.send().refused(401, UNSIGNED);
    }
    delivery
        .request(&server)
        .without("x-hub-signature-256")
        .send()
        .refused(401, UNSIGNED);
    let mut twice = delivery.request(&server);
    twice.headers.push(("X-Hub-Signature-256".into(), good.clone()));
    twice.send().refused(401, UNSIGNED);
    let mut sha1 = delivery.request(&server).without("x-hub-signature-256");
    sha1.headers.push(("x-hub-signature".into(), good.clone()));
    sha1.send().refused(401, UNSIGNED);
    for at in [0, delivery.body.len() / 2, delivery.body.len() - 1] {
        let mut body = delivery.body.clone();
        body[at] ^= 1;
        delivery.request(&server).body(body).send().refused(401, UNSIGNED);
    }
    let mut longer = delivery.body.clone();
    longer.push(b'\n');
    delivery.request(&server).body(longer).send().refused(401, UNSIGNED);
    assert!(requested(&mut server, count(0)).is_empty());
}

#[test]
fn no_other_credential_stands_in_for_the_signature() {
    let (_host, server) = start();
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    for caller in [
        server.admin(),
        server.user("ada"),
        server.token("ada", &["read", "write"]),
    ] {
        let request = caller
            .request("POST", PATH)
            .header("x-github-event", "push")
            .body(delivery.body.clone());
        request.send().refused(401, UNSIGNED);
    }
    // Nor does another one take anything away from it.
    let request = delivery
        .request(&server)
        .header("authorization", "Bearer of-something-else");
    assert_eq!(queued(request.send()), 0);
}

#[test]
fn a_signed_body_that_is_no_push_is_a_400() {
    let (_host, server) = start();
    let send = |body: &[u8]| {
        let delivery = Delivery {
            event: "push".into(),
            id: "d".into(),
            body: body.to_vec(),
        };
        delivery.send(&server).expect(400).error()
    };
    for body in [
        "",
        "{",
        "[]",
        "null",
        "5",
        "{}",
        r#"{"ref":5}"#,
        r#"{"ref":"refs/heads/main","after":"1"}"#,
        "\u{0}",
    ] {
        assert!(!send(body.as_bytes()).is_empty(), "{body}");
    }
    send(&[0xff, 0xfe]);
    assert!(send(b"payload=%7B%7D").contains("application/json"));
    let mut nested = push("a/b", "refs/heads/main", COMMIT);
    nested["repository"]["full_name"] = json!({ "a": 1 });
    assert!(send(nested.to_string().as_bytes()).contains("full_name"));
    healthy(&server);
}

#[test]
fn a_body_over_the_bound_is_a_413() {
    let (_host, server) = start();
    let mut body = push("Octo-Org/Storefront", "refs/heads/main", COMMIT);
    body["padding"] = "x".repeat(7 << 20).into();
    assert_eq!(queued(Delivery::new("push", "large", &body).send(&server)), 0);
    body["padding"] = "x".repeat(8 << 20).into();
    Delivery::new("push", "larger", &body).send(&server).expect(413);
}

#[test]
fn an_app_that_is_taken_away_disconnects_what_it_served() {
    let (_host, server) = start();
    let id = connected(&server, "shop", "main", true);
    let repo = || server.admin().get(&format!("/api/v1/projects/{id}")).expect(200).json()["repo"].clone();
    let send = |event: &str, body: Value| {
        let answer = Delivery::new(event, event, &body).send(&server).expect(200);
        assert_eq!(answer.json(), json!({ "ignored": true }));
    };
    let other = json!({ "id": 5002, "full_name": "Octo-Org/tools" });
    send(
        "installation",
        json!({ "action": "created", "installation": { "id": 101 } }),
    );
    send(
        "installation",
        json!({ "action": "deleted", "installation": { "id": 202 } }),
    );
    send(
        "installation_repositories",
        json!({ "action": "added", "installation": { "id": 101 }, "repositories_removed": [] }),
    );
    send(
        "installation_repositories",
        json!({ "action": "removed", "installation": { "id": 101 }, "repositories_removed": [other] }),
    );
    assert_eq!(repo()["name"], "Storefront");
    // Another repository has the name by now.
    let stranger = json!({ "id": 777, "full_name": "Octo-Org/Storefront" });
    send(
        "installation_repositories",
        json!({ "action": "removed", "installation": { "id": 101 }, "repositories_removed": [stranger] }),
    );
    assert_eq!(repo()["name"], "Storefront");
    let gone = json!({ "id": 5001, "full_name": "octo-org/shopfront" });
    send(
        "installation_repositories",
        json!({ "action": "removed", "installation": { "id": 101 }, "repositories_removed": [gone] }),
    );
    assert_eq!(repo(), Value::Null);
    let again = connected(&server, "shop-again", "main", true);
    send(
        "installation",
        json!({ "action": "deleted", "installation": { "id": 101 } }),
    );
    let shown = server
        .admin()
        .get(&format!("/api/v1/projects/{again}"))
        .expect(200)
        .json();
    assert_eq!(shown["repo"], Value::Null);
}

#[test]
fn the_origin_of_a_delivery_does_not_matter() {
    let (_host, server) = start();
    let delivery = Delivery::push("d1", "Octo-Org/Storefront", "main", COMMIT);
    let request = delivery.request(&server).header("origin", "https://evil.example");
    assert_eq!(
        queued(request.send()),
        0,
        "no cookie, no authority to borrow: the signature counts"
    );
    let get = server.anonymous().get(PATH).expect(405);
    assert_eq!(get.header("allow"), Some("POST"));
}
