//! Everything else works while all hostile guests do what they can.

use std::process::Command;

use galley_tests::company;

/// The files whose tests pass beside them.
const FILES: [&str; 5] = [
    "comments::",
    "replies::",
    "resolve::",
    "comment_rights::",
    "comment_stream::",
];

#[test]
fn the_tests_of_comments_pass_while_all_hostile_guests_run_at_once() {
    let tests = Command::new(std::env::current_exe().unwrap())
        .args(FILES)
        .args(["--skip", "beside_hostile_guests", "--test-threads=1"])
        .env(company::VARIABLE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tests.stdout);
    let passed = said.lines().filter(|line| line.ends_with(" ... ok")).count();
    assert!(tests.status.success() && passed >= 40, "{passed} passed:\n{said}");
}
