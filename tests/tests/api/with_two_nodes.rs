//! Two nodes of a cluster behind a balancer serve, and nobody who uses the API notices.

use galley_tests::nodes;

/// What one machine has for itself.
const LEFT_OUT: &[(&str, &str)] = &[
    ("with_two_nodes::", "it would go on for ever"),
    (
        "with_another_plugin::",
        "another world, whose plugin is for SQLite alone",
    ),
    ("beside_hostile_guests::", "another world, whose data are a template's"),
    ("cluster_", "these start their own clusters"),
    ("boot::", "the boot of one process: its lines, signals and files"),
    ("modes::", "the files of a data folder"),
    ("objects::", "a store beside a data folder"),
    ("connections::", "each process counts its own"),
    ("metrics::", "the same"),
    (
        "pages::a_build_that_does_not_fit",
        "each process looks at the pages once, and says so",
    ),
    ("pages::without_a_build_the_root", "the same"),
    (
        "serving_bytes::text_is_sent",
        "each node compresses a file when it was asked for it, and the answers are of both",
    ),
    ("serving_bytes::encodings_of_a_file", "the same"),
    ("serving_bytes::a_range_is_of_the_bytes", "the same"),
    ("repo::tokens_of_installations_are_narrow_and_kept", "the same"),
    (
        "sign_in::every_start_has_a_link_of_its_own",
        "those of a cluster are good at all nodes until one of them is used",
    ),
    (
        "backup::a_backup_made_while_people_write",
        "restored into a data folder",
    ),
    ("backup::a_damaged_backup_is_refused", "the same"),
    ("backup::a_link_in_a_backup_is_not_followed", "the same"),
    ("backup::an_older_backup", "the same"),
    ("backup::native_code_and_other_things", "the same"),
    ("backup::nothing_present_is_written_over", "the same"),
    ("comment_images::images_are_in_backups", "the same"),
];

#[test]
fn the_tests_of_the_api_pass_with_two_nodes() {
    nodes::pass_with_two(LEFT_OUT);
}
