//! The bridge by itself: what it says to the review page, what a prototype notices of it, and whether pins find their
//! elements again.

use galley_tests::{node, paths};
use serde_json::json;

use crate::in_browser;

#[test]
fn the_bridge_pins_comments_and_leaves_the_prototype_as_it_is() {
    node::run(&in_browser("review_bridge.mjs"), &json!({ "bridge": paths::bridge() }));
}

/// A small part of `cargo xtask corpus anchors`.
#[test]
fn pins_find_their_elements_in_changed_pages() {
    let task = json!({ "trials": 20, "seed": 3, "loose": true, "cache": paths::cache("anchors") });
    node::run(&in_browser("anchors/main.mjs"), &task);
}
