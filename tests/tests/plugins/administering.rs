//! `/api/v1/instance/plugins`: the commands of the operator, for admins.

use std::fs;

use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

const PLUGINS: &str = "/api/v1/instance/plugins";

/// Stages a file; the answer is its hash.
fn stage(admin: &Client, file: &std::path::Path) -> String {
    let wasm = fs::read(file).unwrap();
    let target = format!("{PLUGINS}/artifacts?name=x.wasm");
    let answer = admin
        .request("POST", &target)
        .header("content-type", "application/wasm")
        .body(wasm)
        .send();
    text(&answer.expect(201).json(), "sha256")
}

fn actions(admin: &Client) -> Vec<String> {
    let audit = admin.get("/api/v1/instance/audit").expect(200).json();
    let entries = audit["entries"].as_array().expect("entries").clone();
    entries.iter().map(|entry| text(entry, "action")).collect()
}

#[test]
fn an_admin_installs_updates_and_removes() {
    let operator = Operator::start();
    let admin = operator.server.user("ada");
    let sha256 = stage(&admin, &paths::guest("empty"));
    let refused = admin.post(PLUGINS, json!({ "sha256": sha256 })).expect(409).json();
    assert_eq!(refused["kind"], "needs-approval", "{refused}");
    assert_eq!(text(&refused["review"], "sha256"), sha256);
    operator.anonymous().get("/api/v1/x/empty").expect(404);
    let body = json!({ "sha256": sha256, "source": "x.wasm", "approved": true });
    let done = admin.post(PLUGINS, body).expect(200).json();
    assert_eq!(
        (text(&done, "slot"), text(&done, "state")),
        ("empty".into(), "serving".into())
    );
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    let next = stage(&admin, &{
        fs::copy(paths::guest("empty"), operator.plugins().join("empty.wasm")).unwrap();
        operator.another("empty", 1)
    });
    let of = |rest: &str| format!("{PLUGINS}/empty{rest}");
    admin.post(&of("/update"), json!({ "sha256": next })).expect(200);
    let history = admin.get(&of("/history")).expect(200).json();
    assert_eq!(text(&history["present"], "sha256"), next);
    assert_eq!(text(&history["before"][0], "sha256"), sha256);
    admin.post(&of("/rollback"), json!({})).expect(200);
    let list = admin.get(PLUGINS).expect(200).json();
    let rows = list["plugins"].as_array().unwrap();
    assert!(
        rows.iter()
            .any(|row| row["slot"] == "empty" && row["sha256"] == sha256.as_str()),
        "{list}"
    );
    let limits = admin
        .patch(&of("/limits"), json!({ "memory": "32MiB" }))
        .expect(200)
        .json();
    assert_eq!(limits["limits"]["memory"], "32MiB");
    admin.patch(&of("/limits"), json!({ "memory": "a lot" })).expect(400);
    admin
        .patch(&of("/config"), json!({ "settings": { "colour": "red" } }))
        .expect(200);
    assert_eq!(
        admin.get(&of("/config")).expect(200).json()["settings"]["colour"],
        "red"
    );
    admin.post(&of("/disable"), json!({})).expect(200);
    operator.anonymous().get("/api/v1/x/empty").expect(404);
    admin.post(&of("/enable"), json!({})).expect(200);
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    admin.delete(&of("?purge=true")).expect(200);
    operator.anonymous().get("/api/v1/x/empty").expect(404);
    let expected = [
        "plugin-removed",
        "plugin-enabled",
        "plugin-disabled",
        "plugin-configured",
        "plugin-limits-changed",
        "plugin-rolled-back",
        "plugin-updated",
        "plugin-installed",
    ];
    assert_eq!(actions(&admin)[..expected.len()], expected);
}

#[test]
fn what_is_refused_says_why_and_changes_nothing() {
    let operator = Operator::start();
    let admin = operator.server.admin();
    let before = actions(&admin);
    let clash = stage(&admin, &paths::guest("clash"));
    let refused = admin
        .post(PLUGINS, json!({ "sha256": clash, "approved": true }))
        .expect(409)
        .error();
    assert!(refused.contains("comments") && refused.contains("GET"), "{refused}");
    let garbage = admin
        .request("POST", &format!("{PLUGINS}/artifacts?name=page.html"))
        .body(b"<html>".to_vec())
        .send()
        .expect(400)
        .error();
    assert!(
        garbage.contains("page.html") && garbage.contains("not WebAssembly"),
        "{garbage}"
    );
    for hash in ["", "../../core", &"0".repeat(63), &"g".repeat(64)] {
        admin.post(PLUGINS, json!({ "sha256": hash })).expect(400);
    }
    admin.post(PLUGINS, json!({ "sha256": "0".repeat(64) })).expect(409);
    admin.post(&format!("{PLUGINS}/nothing/enable"), json!({})).expect(404);
    admin.delete(&format!("{PLUGINS}/comments")).expect(409);
    admin.delete(&format!("{PLUGINS}/comments?purge=maybe")).expect(400);
    admin
        .delete(&format!("{PLUGINS}/comments?purge=true&purge=true"))
        .expect(400)
        .error();
    assert_eq!(actions(&admin), before);
    healthy(&operator.server);
}

#[test]
fn only_admins_may() {
    let operator = Operator::start();
    let callers = [
        (operator.anonymous(), 401),
        (operator.server.user("ed"), 403),
        (operator.server.token("ada", &["read"]), 403),
    ];
    for (caller, status) in callers {
        caller.get(PLUGINS).expect(status);
        caller.post(PLUGINS, json!({ "sha256": "0".repeat(64) })).expect(status);
        caller
            .post(&format!("{PLUGINS}/comments/disable"), json!({}))
            .expect(status);
        caller.delete(&format!("{PLUGINS}/comments")).expect(status);
        caller.post(&format!("{PLUGINS}/artifacts"), json!({})).expect(status);
        caller
            .patch(&format!("{PLUGINS}/comments/limits"), json!({}))
            .expect(status);
        caller.get(&format!("{PLUGINS}/comments/config")).expect(status);
    }
    operator
        .server
        .token("ada", &["read", "write"])
        .get(PLUGINS)
        .expect(200);
}
