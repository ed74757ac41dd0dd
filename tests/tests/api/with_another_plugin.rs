//! A plugin by somebody else fills the slot of comments, and nobody who uses the API notices.

use std::process::Command;

use galley_tests::stand_in;

/// The files whose tests pass with it: all about comments.
const FILES: [&str; 10] = [
    "comments::",
    "replies::",
    "reply_changes::",
    "comment_fields::",
    "comment_images::",
    "comment_rights::",
    "comment_stream::",
    "comment_unread::",
    "participants::",
    "mentions_mail::",
];

#[test]
fn the_tests_of_comments_pass_with_another_plugin_in_their_slot() {
    let tests = Command::new(std::env::current_exe().unwrap())
        .args(FILES)
        .args(["--skip", "another_plugin", "--test-threads=2"])
        .env(stand_in::VARIABLE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tests.stdout);
    let passed = said.lines().filter(|line| line.ends_with(" ... ok")).count();
    assert!(tests.status.success() && passed >= 60, "{passed} passed:\n{said}");
}
