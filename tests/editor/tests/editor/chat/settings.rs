//! What is read anew for each message, and what a mistake in it costs.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::Reply;
use serde_json::{Value, json};

use super::{Desk, items};

fn fetch() -> Reply {
    Reply::Call("web_fetch", json!({ "url": "https://docs.example.com/" }))
}

#[test]
fn the_web_is_denied_until_a_host_is_named_and_a_mistake_switches_it_off() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let detail = |turn: &Value| items(turn, "tool")[0]["detail"].as_str().unwrap().to_owned();
    let turn = desk.turn(&session, "turn-0001", "Go", [fetch(), Reply::Text("Done")]);
    assert!(detail(&turn).contains("is denied"), "{turn:#}");
    repository.write(
        "tool.config.json",
        r#"{ "webFetch": { "allowedHosts": ["other.example.com"] } }"#,
    );
    let turn = desk.turn(&session, "turn-0002", "Go", [fetch(), Reply::Text("Done")]);
    assert!(detail(&turn).contains("is not among the hosts"), "{turn:#}");
    let mistake = r#"{ "webFetch": { "allowedHosts": ["https://*.example.com"] }, "webSearch": { "enabled": true } }"#;
    repository.write("tool.config.json", mistake);
    let turn = desk.turn(&session, "turn-0003", "Go", [fetch(), Reply::Text("Done")]);
    assert!(detail(&turn).contains("off for this turn"), "{turn:#}");
    let notice = items(&turn, "notice")[0];
    assert_eq!(notice["level"], "error");
    assert!(
        notice["words"].as_str().unwrap().contains("webFetch.allowedHosts[0]"),
        "{notice}"
    );
    let asked = desk.provider.asked();
    assert!(
        !asked.last().unwrap().text.contains("\"web_search\""),
        "searching is off too"
    );
    repository.write("tool.config.json", r#"{ "webSearch": { "enabled": true } }"#);
    desk.turn(&session, "turn-0004", "Go", [Reply::Text("Done")]);
    assert!(desk.provider.asked().last().unwrap().text.contains("web_search"));
}

#[test]
fn roots_that_the_dialog_adds_are_read_from_the_next_message_on() {
    let repository = Repository::react();
    let beside = Repository::bare_folder().file("guide.md", "The guide says blue\n");
    let desk = Desk::start(&repository);
    let session = desk.session();
    let read = || Reply::Call("read_file", json!({ "root": "guide", "path": "guide.md" }));
    let status = |turn: &Value| items(turn, "tool")[0]["status"].clone();
    let roots = json!({ "guide": { "path": beside.path(), "description": "How we write" } });
    // By hand: nothing before a restart.
    repository.write("tool.config.json", json!({ "readRoots": roots }).to_string());
    let turn = desk.turn(&session, "turn-0001", "Go", [read(), Reply::Text("Done")]);
    assert_eq!(status(&turn), "failed");
    let set = json!({ "key": "readRoots", "value": roots });
    let listed = desk.editor.put("/api/settings", &set).expect(200).json();
    let setting = listed["settings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["key"] == "readRoots")
        .unwrap();
    assert_eq!(
        (&setting["applies"], &setting["restart"]),
        (&json!("next-message"), &json!(false))
    );
    let turn = desk.turn(&session, "turn-0002", "Go", [read(), Reply::Text("Done")]);
    assert_eq!(status(&turn), "done", "{turn:#}");
    let asked = desk.provider.asked();
    assert!(asked.last().unwrap().text.contains("The guide says blue"));
    assert!(asked.last().unwrap().text.contains("How we write"));
}

#[test]
fn what_the_repository_tells_assistants_is_taken_and_listed() {
    let repository = Repository::react()
        .file("AGENTS.md", "Write kebab-case\n")
        .file("docs/style.md", "Use tokens\n")
        .file(
            ".tool/config.json",
            r#"{ "version": 2, "conventions": { "excludeFiles": ["docs/style.md"] } }"#,
        );
    let desk = Desk::start(&repository);
    let found = desk.editor.ask("/api/editor/chat/conventions").expect(200).json();
    assert_eq!(
        found["taken"],
        json!([{ "path": "AGENTS.md", "bytes": 17, "cut": false }])
    );
    assert_eq!(found["left"][0]["path"], "docs/style.md");
    let session = desk.session();
    let first = desk.turn(&session, "turn-0001", "Go", [Reply::Text("Done")]);
    let second = desk.turn(&session, "turn-0002", "Go", [Reply::Text("Done")]);
    assert_eq!(
        (items(&first, "conventions").len(), items(&second, "conventions").len()),
        (1, 0)
    );
    repository.write("AGENTS.md", "Write camelCase\n");
    let third = desk.turn(&session, "turn-0003", "Go", [Reply::Text("Done")]);
    assert_eq!(items(&third, "conventions").len(), 1);
    let asked = desk.provider.asked();
    assert!(asked[0].text.contains("kebab-case") && !asked[0].text.contains("Use tokens"));
    // What was said before is sent again byte for byte, so that the provider need not read it anew.
    let messages = |at: usize| asked[at].body["messages"].as_array().unwrap().clone();
    let texts = |list: &[Value]| {
        list.iter()
            .map(|message| message["content"].to_string().replace(CACHED, ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&messages(2)[..1]), texts(&messages(0)));
    assert_eq!(asked[0].body["tools"], asked[2].body["tools"]);
}

/// Marks of the provider's cache move from call to call.
const CACHED: &str = r#""cache_control":{"type":"ephemeral"},"#;
