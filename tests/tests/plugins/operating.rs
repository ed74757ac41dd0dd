//! `galley plugins`: list, inspect, verify, enable, disable, approve.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// The entry of a slot in a list with the key `slot`.
fn slot(list: &Value, name: &str) -> Value {
    let entries = list["plugins"].as_array().expect("a list");
    entries
        .iter()
        .find(|entry| entry["slot"] == name)
        .unwrap_or_else(|| panic!("no {name} in {list}"))
        .clone()
}

#[test]
fn inspect_shows_routes_guards_and_imports_of_the_plugins() {
    let server = Server::start();
    let shown = server.galley(&["plugins", "inspect"]).expect(0).stdout;
    let expected = [
        "comments",
        "/api/v1/projects/{project}/comments",
        "/api/v1/projects/{project}/comments/stream",
        "project:comment",
        "project:read",
        "galley:sql/sql",
        "galley:bells/bells",
        "deployments",
        "/api/v1/projects/{project}/deployments",
        "project:manage",
        "galley:sites/publishing",
        "galley:logs/logs",
        "/api/v1/instance/settings",
        "instance:admin",
        "galley:administration/members",
    ];
    for word in expected {
        assert!(shown.contains(word), "`{word}` in\n{shown}");
    }
    let one = server.galley(&["plugins", "inspect", "comments"]).expect(0).stdout;
    assert!(
        one.contains("/comments/stream") && !one.contains("galley:builds"),
        "{one}"
    );
}

#[test]
fn inspect_json_holds_the_manifest() {
    let server = Server::start();
    let shown = server
        .galley(&["plugins", "inspect", "comments", "--json"])
        .expect(0)
        .json();
    let plugin = &shown["plugins"][0];
    let routes = plugin["manifest"]["routes"].as_array().expect("routes");
    assert!(
        routes
            .iter()
            .any(|route| route["method"] == "POST" && route["guard"]["kind"] == "project:comment")
    );
    let imports = plugin["imports"].as_array().expect("imports");
    assert!(
        imports
            .iter()
            .any(|import| import.as_str().unwrap().contains("galley:sql")),
        "{plugin}"
    );
    assert_eq!(text(plugin, "sha256").len(), 64);
}

#[test]
fn a_plugin_imports_only_what_it_uses() {
    let server = Server::start();
    let comments = server.galley(&["plugins", "inspect", "comments"]).expect(0).stdout;
    for absent in [
        "galley:administration",
        "galley:sites/publishing",
        "galley:outbound",
        "wasi:",
    ] {
        assert!(!comments.contains(absent), "{absent} in\n{comments}");
    }
}

#[test]
fn list_tells_what_fills_each_slot() {
    let mut server = Server::start();
    let list = server.galley(&["plugins", "list", "--json"]).expect(0).json();
    for name in ["admin", "comments", "deployments"] {
        let entry = slot(&list, name);
        assert_eq!(
            (&entry["enabled"], &entry["state"]),
            (&json!(true), &json!("serving")),
            "{entry}"
        );
        assert_eq!(entry["engines"], json!(["sqlite", "postgres"]), "{name}");
    }
    let inspected = server.galley(&["plugins", "inspect", "comments"]).expect(0).stdout;
    assert!(inspected.contains("for SQLite and PostgreSQL"), "{inspected}");
    // What each was approved for stands there in sentences, for people who did not approve it themselves.
    let may = slot(&list, "comments")["may"].as_array().cloned().unwrap_or_default();
    assert!(
        may.iter()
            .any(|power| power.as_str().unwrap_or_default().contains("mail")),
        "{may:?}"
    );
    assert!(
        server
            .galley(&["plugins", "list"])
            .expect(0)
            .stdout
            .contains("deployments")
    );
    server.stop();
    let offline = server.galley(&["plugins", "list", "--json"]).expect(0).json();
    assert_eq!(slot(&offline, "comments")["engines"], json!(["sqlite", "postgres"]));
}

#[test]
fn verify_finds_a_changed_file() {
    let operator = Operator::start();
    operator.server.galley(&["plugins", "verify"]).expect(0);
    let file = operator.plugins().join("comments.wasm");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.push(0);
    std::fs::write(&file, bytes).unwrap();
    let ended = operator.server.galley(&["plugins", "verify"]).expect(1);
    assert!(ended.stdout.contains("comments"), "{}", ended.stdout);
    assert!(
        ended.stderr.lines().last().unwrap_or_default().starts_with("galley: "),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_disabled_slot_has_no_routes_and_the_rest_serves() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    comment(&server.user("ed"), &shop, "Before");
    server.stop();
    server.galley(&["plugins", "disable", "comments"]).expect(0);
    server.again();
    let ed = server.user("ed");
    let unknown = ed.get("/api/v1/projects/x/no-such-route").expect(404).comparable();
    for path in ["comments", "comments/stream", "participants", "comments/x/replies"] {
        let answer = ed.get(&format!("/api/v1/projects/{shop}/{path}")).expect(404);
        assert_eq!(answer.comparable(), unknown, "the JSON 404 of an unknown path");
    }
    ed.post(&comments(&shop), remark("Lost")).expect(404);
    upload(&ed, &shop, &Bundle::sample("Still here"));
    ed.get("/p/shop/").expect(200);
    healthy(&server);

    server.stop();
    server.galley(&["plugins", "enable", "comments"]).expect(0);
    server.again();
    assert_eq!(bodies(&server.user("ed"), &shop), ["Before"], "its data stayed");
}

#[test]
fn a_running_server_follows_a_change() {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let path = comments(&shop);
    ed.get(&path).expect(200);
    server.galley(&["plugins", "disable", "comments"]).expect(0);
    eventually("the routes are gone", || (ed.get(&path).status == 404).then_some(()));
    server.galley(&["plugins", "enable", "comments"]).expect(0);
    eventually("the routes are back", || (ed.get(&path).status == 200).then_some(()));
}

#[test]
fn an_unknown_slot_is_an_error() {
    let server = Server::start();
    for command in ["enable", "disable", "approve", "inspect"] {
        let ended = server.galley(&["plugins", command, "nothing"]).expect(1);
        assert!(
            ended.stderr.starts_with("galley: ") && ended.stderr.contains("nothing"),
            "{}",
            ended.stderr
        );
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn a_file_nobody_approved_is_not_loaded() {
    let mut operator = Operator::start();
    operator.server.stop();
    operator.add_guest("empty");
    operator.server.again();
    operator.anonymous().get("/api/v1/x/empty").expect(404);
    let list = operator.server.galley(&["plugins", "list", "--json"]).expect(0).json();
    assert_eq!(list["notApproved"], json!(["empty.wasm"]));
}

#[test]
fn an_approved_file_is_loaded_until_it_changes() {
    let mut operator = Operator::start();
    operator.add_guest("empty");
    let shown = operator
        .server
        .galley(&["plugins", "inspect", "empty.wasm"])
        .expect(0)
        .stdout;
    assert!(shown.contains("/api/v1/x/empty") && shown.contains("public"), "{shown}");
    operator.approve("empty");
    let ask = |operator: &Operator| operator.anonymous().get("/api/v1/x/empty");
    eventually("the plugin serves", || (ask(&operator).status == 200).then_some(()));

    // Another plugin under the same name is another plugin.
    operator.server.stop();
    std::fs::copy(
        operator.plugins().join("comments.wasm"),
        operator.plugins().join("empty.wasm"),
    )
    .unwrap();
    operator.server.again();
    let refusal = ask(&operator).expect(503).error();
    assert!(refusal.contains("empty"), "{refusal}");
    degraded(&operator.server, &["empty"]);
}

#[test]
fn a_slot_can_be_filled_by_another_plugin() {
    let operator = Operator::start();
    let (from, to) = (
        operator.plugins().join("comments.wasm"),
        operator.plugins().join("mine.wasm"),
    );
    std::fs::copy(from, to).unwrap();
    let refusal = operator.server.galley(&["plugins", "approve", "mine.wasm"]).expect(1);
    assert!(refusal.stderr.contains("comments"), "{}", refusal.stderr);
    operator
        .server
        .galley(&["plugins", "approve", "mine.wasm", "--replace"])
        .expect(0);
    let list = operator.server.galley(&["plugins", "list", "--json"]).expect(0).json();
    assert_eq!(slot(&list, "comments")["file"], "mine.wasm");
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    let write = || ed.post(&comments(&shop), remark("Hello")).status;
    eventually("the other plugin serves", || (write() == 201).then_some(()));
}

#[test]
fn help_names_exit_codes_the_folder_and_what_each_limit_takes() {
    let server = Server::start();
    let help = |command: &[&str]| server.galley(&[command, &["--help"]].concat()).expect(0).stdout;
    let all = help(&["plugins"]);
    for words in [
        "SERVICE_DATA_DIR",
        "  3  for a plugin that does not fit",
        "--lose-writes",
    ] {
        assert!(all.contains(words), "`{words}` in {all}");
    }
    let limits = server
        .galley(&["plugins", "limits", "comments", "--json"])
        .expect(0)
        .json();
    let of_limits = help(&["plugins", "limits"]);
    for key in limits["limits"].as_object().expect("limits").keys() {
        assert!(of_limits.contains(&format!("\n  {key} ")), "`{key}` in {of_limits}");
    }
}
