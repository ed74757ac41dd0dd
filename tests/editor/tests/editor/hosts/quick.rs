//! Edits that follow each other faster than watchers of files can tell.

use std::thread;
use std::time::Duration;

use galley_editor_tests::{Editor, apps};
use galley_harness::http::Request;
use galley_harness::poll::within;
use serde_json::json;

use super::state_when;

/// What the dev server gives out may lag behind this long: the machine may be busy with other tests.
const LAG: Duration = Duration::from_secs(10);

#[test]
fn an_undo_right_after_an_edit_is_seen_by_the_dev_server() {
    let app = apps::VITE_REACT_8.make();
    let editor = Editor::on(app.path()).start();
    let state = state_when(&editor, "running");
    let preview = state["previewUrl"].as_str().expect("an address");
    let address = preview
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .parse()
        .expect("an address");
    let module_has = |mark: &str| {
        Request::new(address, "GET", "/src/App.tsx")
            .send()
            .text()
            .contains(mark)
    };
    assert!(!module_has("quick-0"), "nothing is edited yet");
    // Watchers keep silent for 50 ms after each change, so the undo falls into several parts of that time.
    for round in 0..12 {
        let mark = format!("quick-{round}");
        let edit = json!({ "src": "src/App.tsx:19:10", "kind": "attribute", "name": "title", "value": mark });
        assert_eq!(editor.post("/api/editor/edit", &edit).status, 200);
        within(LAG, || module_has(&mark).then_some(())).expect("the edit is seen");
        thread::sleep(Duration::from_millis(round % 4 * 8));
        assert_eq!(editor.post("/api/editor/undo", &json!({})).status, 200);
        within(LAG, || (!module_has(&mark)).then_some(()))
            .unwrap_or_else(|| panic!("round {round}: the undo is not seen"));
        // The next change is not to help this one.
        thread::sleep(Duration::from_millis(60));
    }
}
