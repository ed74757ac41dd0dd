//! A server that is killed in any step of a change starts again with the plugin before or with the new one, with its data whole:
//! no write that was acknowledged is missing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use galley_tests::disk;
use galley_tests::operator::Operator;
use galley_tests::pause::Pause;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, put_until, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

/// A change, from version 1 or 2 to the other one.
struct Change {
    /// Plugins to install first, and how.
    before: Vec<(Shelf, &'static [&'static str])>,
    /// The version that serves then.
    old: &'static str,
    /// What is changed to.
    new: Shelf,
    /// The command; an `install` of `new` without.
    command: Option<&'static [&'static str]>,
    flags: &'static [&'static str],
    steps: &'static [&'static str],
}

/// Version 2, whose texts are in another column; nothing undoes it.
fn renamed() -> Shelf {
    Shelf::new("2", &[ITEMS, "ALTER TABLE item RENAME COLUMN text TO words"])
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY rowid".into())
}

fn install(operator: &Operator, shelf: &Shelf, flags: &[&str]) -> galley_tests::cli::Ended {
    let file = shelf.file(operator);
    let mut command = vec!["plugins", "install", &file];
    if operator.slot("shelf") != Value::Null {
        command.extend(["--replaces", "shelf"]);
    }
    command.extend(flags);
    operator.server.galley(&command)
}

impl Change {
    /// Runs it on a server of its own for each step, and kills that there.
    fn killed_in_each_step(&self) {
        let mut prepared = Operator::start();
        for (number, (shelf, flags)) in self.before.iter().enumerate() {
            install(&prepared, shelf, flags).expect(0);
            put(&prepared, &format!("before {number}"));
        }
        prepared.server.stop();
        // Once to its end on another copy: the change works, and what is compiled then need not be compiled again.
        let other = Operator::of(Server::build().on(prepared.server.data_dir()));
        self.run(&other).expect(0);
        disk::copy(
            &other.server.data_dir().join("plugins"),
            &prepared.server.data_dir().join("plugins"),
        );
        for step in self.steps {
            self.killed_in(step, &prepared);
        }
    }

    fn run(&self, operator: &Operator) -> galley_tests::cli::Ended {
        match self.command {
            Some(command) => operator.server.galley(command),
            None => install(operator, &self.new, &[&["--yes"], self.flags].concat()),
        }
    }

    fn killed_in(&self, step: &str, prepared: &Operator) {
        let (pause, build) = Pause::of(Server::build().on(prepared.server.data_dir()));
        let mut operator = Operator::of(build);
        let at_first = texts(&operator);
        let (written, ends) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (operator, written, ends) = (&operator, &written, &ends);
            for writer in 0..2 {
                scope.spawn(move || put_until(operator, &writer.to_string(), ends, written, &[]));
            }
            let change = std::panic::AssertUnwindSafe(|| {
                pause.kill_at(step, &operator.server, || drop(self.run(operator)));
            });
            let killed = std::panic::catch_unwind(change);
            ends.store(true, Ordering::Relaxed);
            if let Err(panic) = killed {
                std::panic::resume_unwind(panic);
            }
        });
        operator.server.kill();
        operator.server.again();
        healthy(&operator.server);
        let version = text(&operator.slot("shelf"), "version");
        let about = operator.anonymous().get("/api/v1/x/shelf/about").expect(200).json();
        assert_eq!(about["version"], version, "{step}");
        assert!(
            version == self.old || version == self.new.version(),
            "{step}: {version}"
        );
        let is_back = version == "1" && self.old == "2" && self.command.is_some();
        let there = texts(&operator);
        let mut wanted = at_first;
        match is_back {
            // What came after the update was given up.
            true => wanted.truncate(1),
            false => wanted.append(&mut written.into_inner().unwrap()),
        }
        let missing: Vec<_> = wanted.iter().filter(|text| !there.contains(text)).collect();
        assert!(
            missing.is_empty(),
            "killed in `{step}`, now {version}: {missing:?} missing in {there:?}"
        );
        put(&operator, "after");
        // The change can be made again, with all that is there by now.
        if version == self.old {
            self.run(&operator).expect(0);
            let now = texts(&operator);
            match self.command {
                Some(_) => assert_eq!(now, wanted[..1], "{step}"),
                None => assert!(
                    now.len() > there.len() && there.iter().all(|text| now.contains(text)),
                    "{step}"
                ),
            }
        }
    }
}

#[test]
fn a_server_killed_in_any_step_of_an_update_has_the_old_plugin_or_the_new_one() {
    let change = Change {
        before: vec![(Shelf::new("1", &[ITEMS]), &["--yes"])],
        old: "1",
        new: renamed(),
        command: None,
        flags: &[],
        steps: &[
            "stage", "read", "link", "copy", "migrate", "start", "lock", "commit", "swap", "drain",
        ],
    };
    change.killed_in_each_step();
}

#[test]
fn a_server_killed_in_any_step_of_going_back_to_a_copy_gives_up_nothing_too_early() {
    let change = Change {
        before: vec![(Shelf::new("1", &[ITEMS]), &["--yes"]), (renamed(), &["--yes"])],
        old: "2",
        new: Shelf::new("1", &[ITEMS]),
        command: Some(&["plugins", "rollback", "shelf", "--lose-writes"]),
        flags: &[],
        steps: &[
            "read", "link", "copy", "migrate", "start", "lock", "commit", "swap", "drain",
        ],
    };
    change.killed_in_each_step();
}

#[test]
fn a_server_killed_in_any_step_of_taking_data_over_loses_none() {
    let moving = "INSERT INTO box SELECT text FROM item; DROP TABLE item";
    let boxes = Shelf::new("2", &["CREATE TABLE box (content TEXT NOT NULL)"])
        .with("id", "boxes".into())
        .with("insert", "INSERT INTO box VALUES (?1)".into())
        .with("list", "SELECT content FROM box ORDER BY rowid".into())
        .with("adopts", json!([["shelf@1", moving]]));
    let change = Change {
        before: vec![(Shelf::new("1", &[ITEMS]), &["--yes"])],
        old: "1",
        new: boxes,
        command: None,
        flags: &["--adopt-data"],
        steps: &["copy", "migrate", "start", "lock", "commit", "swap", "drain"],
    };
    change.killed_in_each_step();
}
