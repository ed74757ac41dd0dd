//! Two nodes of a cluster behind a balancer serve, and nobody who uses the API notices.

use std::process::Command;

use galley_tests::nodes;

/// What is about one machine: its boot, its port and its connections, and the files of its data folder.
const OF_ONE_MACHINE: [&str; 9] = [
    "backup::",
    "boot::",
    "objects::",
    "connections::",
    "frames::",
    "own_origin::",
    "comment_images::",
    "codehost_sign_in::no_secret_stands",
    "deployments::a_deployment_that_is_not_live",
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
