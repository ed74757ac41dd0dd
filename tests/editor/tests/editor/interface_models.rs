//! Models in the interface, in Chromium: a key is kept, a refused edit is done by a model, with a provider of our own over loopback.

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::vendor::Vendor;
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

const REACT: &str = "const words = ['Plans', 'for', 'teams']\n\nexport default function App() {\n  return (\n    <main>\n      \
                     <h1>{words.join(' ')}</h1>\n      <p>Choose one.</p>\n    </main>\n  )\n}\n";

const VUE: &str = "<script setup lang=\"ts\">\nconst words = ['Plans', 'for', 'teams']\n</script>\n\n<template>\n  <main>\n    \
                   <h1>{{ words.join(' ') }}</h1>\n    <p>Choose one.</p>\n  </main>\n</template>\n";

#[test]
fn a_model_retypes_a_computed_heading_of_react() {
    heading(VITE_REACT_8, "src/App.tsx", REACT);
}

#[test]
fn a_model_retypes_a_computed_heading_of_vue() {
    heading(VITE_VUE_8, "src/App.vue", VUE);
}

#[track_caller]
fn heading(kind: Kind, file: &str, content: &str) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let provider = Provider::start();
    provider.script([Reply::propose(file, "'teams'", "'everyone'")]);
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface().as_os_str()])
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/models.mjs");
    node::run(
        &script,
        &json!({ "page": page, "root": app.path(), "file": file, "key": KEY, "before": "Plans for teams", "after": "Plans for everyone" }),
    );
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    assert_eq!(provider.asked().len(), 1, "one call was enough");
}

#[test]
fn the_vendors_program_retypes_a_computed_heading_of_react() {
    heading_by_subscription(VITE_REACT_8, "src/App.tsx", REACT);
}

#[test]
fn the_vendors_program_retypes_a_computed_heading_of_vue() {
    heading_by_subscription(VITE_VUE_8, "src/App.vue", VUE);
}

/// The same story, told by the vendor's program.
#[track_caller]
fn heading_by_subscription(kind: Kind, file: &str, content: &str) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let home = tempfile::tempdir().unwrap();
    let vendor = Vendor::at(home.path());
    let files = json!([{ "path": file, "old": "'teams'", "new": "'everyone'" }]);
    vendor.plays(&json!([{ "call": "propose", "input": { "files": files, "why": "as asked" } }]));
    let editor = Editor::on(app.path()).args(["--ui".as_ref(), interface().as_os_str()]);
    let editor = vendor.asked_by(editor).start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/models.mjs");
    node::run(
        &script,
        &json!({ "page": page, "root": app.path(), "file": file, "key": null, "before": "Plans for teams", "after": "Plans for everyone" }),
    );
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    assert_eq!(vendor.noted("user").len(), 1, "one call was enough");
}

/// The folder of the built interface.
#[track_caller]
fn interface() -> std::path::PathBuf {
    paths::interface().expect("the interface is built: npm run build:ui in editor/")
}
