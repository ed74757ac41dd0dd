//! A real model, which is much too weak: whatever it says, nothing is changed but what was asked for, and each refusal has its code.

use std::time::Duration;

use galley_editor::agent::gate::Code;
use galley_editor_tests::small_model::SmallModel;
use galley_editor_tests::{Editor, Repository};
use galley_harness::poll::within;
use serde_json::{Value, json};

/// A lane ends after a minute; a turn of the chat may take longer beside other tests.
const TURN_TIMEOUT: Duration = Duration::from_secs(240);

const APP: &str = "export const App = () => (\n  <main>\n    <h1>{['Hel', 'lo'].join('')}</h1>\n    <p>{[1, 2].map((one) => one * 2)}</p>\n  </main>\n);\n";

#[test]
fn a_bad_model_does_nothing_wrong() {
    let repository = Repository::react().file("src/App.tsx", APP).commit();
    let (model, home) = (SmallModel::start(), tempfile::tempdir().expect("a temporary folder"));
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("HOME", home.path())
        .env("EDITOR_REVIEW_SURFACE", "off")
        .env("EDITOR_PROVIDER", "compatible")
        .env("EDITOR_MODEL", "small")
        .env("COMPATIBLE_BASE_URL", &model.address)
        .start();
    for (src, text) in [("src/App.tsx:3:4", "Servus"), ("src/App.tsx:4:4", "Two and four")] {
        let edit = json!({ "src": src, "kind": "text", "text": text });
        let refused = editor.post("/api/editor/edit", &edit).expect(422).json();
        assert!(refused["fallback"].is_string(), "{refused}");
        let request = editor.request("POST", "/api/editor/llm-fallback");
        let answer = request.json(&edit).within(TURN_TIMEOUT).send();
        let told = answer.json();
        // What passes the gate waits for a yes, as no page can be read here.
        let codes = Code::ALL.iter().map(ToString::to_string).collect::<Vec<_>>();
        let code = told["code"].as_str().unwrap_or_default();
        assert!(codes.iter().any(|known| known == code), "{} {told}", answer.status);
        assert!(
            (400..500).contains(&answer.status) || answer.status == 502,
            "{} {told}",
            answer.status
        );
        assert!(!told["reason"].as_str().unwrap_or_default().is_empty(), "{told}");
        assert_eq!(repository.read("src/App.tsx"), APP, "{told}");
    }
    assert!(
        model.said().iter().any(|said| said["call"] == "propose"),
        "it was never asked"
    );

    let made = editor.post("/api/editor/chat/sessions", &json!({})).expect(200).json();
    let session = format!("/api/editor/chat/sessions/{}", made["session"]["id"].as_str().unwrap());
    let asked = json!({ "turn": "turn-0001", "text": "Make the heading say Servus" });
    editor.post(&format!("{session}/turns"), &asked).expect(200);
    let turn = within(TURN_TIMEOUT, || {
        let turn: Value = editor.ask(&session).expect(200).json()["turns"][0].clone();
        matches!(turn["status"].as_str(), Some("done" | "failed")).then_some(turn)
    });
    let turn = turn.expect("the turn ends");
    assert!(
        turn["status"] == "done" || turn["failure"]["words"].is_string(),
        "{turn:#}"
    );
    // What it did, if anything, is a step of its turn, and goes back as a whole.
    let edits = turn["edits"].as_array().unwrap();
    assert_eq!(edits.is_empty(), repository.read("src/App.tsx") == APP, "{turn:#}");
    if !edits.is_empty() {
        editor
            .post(&format!("{session}/turns/turn-0001/undo"), &json!({}))
            .expect(200);
        assert_eq!(repository.read("src/App.tsx"), APP);
    }
    assert_eq!(
        repository.git(&["status", "--porcelain"]),
        "",
        "nothing else came or went"
    );
    println!("{:#?}", model.said());
}
