//! Everything else works while all hostile guests do what they can.

use galley_tests::again::pass_again;
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
    let skipped = ["--skip", "beside_hostile_guests"];
    pass_again(company::VARIABLE, &[&FILES[..], &skipped[..]].concat(), 1, 40);
}
