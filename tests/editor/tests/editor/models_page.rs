//! What a model proposed stays only when the page shows what was asked for, and nothing else: with real dev servers and a real browser.

use std::time::Duration;

use galley_editor::agent::gate::Code;
use galley_editor_tests::Editor;
use galley_editor_tests::apps::{App, Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_harness::poll::within;
use serde_json::{Value, json};

/// How long a dev server may take to answer, beside other tests.
const BOOT_TIMEOUT: Duration = Duration::from_secs(90);

const REACT: &str = "export default function App() {\n  return (\n    <main>\n      <h1>{['Hel', 'lo'].join('')}</h1>\n      <p>One</p>\n      <p>Two</p>\n    </main>\n  )\n}\n";

const VUE: &str = "<script setup lang=\"ts\">\nconst word = ['Hel', 'lo'].join('')\n</script>\n\n<template>\n  <main>\n    <h1>{{ word }}</h1>\n    <p>One</p>\n    <p>Two</p>\n  </main>\n</template>\n";

fn start(app: &App, provider: &Provider) -> Editor {
    let editor = Editor::on(app.path())
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .start();
    let running = within(BOOT_TIMEOUT, || {
        let state = editor.ask("/api/editor/state").json();
        (state["host"]["status"] == "running").then_some(())
    });
    assert!(running.is_some(), "{}", editor.stderr());
    editor
}

#[track_caller]
fn story(kind: Kind, path: &str, source: &str, src: &str, right: (&str, &str)) {
    let app = kind.make();
    app.write(path, source);
    let provider = Provider::start();
    let editor = start(&app, &provider);
    let edit = json!({ "src": src, "kind": "text", "text": "Servus", "before": "Hello" });
    let lane = |replies: Vec<Reply>| {
        provider.script(replies);
        let answer = editor.post("/api/editor/llm-fallback", &edit);
        (answer.status, answer.json())
    };
    let propose = |old: &str, new: &str| Reply::propose(path, old, new);

    // The heading is right, and another text changed with it.
    let both = Reply::Call(
        "propose",
        json!({ "files": [
            { "path": path, "old": right.0, "new": right.1 },
            { "path": path, "old": "<p>One</p>", "new": "<p>Won</p>" },
        ], "why": "as asked" }),
    );
    let (status, told) = lane(vec![both.clone(), both]);
    assert_eq!((status, &told["code"]), (422, &json!(Code::NotVerified)), "{told}");
    let named = |told: &Value| told["differences"].as_array().is_some_and(|list| !list.is_empty());
    assert!(named(&told), "{told}");
    assert_eq!(app.read(path), source, "it was taken back");

    // The right element, and the text is cut off; then another element changes; the second try is told of each.
    let (_, told) = lane(vec![propose(right.0, "Serv"), propose("<p>Two</p>", "<p>Three</p>")]);
    assert_eq!(told["code"], json!(Code::NotVerified), "{told}");
    let asked = provider.asked();
    let second = asked.last().map(|asked| asked.text.clone()).unwrap_or_default();
    assert!(second.contains("The page differs from what was asked for"), "{second}");
    assert_eq!(app.read(path), source);
    assert_eq!(
        editor.ask("/api/editor/history").json()["entries"],
        json!([]),
        "what was taken back never was"
    );

    let (status, told) = lane(vec![propose(right.0, right.1)]);
    assert_eq!((status, &told["verified"]), (200, &json!("review")), "{told}");
    assert_eq!(app.read(path), source.replace(right.0, right.1));
    assert_eq!(told["src"], src, "{told}");
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(app.read(path), source);
}

#[test]
fn the_page_confirms_or_takes_back_what_a_model_did_in_react() {
    story(
        VITE_REACT_8,
        "src/App.tsx",
        REACT,
        "src/App.tsx:4:6",
        ("{['Hel', 'lo'].join('')}", "Servus"),
    );
}

#[test]
fn the_page_confirms_or_takes_back_what_a_model_did_in_vue() {
    story(
        VITE_VUE_8,
        "src/App.vue",
        VUE,
        "src/App.vue:7:4",
        ("{{ word }}", "Servus"),
    );
}
