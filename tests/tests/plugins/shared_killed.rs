//! A server of a cluster that is killed in any step of a change: all servers have the plugin before, or the new one.

use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::pause::Pause;
use galley_tests::prelude::*;
use galley_tests::shelf::Shelf;

/// A version of the guest that keeps nothing.
fn shelf(version: &str) -> Shelf {
    Shelf::new(version, &[])
}

fn install(operator: &Operator, shelf: &Shelf) -> galley_tests::cli::Ended {
    let file = shelf.file(operator);
    let mut command = vec!["plugins", "install", &file, "--yes"];
    if operator.slot("shelf") != Value::Null {
        command.extend(["--replaces", "shelf"]);
    }
    operator.server.galley(&command)
}

#[track_caller]
fn serves(operator: &Operator, shelf: &Shelf) {
    eventually("this version serves here", || shelf.serves(operator).then_some(()));
}

#[test]
fn a_server_killed_in_any_step_leaves_all_with_the_old_plugin_or_the_new_one() {
    let cluster = Cluster::new();
    let (pause, build) = Pause::of(cluster.server());
    let (mut one, two) = (Operator::of(build), Operator::of(cluster.server()));
    let (old, new) = (shelf("1"), shelf("2"));
    install(&two, &old).expect(0);
    for step in ["stage", "read", "link", "start", "lock", "commit", "swap", "drain"] {
        serves(&one, &old);
        pause.kill_at(step, &one.server, || drop(install(&one, &new)));
        one.server.kill();
        // The change is written down before its data are committed, and not earlier.
        let approved = text(&two.slot("shelf"), "version");
        let expected = match step {
            "commit" | "swap" | "drain" => new.version(),
            _ => old.version(),
        };
        assert_eq!(approved, expected, "killed in `{step}`");
        let now = shelf(&approved);
        serves(&two, &now);
        one.server.again();
        serves(&one, &now);
        // The next change need not wait for longer than the lease of a server that is gone.
        install(&two, &new).expect(0);
        serves(&one, &new);
        install(&two, &old).expect(0);
    }
}
