//! What a chat proposes is looked at in the page, in Chromium: what breaks it is taken back, and the model is told why.

use std::time::Duration;

use galley_editor_tests::Editor;
use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_harness::poll::within;
use serde_json::json;

use super::{Desk, items};

/// Three changes are looked at for as long as a page may take to be as it should.
const TURN_TIMEOUT: Duration = Duration::from_secs(150);

const REACT: &str = "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n      <p>Choose one.</p>\n    </main>\n  )\n}\n";

const VUE: &str = "<script setup lang=\"ts\">\nconst title = 'Plans'\n</script>\n\n<template>\n  <main>\n    <h1>{{ title }}</h1>\n    \
                   <p>Choose one.</p>\n  </main>\n</template>\n";

/// A change that the dev server cannot compile, one that fails when it is shown, one after which nothing is shown, and a right one.
#[track_caller]
fn is_judged(kind: Kind, file: &str, content: &str, selected: &str, changes: [[&str; 2]; 4]) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let (provider, home) = (Provider::start(), tempfile::tempdir().unwrap());
    let editor = Editor::on(app.path())
        .env("HOME", home.path())
        .env("ANTHROPIC_API_KEY", KEY)
        .env("ANTHROPIC_BASE_URL", format!("{}/v1", provider.address))
        .start();
    crate::hosts::state_when(&editor, "running");
    let desk = Desk { editor, provider, home };
    let session = desk.session();
    let proposals = changes.map(|[old, new]| Reply::propose(file, old, new));
    desk.provider
        .script(proposals.into_iter().chain([Reply::Text("Done.")]));
    let begun = json!({ "turn": "turn-0001", "text": "Pick one", "page": "/", "selection": [{ "src": selected }] });
    let path = format!("/api/editor/chat/sessions/{session}/turns");
    desk.editor.post(&path, &begun).expect(200);
    let over = || Some(desk.newest(&session)).filter(|turn| turn["status"] != "running");
    let turn = within(TURN_TIMEOUT, over).unwrap_or_else(|| panic!("{:#}", desk.newest(&session)));
    assert_eq!(turn["status"], "done", "{turn:#}");

    let tools = items(&turn, "tool");
    let ended: Vec<_> = tools.iter().map(|tool| tool["status"].as_str().unwrap()).collect();
    assert_eq!(ended, ["refused", "refused", "refused", "done"], "{turn:#}");
    let asked = desk.provider.asked();
    let says = ["the dev server says: ", "the page complains: ", "shows nothing of "];
    for (call, says) in asked[1..].iter().zip(says) {
        let results = call.body["messages"].as_array().unwrap().last().unwrap().to_string();
        assert!(
            results.contains("not-verified") && results.contains(says) && results.contains("differences"),
            "{says}: {results}"
        );
    }
    let [old, new] = changes[3];
    assert_eq!(app.read(file), content.replace(old, new));
    assert_eq!(
        items(&turn, "edit").len(),
        1,
        "what was taken back is no edit: {turn:#}"
    );
    let history = desk.editor.ask("/api/editor/history").expect(200).json();
    assert_eq!(history["entries"].as_array().map(Vec::len), Some(1), "{history:#}");
}

#[test]
fn what_breaks_a_page_of_react_is_taken_back() {
    let changes = [
        ["export default", "import { one } from './nowhere'\n\nexport default"],
        ["Choose one.", "{(null as unknown as string).length}"],
        ["  return (\n", "  if (document.title !== '') return null\n  return (\n"],
        ["Choose one.", "Choose a plan."],
    ];
    is_judged(VITE_REACT_8, "src/App.tsx", REACT, "src/App.tsx:5:6", changes);
}

#[test]
fn what_breaks_a_page_of_vue_is_taken_back() {
    let changes = [
        ["const title", "import { one } from './nowhere'\nconst title"],
        ["{{ title }}", "{{ (title as any).none.length }}"],
        ["<main>", "<main v-if=\"title === ''\">"],
        ["Choose one.", "Choose a plan."],
    ];
    is_judged(VITE_VUE_8, "src/App.vue", VUE, "src/App.vue:8:4", changes);
}
