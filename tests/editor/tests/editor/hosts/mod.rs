//! Dev servers: each of them on a real prototype, in Chromium, through the proxy; and how they end.

mod attach;
mod cache;
mod ending;
mod failing;
mod hot;
mod matrix;
mod quick;

use std::time::Duration;

use galley_editor_tests::Editor;
use galley_harness::poll::within;
use serde_json::Value;

/// How long a dev server may take to answer, beside other tests.
const BOOT_TIMEOUT: Duration = Duration::from_secs(90);

/// The Editor's state.
#[track_caller]
fn state(editor: &Editor) -> Value {
    editor.ask("/api/editor/state").json()
}

/// Waits until the dev server's status is `wanted`, and gives the whole state.
#[track_caller]
pub fn state_when(editor: &Editor, wanted: &str) -> Value {
    within(BOOT_TIMEOUT, || {
        let state = state(editor);
        (state["host"]["status"] == wanted).then_some(state)
    })
    .unwrap_or_else(|| panic!("it is not {wanted}: {}\n{}", state(editor), editor.stderr()))
}
