//! A chat in the interface, in Chromium: a turn about selected cards streams in, is undone, and is there after a restart.

use galley_editor_tests::apps::{App, Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

const REACT: &str = "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n      \
                     <div className=\"cards\" style={{ display: 'flex', alignItems: 'start' }}>\n        \
                     <section className=\"card\" style={{ padding: 12 }}><h2>One</h2></section>\n        \
                     <section className=\"card\" style={{ padding: 12 }}><h2>Two</h2><p>With more to say.</p></section>\n      </div>\n    </main>\n  )\n}\n";

const VUE: &str = "<template>\n  <main>\n    <h1>Plans</h1>\n    <div class=\"cards\" style=\"display: flex; align-items: start\">\n      \
                   <section class=\"card\" style=\"padding: 12px\"><h2>One</h2></section>\n      \
                   <section class=\"card\" style=\"padding: 12px\"><h2>Two</h2><p>With more to say.</p></section>\n    </div>\n  </main>\n</template>\n";

#[test]
fn a_chat_makes_cards_of_react_equally_high() {
    let change = Reply::propose("src/App.tsx", "alignItems: 'start'", "alignItems: 'stretch'");
    cards(VITE_REACT_8, "src/App.tsx", REACT, change);
}

#[test]
fn a_chat_makes_cards_of_vue_equally_high() {
    let change = Reply::propose("src/App.vue", "align-items: start", "align-items: stretch");
    cards(VITE_VUE_8, "src/App.vue", VUE, change);
}

#[track_caller]
fn cards(kind: Kind, file: &str, content: &str, change: Reply) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Cards"]);
    let provider = Provider::start();
    let said = "The cards are **equally high** now.\n\n![seen](https://example.org/seen.png) <b>Done</b>";
    provider.script([change, Reply::Text(said)]);
    for stage in ["talk", "after"] {
        let editor = start(&app, &provider);
        let page = format!("http://{}/", editor.address);
        let script = paths::checkout().join("tests/editor/browser/chat.mjs");
        node::run(
            &script,
            &json!({ "page": page, "root": app.path(), "file": file, "stage": stage, "key": KEY }),
        );
    }
    assert_eq!(app.git(&["status", "--porcelain"]), "");
}

fn start(app: &App, provider: &Provider) -> Editor {
    let interface = paths::interface().expect("the interface is built: npm run build:ui in editor/");
    Editor::on(app.path())
        .args(["--ui".as_ref(), interface.as_os_str()])
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .start()
}
