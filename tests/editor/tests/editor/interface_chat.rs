//! A chat in the interface, in Chromium: a turn about selected cards streams in, is undone, and is there after a restart.

use galley_editor_tests::apps::{App, Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::vendor::Vendor;
use galley_editor_tests::{Build, Editor, paths};
use galley_harness::http::Request;
use galley_harness::node;
use serde_json::{Value, json};

const REACT: &str = "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n      \
                     <div className=\"cards\" style={{ display: 'flex', alignItems: 'start' }}>\n        \
                     <section className=\"card\" style={{ padding: 12, background: '#ddd' }}><h2>One</h2></section>\n        \
                     <section className=\"card\" style={{ padding: 12, background: '#ddd' }}><h2>Two</h2><p>With more to say.</p></section>\n      </div>\n    </main>\n  )\n}\n";

const VUE: &str = "<template>\n  <main>\n    <h1>Plans</h1>\n    <div class=\"cards\" style=\"display: flex; align-items: start\">\n      \
                   <section class=\"card\" style=\"padding: 12px; background: #ddd\"><h2>One</h2></section>\n      \
                   <section class=\"card\" style=\"padding: 12px; background: #ddd\"><h2>Two</h2><p>With more to say.</p></section>\n    </div>\n  </main>\n</template>\n";

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
    let judged = Reply::Call("judge", judgement());
    provider.script([change, Reply::Text(SAID), judged]);
    for stage in ["talk", "after"] {
        let editor = build(&app)
            .env("ANTHROPIC_BASE_URL", &provider.address)
            .env("ANTHROPIC_API_KEY", KEY)
            .start();
        look(&editor, &app, file, stage);
        if stage == "after" {
            pictures_are_ours_and_go_with_their_chat(&editor, &app);
        }
    }
    assert_eq!(app.git(&["status", "--porcelain"]), "");
}

#[track_caller]
fn pictures_are_ours_and_go_with_their_chat(editor: &Editor, app: &App) {
    let sessions = editor.ask("/api/editor/chat/sessions").expect(200).json();
    let session = sessions["sessions"][0]["id"].as_str().unwrap().to_owned();
    let chat = format!("/api/editor/chat/sessions/{session}");
    let turn = editor.ask(&chat).expect(200).json()["turns"][0].clone();
    let edit = turn["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["type"] == "edit")
        .unwrap();
    let address = edit["before"].as_str().unwrap();
    let picture = editor.ask(address).expect(200);
    assert_eq!(picture.header("content-type"), Some("image/png"));
    assert!(picture.body.starts_with(b"\x89PNG") && picture.body.len() <= 256 << 10);
    let elsewhere = Request::new(editor.address, "GET", address).header("origin", "http://127.0.0.1:1");
    elsewhere.send().expect(403);
    Request::new(editor.address, "GET", address).send().expect(403);
    for other in ["gone-before.png", "..%2F..%2Fconfig.json", "%2e%2e"] {
        editor.ask(&format!("{chat}/pictures/{other}")).expect(404);
    }
    let folder = app.path().join(format!(".tool/chat/{session}.pictures"));
    assert_eq!(folder.read_dir().unwrap().count(), 2);
    editor.request("DELETE", &chat).send().expect(200);
    assert!(!folder.exists());
    editor.ask(address).expect(404);
}

#[test]
fn the_vendors_program_makes_cards_of_react_equally_high() {
    cards_by_subscription(
        VITE_REACT_8,
        "src/App.tsx",
        REACT,
        ["alignItems: 'start'", "alignItems: 'stretch'"],
    );
}

#[test]
fn the_vendors_program_makes_cards_of_vue_equally_high() {
    cards_by_subscription(
        VITE_VUE_8,
        "src/App.vue",
        VUE,
        ["align-items: start", "align-items: stretch"],
    );
}

/// The same story, told by the vendor's program.
#[track_caller]
fn cards_by_subscription(kind: Kind, file: &str, content: &str, [old, new]: [&str; 2]) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Cards"]);
    let home = tempfile::tempdir().unwrap();
    let vendor = Vendor::at(home.path());
    let files = json!([{ "path": file, "old": old, "new": new }]);
    vendor.plays(&json!([
        { "call": "propose", "input": { "files": files, "why": "as asked" } },
        { "say": SAID }
    ]));
    vendor.judges(&json!([{ "call": "judge", "input": judgement() }]));
    for stage in ["talk", "after"] {
        let editor = vendor.asked_by(build(&app)).start();
        look(&editor, &app, file, stage);
    }
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    assert_eq!(
        vendor.noted("user").len(),
        2,
        "one turn, and whether it reached its goal"
    );
    assert_eq!(vendor.noted("pictures"), [json!([]), json!(["image/png"])]);
}

/// Markdown, with a picture and markup that are not to be shown.
const SAID: &str = "The cards are **equally high** now.\n\n![seen](https://example.org/seen.png) <b>Done</b>";

/// What the model says of the turn at its end.
fn judgement() -> Value {
    json!({ "verdict": "reached", "why": "Both cards end at the same line." })
}

#[track_caller]
fn look(editor: &Editor, app: &App, file: &str, stage: &str) {
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/chat.mjs");
    node::run(
        &script,
        &json!({ "page": page, "root": app.path(), "file": file, "stage": stage, "key": KEY }),
    );
}

fn build(app: &App) -> Build {
    let interface = paths::interface().expect("the interface is built: npm run build:ui in editor/");
    Editor::on(app.path()).args(["--ui".as_ref(), interface.as_os_str()])
}
