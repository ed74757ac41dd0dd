//! What the page in the preview says of itself: a claim, which decides about nothing but the change of that page. The interface is played.

use std::thread;

use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::http::Response;
use serde_json::{Value, json};

const APP: &str =
    "export const App = () => (\n  <main>\n    <h1>{['Hel', 'lo'].join('')}</h1>\n    <p>One</p>\n  </main>\n);\n";

const TICKET: &str = "the-attempt";

/// What a lane answers where the page answers so, and the questions that it got.
fn claimed(replies: usize, says: impl Fn(&Value) -> Value + Send + 'static) -> (Response, Vec<Value>, String) {
    beside(replies, None, says)
}

/// The same where the user makes an edit once the page was first asked.
fn beside(
    replies: usize,
    edit: Option<Value>,
    says: impl Fn(&Value) -> Value + Send + 'static,
) -> (Response, Vec<Value>, String) {
    let repository = Repository::new()
        .file("package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
        .file("src/App.tsx", APP)
        .commit();
    let provider = Provider::start();
    let proposal = || Reply::propose("src/App.tsx", "{['Hel', 'lo'].join('')}", "Servus");
    provider.script((0..replies).map(|_| proposal()));
    let home = tempfile::tempdir().expect("a temporary folder");
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("HOME", home.path())
        .env("EDITOR_REVIEW_SURFACE", "off")
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .start();
    let events = editor.events();
    let answering = editor.request("POST", "/api/editor/reading");
    let editing = editor.request("POST", "/api/editor/edit");
    let page = thread::spawn(move || {
        let (mut asked, mut edit, mut reader) = (Vec::new(), edit, Value::Null);
        loop {
            let event = events.next();
            if event.event != "read" {
                continue;
            }
            let event = event.json();
            assert_eq!((&event["ticket"], &event["page"]), (&json!(TICKET), &json!("/")));
            let ask = event["ask"].clone();
            asked.push(ask.clone());
            if ask["do"] == "begin" {
                reader = ask["reader"].clone();
            }
            if ask["do"] == "end" {
                if ask["reader"] == reader {
                    return asked;
                }
                continue;
            }
            if let Some(edit) = edit.take() {
                editing.clone().json(&edit).send().expect(200);
            }
            let answer = json!({ "id": event["id"], "answer": says(&ask) });
            answering.clone().json(&answer).send().expect(200);
        }
    });
    let edit = json!({ "src": "src/App.tsx:3:4", "kind": "text", "text": "Servus", "ticket": TICKET, "page": "/" });
    let answer = editor.post("/api/editor/llm-fallback", &edit);
    let asked = page.join().expect("the page is asked until the end");
    (answer, asked, repository.read("src/App.tsx"))
}

fn seen(differences: &Value) -> Value {
    json!({ "is": "seen", "overlay": null, "complaints": [], "differences": differences, "elements": 3, "shows": true })
}

fn ready(ask: &Value) -> Option<Value> {
    (ask["do"] == "begin").then(|| json!({ "is": "ready", "complaints": [] }))
}

#[test]
fn a_change_that_the_page_confirms_is_made() {
    let (answer, asked, file) = claimed(1, |ask| ready(ask).unwrap_or_else(|| seen(&json!([]))));
    assert_eq!(answer.expect(200).json()["verified"], "preview");
    assert!(file.contains("<h1>Servus</h1>"), "{file}");
    let what: Vec<&str> = asked.iter().filter_map(|ask| ask["do"].as_str()).collect();
    assert_eq!(what, ["begin", "forget", "look", "look", "end"]);
    assert_eq!(asked[0]["request"]["kind"], "text");
    assert!(asked.iter().all(|ask| ask["reader"] == asked[0]["reader"]));
    assert_eq!(asked[2]["trees"]["src/App.tsx"]["before"][0]["tag"], "main");
}

#[test]
fn what_the_user_edits_meanwhile_stays_and_is_expected() {
    let user = json!({ "src": "src/App.tsx:3:4", "kind": "insert", "place": "before", "markup": "<b>New</b>" });
    let (answer, asked, file) = beside(1, Some(user), |ask| ready(ask).unwrap_or_else(|| seen(&json!([]))));
    assert_eq!(answer.expect(200).json()["src"], "src/App.tsx:4:4");
    assert!(file.contains("<b>New</b>\n    <h1>Servus</h1>"), "{file}");
    let begun: Vec<&Value> = asked.iter().filter(|ask| ask["do"] == "begin").collect();
    assert_eq!(
        begun.len(),
        2,
        "the page is asked again what would be right: {asked:#?}"
    );
    assert_eq!(begun[0]["request"]["src"], "src/App.tsx:3:4");
    assert_eq!(begun[1]["request"]["src"], "src/App.tsx:4:4");
    let mut looks = asked.iter().filter(|ask| ask["do"] == "look");
    assert!(looks.all(|look| look["reader"] == begun[1]["reader"]), "{asked:#?}");
}

#[test]
fn what_the_page_names_is_bounded_and_the_change_is_taken_back() {
    let word = "x".repeat(20_000);
    let difference = json!({ "element": word, "aspect": word, "wanted": word, "found": word });
    let differences = json!(vec![difference; 5]);
    let (answer, _, file) = claimed(2, move |ask| ready(ask).unwrap_or_else(|| seen(&differences)));
    let answer = answer.expect(422);
    let refusal = answer.json();
    assert_eq!(refusal["code"], "not-verified");
    assert_eq!(refusal["differences"].as_array().map(Vec::len), Some(5));
    assert!(answer.text().len() < 16_000, "{} bytes", answer.text().len());
    assert_eq!(file, APP);
}

#[test]
fn a_page_that_is_loaded_anew_or_says_nonsense_leaves_the_change_to_a_person() {
    for answer in [
        json!({ "is": "gone" }),
        json!(null),
        json!({ "is": "seen", "overlay": 1 }),
        json!("x".repeat(100_000)),
    ] {
        let told = answer.clone();
        let (refused, _, file) = claimed(1, move |ask| ready(ask).unwrap_or_else(|| told.clone()));
        let refusal = refused.expect(409).json();
        assert!(refusal["proposal"]["id"].is_string(), "{answer}: {refusal}");
        assert_eq!(file, APP);
    }
}

#[test]
fn answers_that_nobody_waits_for_and_those_that_do_not_fit_change_nothing() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let say = |body: &Value| editor.post("/api/editor/reading", body);
    let unasked = say(&json!({ "id": "0123", "answer": seen(&json!([])) }));
    assert_eq!(unasked.expect(200).json(), json!({ "ok": true, "taken": false }));
    say(&json!({ "answer": null })).expect(400);
    say(&json!({ "id": "0123", "answer": "x".repeat(2 << 20) })).expect(413);
}
