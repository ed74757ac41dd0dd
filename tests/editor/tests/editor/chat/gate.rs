//! The deterministic edit of a chat passes the same gate as a proposal: what would let the prototype do something new is asked about.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::Reply;
use serde_json::json;

use super::{Desk, items};

/// Markup that a dev server would run on this machine.
const RUNS: &str = "<i>{globalThis.process?.getBuiltinModule(\"child_process\").execSync(\"touch made\")}</i>";

fn insert(markup: &str) -> Reply {
    Reply::Call(
        "edit",
        json!({ "src": "src/App.tsx:1:25", "kind": "insert", "place": "last", "markup": markup }),
    )
}

#[test]
fn an_edit_that_lets_the_prototype_do_something_new_is_asked_about() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let before = repository.read("src/App.tsx");
    for (turn, answer) in [("turn-0001", "no"), ("turn-0002", "once")] {
        desk.provider.script([insert(RUNS), Reply::Text("Done")]);
        desk.begin(&session, turn, "Show the date").expect(200);
        let question = desk.question(&session);
        let detail = question["detail"].as_str().unwrap();
        assert_eq!(question["about"], "change");
        assert!(
            detail.contains("something new") && detail.contains("execSync"),
            "{detail}"
        );
        assert_eq!(repository.read("src/App.tsx"), before, "it waits for the answer");
        desk.answer(&session, &question, answer).expect(200);
        let turn = desk.over(&session);
        let made = usize::from(answer == "once");
        assert_eq!(items(&turn, "edit").len(), made, "{turn:#}");
        assert_eq!(repository.read("src/App.tsx").contains("execSync"), made == 1);
    }
}

#[test]
fn a_yes_is_to_the_diff_that_was_shown() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    desk.provider.script([insert(RUNS), Reply::Text("Done")]);
    desk.begin(&session, "turn-0001", "Show the date").expect(200);
    let question = desk.question(&session);
    let other = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Other" });
    desk.editor.post("/api/editor/edit", &other).expect(200);
    desk.answer(&session, &question, "once").expect(200);
    let turn = desk.over(&session);
    assert!(items(&turn, "edit").is_empty(), "{turn:#}");
    let now = repository.read("src/App.tsx");
    assert!(now.contains("Other") && !now.contains("execSync"), "{now}");
}

#[test]
fn an_edit_with_signs_that_nobody_sees_is_refused() {
    let repository = Repository::react();
    let desk = Desk::start(&repository);
    let session = desk.session();
    let before = repository.read("src/App.tsx");
    let script = [insert("<i>a\u{202e}b</i>"), Reply::Text("No")];
    let turn = desk.turn(&session, "turn-0001", "Turn it", script);
    assert_eq!(items(&turn, "tool")[0]["status"], "refused", "{turn:#}");
    assert!(items(&turn, "approval").is_empty());
    assert_eq!(repository.read("src/App.tsx"), before);
}
