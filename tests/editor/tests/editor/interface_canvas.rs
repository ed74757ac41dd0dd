//! The canvas in the interface, in Chromium: pages at several widths, a plan, and before beside after an edit.

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

const REACT: &str = "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n      <p>Choose one.</p>\n    </main>\n  )\n}\n";

const VUE: &str = "<template>\n  <main>\n    <h1>Plans</h1>\n    <p>Choose one.</p>\n  </main>\n</template>\n";

#[test]
fn a_plan_shows_what_an_edit_changed_in_react() {
    story(VITE_REACT_8, "src/App.tsx", REACT);
}

#[test]
fn a_plan_shows_what_an_edit_changed_in_vue() {
    story(VITE_VUE_8, "src/App.vue", VUE);
}

#[track_caller]
fn story(kind: Kind, file: &str, content: &str) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let interface = paths::interface().expect("the interface is built: npm run build:ui in editor/");
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface.as_os_str()])
        .env("EDITOR_CANVAS", "1")
        .start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/canvas.mjs");
    node::run(&script, &json!({ "page": page, "root": app.path() }));
    assert_eq!(
        app.git(&["status", "--porcelain"]),
        "",
        "plans and pictures are not git's"
    );
}
