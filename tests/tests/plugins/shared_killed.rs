//! A server of a cluster that is killed in any step of a change: all servers have the plugin before or the new one, with data that fit.

use galley_tests::cli::Ended;
use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::pause::Pause;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";
const RENAMED: &str = "ALTER TABLE item RENAME COLUMN text TO words";
const RENAMED_BACK: &str = "ALTER TABLE item RENAME COLUMN words TO text";

/// Version 1, whose texts are in the column `text`.
fn old() -> Shelf {
    Shelf::new("1", &[ITEMS])
        .with("postgres", json!(true))
        .with("list", "SELECT text FROM item ORDER BY text".into())
}

/// Version 2, whose texts are in another column.
fn new() -> Shelf {
    Shelf::new("2", &[ITEMS, RENAMED])
        .down(RENAMED_BACK)
        .with("postgres", json!(true))
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY words".into())
}

fn install(operator: &Operator, shelf: &Shelf) -> Ended {
    let file = shelf.file(operator);
    let mut command = vec!["plugins", "install", &file, "--yes"];
    if operator.slot("shelf") != Value::Null {
        command.extend(["--replaces", "shelf"]);
    }
    operator.server.galley(&command)
}

/// Waits until a version serves at both servers, with all that was written.
#[track_caller]
fn serves(servers: [&Operator; 2], shelf: &Shelf, written: &[String]) {
    for operator in servers {
        eventually("this version serves here", || shelf.serves(operator).then_some(()));
    }
    // One that was still followed by somebody may have had the data until now.
    for operator in servers {
        assert_eq!(texts(operator), written);
    }
}

#[test]
fn a_server_killed_in_any_step_leaves_all_with_the_old_plugin_or_the_new_one() {
    let cluster = Cluster::new();
    let (pause, build) = Pause::of(cluster.server());
    let (mut one, two) = (Operator::of(build), Operator::of(cluster.server()));
    let mut written = Vec::new();
    install(&two, &old()).expect(0);
    let steps = [
        "stage", "read", "link", "migrate", "start", "lock", "commit", "swap", "drain",
    ];
    for (number, step) in steps.into_iter().enumerate() {
        serves([&one, &two], &old(), &written);
        written.push(format!("{number} before {step}"));
        put(&two, written.last().unwrap());
        pause.kill_at(step, &one.server, || drop(install(&one, &new())));
        one.server.kill();
        // The change is written down before its data are committed, and not earlier.
        let approved = text(&two.slot("shelf"), "version");
        let expected = match step {
            "commit" | "swap" | "drain" => new(),
            _ => old(),
        };
        assert_eq!(approved, expected.version(), "killed in `{step}`");
        eventually("it serves at the other one", || expected.serves(&two).then_some(()));
        assert_eq!(texts(&two), written, "killed in `{step}`");
        one.server.again();
        serves([&one, &two], &expected, &written);
        // The next change need not wait for longer than the lease of a server that is gone.
        install(&two, &new()).expect(0);
        serves([&one, &two], &new(), &written);
        install(&one, &old()).expect(0);
    }
}
