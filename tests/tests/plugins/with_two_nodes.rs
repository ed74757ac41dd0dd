//! Two nodes of a cluster behind a balancer run the plugins, and nobody who operates or calls them notices.

use galley_tests::nodes;

/// What one machine has for itself, and what is for SQLite alone.
const LEFT_OUT: &[(&str, &str)] = &[
    ("with_two_nodes::", "it would go on for ever"),
    ("shared::", "these start their own clusters"),
    ("shared_data::", "the same"),
    ("shared_killed::", "the same"),
    (
        "data::",
        "SQLite's steps and files; those of a cluster are in `shared_data::`",
    ),
    ("data_operations::", "the same"),
    ("data_swaps::", "the same"),
    ("killed_steps::", "the same, in `shared_killed::`"),
    ("bad_input::data_that_do_not_fit", "the same"),
    ("bad_input_by_api::data_that_do_not_fit", "the same"),
    ("replacing::a_removed_slot_is_gone", "the same"),
    ("sandbox::no_object_of_a_guest", "the same"),
    (
        "installing::an_installed_plugin_is_kept",
        "a backup that is restored into a data folder",
    ),
    (
        "approving::",
        "a plugins folder and `plugins.lock`, which a cluster does not share",
    ),
    ("failing::", "the same"),
    ("limits::a_limit_that_no_slot_can_have", "the same"),
    ("operating::an_approved_file_is_loaded", "the same"),
    ("operating::a_slot_can_be_filled", "the same"),
    ("replacing::limits_and_settings_are_shown", "the same"),
    ("sandbox::an_import_that_was_not_approved", "the same"),
    ("sandbox::each_call_has_an_instance_of_its_own", "the same"),
    ("tripping::a_slot_whose_start_failed", "the same"),
    ("tripping::an_event_that_fails", "the same"),
    ("tripping::events_of_a_tripped_slot", "the same"),
    (
        "tripping::a_slot_that_fails_gets_no_calls",
        "each process has its own breaker",
    ),
    ("tripping::each_probe_that_fails", "the same"),
    ("figures::", "each process counts its own calls"),
    ("latency::many_calls_of_some_milliseconds", "the same"),
    ("kept_handles::", "an instance is met again in the process that has it"),
    (
        "replacing::a_way_back_survives",
        "the components that came with the program: a test's database is a copy, and its bucket is empty",
    ),
    ("contract::a_component_of_version_", "plugins for SQLite alone"),
    ("contained::sql_that_gathers_memory", "the same"),
    ("contained::searches_without_end", "the same"),
    ("latency::by_one_that_searches", "the same"),
    ("latency::by_one_whose_guard_has_no_end", "the same"),
    ("languages::", "the same"),
    ("authoring::an_author_goes", "the same"),
    ("second_comments::", "the same"),
    (
        "latency::by_one_that_tries_all_slow_sql",
        "slow statements are the database's, which has a machine of its own in a cluster, and the same cores here",
    ),
];

#[test]
#[ignore = "another run of this program's tests: `cargo xtask test with_two_nodes -- --include-ignored`"]
fn the_tests_of_plugins_pass_with_two_nodes() {
    nodes::pass_with_two(LEFT_OUT);
}
