//! The bridge in Chromium, without the rest of the Editor: what it reports, and what it leaves alone.

use galley_editor_tests::paths;
use galley_harness::node;
use serde_json::json;

#[test]
fn the_bridge_picks_edits_and_holds_still() {
    let script = paths::checkout().join("tests/editor/browser/bridge.mjs");
    node::run(&script, &json!({ "bridge": paths::bridge() }));
}
