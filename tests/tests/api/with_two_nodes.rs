//! Two nodes of a cluster behind a balancer serve, and nobody who uses the API notices.

use std::process::Command;

use galley_tests::nodes;

/// What is about one machine: its boot, and the files of its data folder.
const OF_ONE_MACHINE: [&str; 6] = [
    "backup::",
    "boot::",
    "objects::",
    "comment_images::images_are_in_backups",
    "comment_images::four_images_at_once_are_four",
    "comment_images::images_go_with_their_comment_and_their_project",
];

#[test]
fn the_tests_of_the_api_pass_with_two_nodes() {
    let others = ["another_plugin", "hostile_guests", "two_nodes", "cluster_"];
    let mut command = Command::new(std::env::current_exe().unwrap());
    for skipped in others.iter().chain(&OF_ONE_MACHINE) {
        command.args(["--skip", skipped]);
    }
    let tests = command
        .args(["--test-threads=2"])
        .env(nodes::VARIABLE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tests.stdout);
    let passed = said.lines().filter(|line| line.ends_with(" ... ok")).count();
    assert!(tests.status.success() && passed >= 500, "{passed} passed:\n{said}");
}
