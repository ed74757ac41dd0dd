//! What fails says so in the words that were agreed on.

use galley_editor_tests::Editor;
use galley_editor_tests::Repository;
use galley_editor_tests::provider::{Provider, Reply};
use serde_json::{Value, json};

use super::{Desk, build, items, retype};

#[test]
fn a_key_that_is_not_known_a_limit_and_a_broken_answer() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let refused =
        json!({ "type": "error", "error": { "type": "authentication_error", "message": "invalid x-api-key" } });
    let turn = desk.turn(&session, "turn-0001", "Go", [Reply::Status(401, Vec::new(), refused)]);
    assert_eq!(
        (&turn["status"], &turn["failure"]["kind"]),
        (&json!("failed"), &json!("authentication"))
    );
    assert_eq!(
        turn["failure"]["words"],
        "Authentication failed (401). Replace the key from the settings gear, then start a new chat turn."
    );
    let limited = json!({ "type": "error", "error": { "type": "rate_limit_error", "message": "Too fast" } });
    let turn = desk.turn(
        &session,
        "turn-0002",
        "Go",
        [Reply::Status(429, vec![("retry-after", "42")], limited)],
    );
    assert_eq!(
        (&turn["failure"]["kind"], &turn["failure"]["retrySeconds"]),
        (&json!("rate-limited"), &json!(42))
    );
    assert!(
        turn["failure"]["words"]
            .as_str()
            .unwrap()
            .ends_with("try again in 42 seconds")
    );
    assert_eq!(desk.read(&session)["session"]["status"], "failed");
    let turn = desk.turn(&session, "turn-0003", "Go", [Reply::Cut]);
    assert_eq!(
        (&turn["status"], &turn["failure"]["kind"]),
        (&json!("failed"), &json!("provider"))
    );
    // A failed turn does not keep the next one.
    assert_eq!(
        desk.turn(&session, "turn-0004", "Go", [Reply::Text("Gone")])["status"],
        "done"
    );
}

#[test]
fn an_account_without_credit_and_an_address_without_a_model_are_named_and_not_tried_again() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let spent = "You exceeded your current quota, please check your plan and billing details.";
    let body = json!({ "error": { "message": spent, "type": "insufficient_quota", "code": "insufficient_quota" } });
    let page = Reply::Bytes(b"<!doctype html><title>Sign in</title>".to_vec());
    for (turn, reply, words) in [
        (
            "turn-0001",
            Reply::Status(429, vec![("x-should-retry", "true")], body),
            spent,
        ),
        (
            "turn-0002",
            page,
            "What answers there is no model: look at the provider's address",
        ),
        (
            "turn-0003",
            Reply::Bytes(b"{ \"ok\": true }".to_vec()),
            "What answers there is no model: look at the provider's address",
        ),
    ] {
        let turn = desk.turn(&session, turn, "Go", [reply]);
        let failure = &turn["failure"];
        assert_eq!(
            (&failure["kind"], &failure["words"]),
            (&json!("provider"), &json!(words))
        );
        assert_eq!(turn["cost"]["usd"], 0.0, "{turn:#}");
    }
    assert_eq!(desk.provider.asked().len(), 3);
}

#[test]
fn a_call_that_is_made_again_is_told_in_whole_sentences() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let turn = desk.turn(&session, "turn-0001", "Go", [Reply::Overloaded, Reply::Text("Yes")]);
    let words = items(&turn, "notice")[0]["words"].as_str().unwrap();
    assert!(words.ends_with(". It is tried again in 1 s."), "{words}");
}

#[test]
fn without_a_key_a_turn_is_not_begun_and_everything_else_works() {
    let repository = Repository::react();
    let (provider, home) = (Provider::start(), tempfile::tempdir().unwrap());
    let editor = build(&repository, &provider, &home)
        .env("ANTHROPIC_API_KEY", "")
        .start();
    let desk = Desk { editor, provider, home };
    let session = desk.session();
    let refused = desk.begin(&session, "turn-0001", "Go").expect(503).json();
    assert_eq!(refused["code"], "missing-key");
    assert_eq!(
        refused["reason"],
        "Missing ANTHROPIC_API_KEY. Set it to use Editor's AI features, or add a key from the settings gear."
    );
    assert_eq!(desk.read(&session)["turns"], json!([]));
}

#[test]
fn a_turn_past_the_ceiling_is_refused_with_both_sums_and_the_key() {
    let repository = Repository::react().file(
        ".tool/config.json",
        r#"{ "version": 2, "chat": { "costCeilingUsd": 0.001 } }"#,
    );
    let desk = Desk::start(&repository);
    let session = desk.session();
    assert_eq!(
        desk.turn(&session, "turn-0001", "Go", [Reply::Text("Gone")])["status"],
        "done"
    );
    let refused = desk.begin(&session, "turn-0002", "Go").expect(403).json();
    assert_eq!(refused["code"], "cost-ceiling");
    let reason = refused["reason"].as_str().unwrap();
    let sums = reason.matches('$').count();
    assert!(sums == 2 && reason.contains("`chat.costCeilingUsd`"), "{reason}");
    // A new chat begins at nothing.
    let other = desk.session();
    assert_eq!(
        desk.turn(&other, "turn-0003", "Go", [Reply::Text("Gone")])["status"],
        "done"
    );
}

#[test]
fn a_model_that_never_ends_is_ended() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let look = || Reply::Call("tree", json!({}));
    let turn = desk.turn(&session, "turn-0001", "Go", (0..60).map(|_| look()));
    assert_eq!(
        (&turn["status"], &turn["failure"]["kind"]),
        (&json!("failed"), &json!("limit"))
    );
    assert_eq!(items(&turn, "tool").len(), 30);
}

#[test]
fn what_a_model_gets_wrong_is_told_to_it() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let script = [
        Reply::Call("format_disk", json!({})),
        Reply::Written("edit", "{\"src\": "),
        Reply::Call("edit", json!({ "src": "src/App.tsx:9:9", "kind": "text", "text": "x" })),
        Reply::propose("src/App.tsx", "nowhere", "x"),
        Reply::propose(".env", "a", "b"),
        Reply::propose("src/App.tsx", "Hello", "{eval(name)}"),
        retype("Good"),
        Reply::Text("Done"),
    ];
    desk.provider.script(script);
    desk.begin(&session, "turn-0001", "Go").expect(200);
    let question = desk.question(&session);
    assert_eq!(
        (&question["about"], &question["choices"]),
        (&json!("change"), &json!(["once", "no"]))
    );
    assert!(question["detail"].as_str().unwrap().contains("+{eval(name)}"));
    assert_eq!(desk.read(&session)["session"]["status"], "waiting");
    desk.answer(&session, &question, "always").expect(404);
    desk.answer(&session, &question, "no").expect(200);
    desk.answer(&session, &question, "no").expect(404);
    let turn = desk.over(&session);
    assert_eq!(turn["status"], "done", "{turn:#}");
    let how: Vec<&str> = items(&turn, "tool")
        .iter()
        .map(|item| item["status"].as_str().unwrap())
        .collect();
    assert_eq!(
        how,
        ["failed", "failed", "refused", "refused", "refused", "refused", "done"]
    );
    assert_eq!(
        repository.read("src/App.tsx"),
        "export const App = () => <h1>Good</h1>\n"
    );
}

#[test]
fn old_turns_are_read_from_the_archive() {
    let repository = Repository::react().file(
        ".tool/config.json",
        r#"{ "version": 2, "retention": { "chatSessionTurns": { "maxTurns": 2 } } }"#,
    );
    let desk = Desk::start(&repository);
    let session = desk.session();
    for number in 1..=5 {
        desk.turn(&session, &format!("turn-000{number}"), "Go", [Reply::Text("Gone")]);
    }
    let ids = |read: &Value| -> Vec<String> {
        let turns = read["turns"].as_array().unwrap();
        turns
            .iter()
            .map(|turn| turn["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let check = |editor: &Editor| {
        let read = |query: &str| {
            editor
                .ask(&format!("/api/editor/chat/sessions/{session}?{query}"))
                .expect(200)
                .json()
        };
        let newest = read("limit=2");
        assert_eq!(
            (ids(&newest), &newest["more"]),
            (vec!["turn-0004".into(), "turn-0005".into()], &json!(true))
        );
        let older = read("limit=2&before=turn-0004");
        assert_eq!(
            (ids(&older), &older["more"]),
            (vec!["turn-0002".into(), "turn-0003".into()], &json!(true))
        );
        let oldest = read("limit=2&before=turn-0002");
        assert_eq!(
            (ids(&oldest), &oldest["more"]),
            (vec!["turn-0001".into()], &json!(false))
        );
        assert_eq!(newest["session"]["turns"], 5);
    };
    check(&desk.editor);
    assert!(repository.at(format!(".tool/chat/{session}.archive.jsonl")).exists());
    let desk = desk.again(&repository);
    check(&desk.editor);
}
