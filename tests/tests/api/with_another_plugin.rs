//! A plugin by somebody else fills the slot of comments, and nobody who uses the API notices.

use galley_tests::again::pass_again;
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
    let skipped = ["--skip", "another_plugin"];
    pass_again(stand_in::VARIABLE, &[&FILES[..], &skipped[..]].concat(), 2, 60);
}
