//! Two nodes of a cluster behind a balancer serve, and nobody who uses the API notices.
//!
//! `GALLEY_TEST_NODES=1 cargo xtask test --package galley-tests --test api` runs the whole API so: what is not here takes another
//! quarter of an hour, or is about one machine (its boot, its port and its connections, the files of its data folder).

use galley_tests::again::pass_again;
use galley_tests::nodes;

/// The files whose tests pass with them: what several nodes have in common.
const FILES: [&str; 19] = [
    "access::",
    "admission::",
    "comment_fields::",
    "comment_rights::",
    "comment_stream::",
    "comment_unread::",
    "comments::",
    "instance_invites::",
    "instance_members::",
    "instance_settings::",
    "invites::",
    "magic_link::",
    "members::",
    "participants::",
    "projects::",
    "replies::",
    "resolve::",
    "session::",
    "tokens::",
];

#[test]
fn the_tests_of_the_api_pass_with_two_nodes() {
    // It looks into the folder of the files.
    let skipped = [
        "--skip",
        "another_plugin",
        "--skip",
        "two_nodes",
        "--skip",
        "cluster_",
        "--skip",
        "projects::deleting_a_project_takes_everything_with_it",
    ];
    pass_again(nodes::VARIABLE, &[&FILES[..], &skipped[..]].concat(), 2, 150);
}
