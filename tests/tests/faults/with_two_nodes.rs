//! What was acknowledged is there after a kill of two nodes of a cluster, too.

use galley_tests::nodes;

/// What one machine has for itself.
const LEFT_OUT: &[(&str, &str)] = &[
    ("with_two_nodes::", "it would go on for ever"),
    (
        "uploads::what_is_live_is_always_whole",
        "what a killed node had begun has failed once its lease is over, a minute later",
    ),
    (
        "mixed::a_deleted_project",
        "what a killed node was to delete goes with the next sweep, an hour later",
    ),
];

#[test]
#[ignore = "as long as the program by itself: `cargo xtask test with_two_nodes -- --include-ignored`"]
fn the_tests_of_faults_pass_with_two_nodes() {
    nodes::pass_with_two(LEFT_OUT);
}
