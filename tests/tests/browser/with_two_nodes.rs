//! Nobody in a browser notices that two nodes of a cluster serve.

use galley_tests::nodes;

/// What one machine has for itself.
const LEFT_OUT: &[(&str, &str)] = &[
    ("with_two_nodes::", "it would go on for ever"),
    ("plugin_ui::a_hostile_panel", "it puts its plugin into a data folder"),
];

#[test]
#[ignore = "as long as the program by itself: `cargo xtask test with_two_nodes -- --include-ignored`"]
fn the_tests_in_the_browser_pass_with_two_nodes() {
    nodes::pass_with_two(LEFT_OUT);
}
