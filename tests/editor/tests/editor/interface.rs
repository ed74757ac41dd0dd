//! The interface in Chromium, on prototypes as people make them: the story of a newcomer, the keyboard, accessibility.

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

#[test]
fn a_newcomer_edits_a_react_prototype_and_commits_it() {
    newcomer(VITE_REACT_8, "src/App.tsx");
}

#[test]
fn a_newcomer_edits_a_vue_prototype_and_commits_it() {
    newcomer(VITE_VUE_8, "src/components/HelloWorld.vue");
}

#[track_caller]
fn newcomer(kind: Kind, file: &str) {
    let Some(interface) = paths::interface() else {
        panic!("the interface is not built: run npm run build:ui in editor/");
    };
    let app = kind.make();
    let before = app.read(file);
    let editor = Editor::on(app.path()).args(["--ui"]).args([&interface]).start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/interface.mjs");
    node::run(&script, &json!({ "page": page, "root": app.path(), "file": file }));

    // One commit on a branch of its own, with nothing in it but what was clicked.
    assert_eq!(app.git(&["branch", "--show-current"]), "shorter");
    assert_eq!(app.git(&["log", "--format=%s"]), "Say it shorter\nBegin");
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    let after = app.read(file);
    let rest = |text: &str| -> Vec<String> {
        let untouched = |line: &&str| !line.contains("<h1") && !line.contains("</h1>");
        text.lines().filter(untouched).map(str::to_owned).collect()
    };
    let (before, after) = (rest(&before), rest(&after));
    assert!(after.len() < before.len(), "nothing was deleted");
    let mut lines = before.iter();
    for line in &after {
        assert!(lines.any(|each| each == line), "{line:?} was not there before");
    }
}
