//! Builds by two nodes of a cluster: those who push and watch notice nothing.

use galley_tests::nodes;

/// What one machine has for itself.
const LEFT_OUT: &[(&str, &str)] = &[
    ("with_two_nodes::", "it would go on for ever"),
    (
        "cancel::a_queued_build_that_is_cancelled",
        "the other node has a place for the second build",
    ),
    ("queue::a_project_is_not_deleted_while", "the same"),
    ("queue::builds_wait_for_a_place", "the same"),
    ("crashes::a_build_that_was_running", "the same"),
    (
        "confinement::the_steps_of_git",
        "the nodes would share the address that says the figures",
    ),
    ("sandbox::in_namespaces_nothing_outside", "the same"),
    ("sandbox::without_namespaces_rules", "the same"),
    (
        "proxies::a_proxy_may_be_behind_tls",
        "the network's proxy would stand before the object store, which is on this machine",
    ),
    ("proxies::a_proxy_may_speak_socks", "the same"),
    ("proxies::a_proxy_of_the_repository", "the same"),
    ("proxies::builds_and_git_go_out", "the same"),
    ("proxies::git_uses_https_for_ssh", "the same"),
    ("secrets::a_token_is_neither_in_the_log", "the files of a data folder"),
];

#[test]
#[ignore = "as long as the program by itself: `cargo xtask test with_two_nodes -- --include-ignored`"]
fn the_tests_of_builds_pass_with_two_nodes() {
    nodes::pass_with_two(LEFT_OUT);
}
