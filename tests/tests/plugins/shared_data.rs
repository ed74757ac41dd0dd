//! The data of a slot in a cluster when its plugin changes at one server, while both are written to: copies from before updates, the way back to
//! one, and another plugin that takes the data over.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use galley_tests::cli::Ended;
use galley_tests::cluster::Cluster;
use galley_tests::operator::Operator;
use galley_tests::pause::Pause;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, put_until, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

fn shelf(version: &str, steps: &[&str], column: &str) -> Shelf {
    Shelf::new(version, steps)
        .with("postgres", json!(true))
        .with("insert", format!("INSERT INTO item ({column}) VALUES (?1)").into())
        .with("list", format!("SELECT {column} FROM item ORDER BY {column}").into())
}

/// Version 1, whose texts are in the column `text`. It takes boxes over.
fn old() -> Shelf {
    let back = "INSERT INTO item SELECT content FROM box; DROP TABLE box";
    shelf("1", &[ITEMS], "text").with("adopts", json!([["boxes@1", back]]))
}

/// Version 2, whose texts are in another column; nothing undoes it.
fn renamed() -> Shelf {
    shelf("2", &[ITEMS, "ALTER TABLE item RENAME COLUMN text TO words"], "words")
}

/// Another plugin with a schema of its own, which takes the texts over.
fn boxes() -> Shelf {
    let moving = "INSERT INTO box SELECT text FROM item; DROP TABLE item";
    Shelf::new("3", &["CREATE TABLE box (content TEXT NOT NULL)"])
        .with("postgres", json!(true))
        .with("id", "boxes".into())
        .with("insert", "INSERT INTO box VALUES (?1)".into())
        .with("list", "SELECT content FROM box ORDER BY content".into())
        .with("adopts", json!([["shelf@1", moving]]))
}

fn install(operator: &Operator, shelf: &Shelf, flags: &[&str]) -> Ended {
    let file = shelf.file(operator);
    let mut command = vec!["plugins", "install", &file, "--yes"];
    if operator.slot("shelf") != Value::Null {
        command.extend(["--replaces", "shelf"]);
    }
    command.extend(flags);
    operator.server.galley(&command)
}

fn rollback(operator: &Operator, flags: &[&str]) -> Ended {
    operator
        .server
        .galley(&[&["plugins", "rollback", "shelf"], flags].concat())
}

/// Two servers of a cluster, which serve version 1.
fn two(cluster: &Cluster) -> [Operator; 2] {
    let both = [(); 2].map(|()| Operator::of(cluster.server()));
    install(&both[0], &old(), &[]).expect(0);
    serve(&both, &old());
    both
}

/// Waits until a version serves at both servers.
#[track_caller]
fn serve(both: &[Operator; 2], shelf: &Shelf) {
    for operator in both {
        eventually("this version serves here", || shelf.serves(operator).then_some(()));
    }
}

/// Both have these texts, and no others.
#[track_caller]
fn have(both: &[Operator; 2], expected: &[&str]) {
    for operator in both {
        assert_eq!(texts(operator), expected);
    }
}

#[test]
fn a_rollback_goes_back_to_the_copy_at_both_servers() {
    let cluster = Cluster::new();
    let both = two(&cluster);
    let [one, two] = &both;
    put(two, "a first");
    install(one, &renamed(), &[]).expect(0);
    // Nothing is lost yet.
    rollback(two, &[]).expect(0);
    serve(&both, &old());
    put(one, "b second");
    install(two, &renamed(), &[]).expect(0);
    serve(&both, &renamed());
    put(one, "c third");
    put(two, "d fourth");
    for operator in &both {
        let refused = rollback(operator, &[]).expect(4);
        for word in ["2 writes", "--lose-writes"] {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
    }
    have(&both, &["a first", "b second", "c third", "d fourth"]);
    rollback(one, &["--lose-writes"]).expect(0);
    serve(&both, &old());
    have(&both, &["a first", "b second"]);
    put(two, "e again");
    have(&both, &["a first", "b second", "e again"]);
}

#[test]
fn an_update_that_fails_leaves_both_servers_as_they_were() {
    let cluster = Cluster::new();
    let both = two(&cluster);
    put(&both[1], "a first");
    let bad = shelf("4", &[ITEMS, "INSERT INTO nowhere VALUES (1)"], "text");
    let failing = renamed().with("fails", true.into());
    let unfit = boxes().with(
        "adopts",
        json!([["shelf@1", "INSERT INTO nowhere SELECT text FROM item"]]),
    );
    for (shelf, flags, words) in [
        (bad, &[][..], &["step 2", "nowhere"][..]),
        (failing, &[], &["its start failed", "on purpose"]),
        (unfit, &["--adopt-data"], &["taking over `shelf`", "nowhere"]),
        (
            boxes().with("fails", true.into()),
            &["--adopt-data"],
            &["its start failed"],
        ),
    ] {
        let refused = install(&both[0], &shelf, flags).expect(3);
        for word in words {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        for operator in &both {
            assert!(old().serves(operator), "version 1 goes on");
        }
    }
    put(&both[0], "b second");
    put(&both[1], "c third");
    have(&both, &["a first", "b second", "c third"]);
}

#[test]
fn another_plugin_takes_the_data_over_and_the_first_one_comes_back() {
    let cluster = Cluster::new();
    let both = two(&cluster);
    let [one, two] = &both;
    put(one, "a first");
    let refused = install(two, &boxes(), &[]).expect(3);
    for word in ["`boxes`", "`shelf`", "--adopt-data"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    install(two, &boxes(), &["--adopt-data"]).expect(0);
    // The other one answers with the new plugin, or not at all.
    let answer = one.anonymous().post("/api/v1/x/shelf", json!({ "text": "b second" }));
    assert!([204, 503].contains(&answer.status), "{}", answer.text());
    serve(&both, &boxes());
    if answer.status == 503 {
        put(one, "b second");
    }
    have(&both, &["a first", "b second"]);
    // A restart takes nothing over again, and neither does the same command.
    install(one, &boxes(), &["--adopt-data"]).expect(0);
    serve(&both, &boxes());
    have(&both, &["a first", "b second"]);
    let back = rollback(one, &[]).expect(0);
    assert!(
        back.stdout.contains("1 write since `boxes` took the data over"),
        "{}",
        back.stdout
    );
    serve(&both, &old());
    have(&both, &["a first"]);
    // Without a word, as its own data are there by now.
    install(two, &boxes(), &[]).expect(0);
    serve(&both, &boxes());
    have(&both, &["a first", "b second"]);
    // Without what was there.
    install(one, &old(), &["--adopt-data"]).expect(0);
    serve(&both, &old());
    have(&both, &["a first", "b second"]);
}

/// Reads at a server meanwhile: what it answers is whole, or a 503.
fn read(operator: &Operator, ends: &AtomicBool, base: &[String]) {
    let client = operator.anonymous();
    while !ends.load(Ordering::Relaxed) {
        match client.request("GET", "/api/v1/x/shelf").try_send() {
            Ok(answer) if answer.status == 200 => {
                let there: Vec<String> = serde_json::from_value(answer.json()).unwrap();
                let missing: Vec<_> = base.iter().filter(|text| !there.contains(text)).collect();
                assert!(missing.is_empty(), "a read found {missing:?} missing");
            }
            Ok(answer) if answer.status == 503 => {}
            Ok(answer) => panic!("a read failed: {}{}", answer.head, answer.text()),
            Err(_) => return,
        }
    }
}

/// Runs something while both servers are written to and read from. Answers what they acknowledged.
fn under_load(both: [&Operator; 2], round: &str, run: impl FnOnce()) -> Vec<String> {
    let (ends, written) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let base = texts(both[1]);
    std::thread::scope(|scope| {
        for (number, operator) in both.into_iter().enumerate() {
            let (ends, written, base) = (&ends, &written, &base);
            for writer in 0..2 {
                scope.spawn(move || put_until(operator, &format!("{round}-{number}-{writer}"), ends, written, &[503]));
            }
            scope.spawn(move || read(operator, ends, base));
        }
        let ran = catch_unwind(AssertUnwindSafe(run));
        ends.store(true, Ordering::Relaxed);
        if let Err(panic) = ran {
            resume_unwind(panic);
        }
    });
    written.into_inner().unwrap()
}

/// All that was acknowledged is there, and everything once.
#[track_caller]
fn nothing_is_missing(both: [&Operator; 2], acknowledged: &[String], round: &str) {
    for operator in both {
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        for text in texts(operator) {
            *found.entry(text).or_default() += 1;
        }
        let missing: Vec<_> = acknowledged.iter().filter(|text| !found.contains_key(*text)).collect();
        assert!(missing.is_empty(), "{round}: {missing:?} missing");
        let doubled: Vec<_> = found.iter().filter(|(_, count)| **count > 1).collect();
        assert!(doubled.is_empty(), "{round}: {doubled:?}");
    }
}

#[test]
fn nothing_acknowledged_is_missing_when_the_data_change_hands_under_load() {
    let cluster = Cluster::new();
    let both = two(&cluster);
    let [one, two] = &both;
    let mut acknowledged = Vec::new();
    for round in 0..3 {
        // One server does the first change, the other the next one.
        for (number, shelf) in [boxes(), old()].into_iter().enumerate() {
            let name = format!("{round}-{number}");
            let operator = &both[(round + number) % 2];
            acknowledged.extend(under_load([one, two], &name, || {
                install(operator, &shelf, &["--adopt-data"]).expect(0);
                serve(&both, &shelf);
            }));
            nothing_is_missing([one, two], &acknowledged, &name);
        }
    }
    assert!(acknowledged.len() > 20, "{} writes", acknowledged.len());
}

/// A change that a server is killed in.
struct Change<'c> {
    new: Shelf,
    run: &'c (dyn Fn(&Operator) -> Ended + Sync),
    steps: &'c [&'c str],
    /// Puts version 1 back, with all that is there.
    back: &'c dyn Fn(&Operator),
}

impl Change<'_> {
    /// Kills the first server in each step. Whatever serves then has all that was acknowledged.
    fn killed_in_each_step(&self) {
        let cluster = Cluster::new();
        let (pause, build) = Pause::of(cluster.server());
        let (mut one, two) = (Operator::of(build), Operator::of(cluster.server()));
        install(&two, &old(), &[]).expect(0);
        let mut acknowledged = Vec::new();
        for step in self.steps {
            for operator in [&one, &two] {
                eventually("version 1 serves", || old().serves(operator).then_some(()));
            }
            let expected = match *step {
                "commit" | "close" | "swap" | "drain" => &self.new,
                _ => &old(),
            };
            acknowledged.extend(under_load([&one, &two], step, || {
                pause.kill_at(step, &one.server, || drop((self.run)(&one)));
                eventually("it serves at the other one", || expected.serves(&two).then_some(()));
            }));
            one.server.kill();
            nothing_is_missing([&two, &two], &acknowledged, step);
            one.server.again();
            for operator in [&one, &two] {
                eventually("the same serves at both", || expected.serves(operator).then_some(()));
            }
            nothing_is_missing([&one, &two], &acknowledged, step);
            // The change can be made, or made again.
            (self.run)(&two).expect(0);
            for operator in [&one, &two] {
                eventually("the new one serves", || self.new.serves(operator).then_some(()));
            }
            nothing_is_missing([&one, &two], &acknowledged, step);
            (self.back)(&one);
        }
    }
}

#[test]
fn a_server_killed_in_any_step_of_taking_data_over_loses_none() {
    let change = Change {
        new: boxes(),
        run: &|operator| install(operator, &boxes(), &["--adopt-data"]),
        steps: &["migrate", "start", "lock", "commit", "close", "swap", "drain"],
        back: &|operator| {
            install(operator, &old(), &["--adopt-data"]).expect(0);
        },
    };
    change.killed_in_each_step();
}

#[test]
fn a_server_killed_in_any_step_of_an_update_loses_no_write() {
    let undone = || renamed().down("ALTER TABLE item RENAME COLUMN words TO text");
    let change = Change {
        new: undone(),
        run: &|operator| install(operator, &undone(), &[]),
        steps: &["migrate", "lock", "commit", "swap"],
        back: &|operator| {
            rollback(operator, &[]).expect(0);
        },
    };
    change.killed_in_each_step();
}

#[test]
fn a_server_killed_in_any_step_of_going_back_to_a_copy_gives_up_nothing_too_early() {
    let cluster = Cluster::new();
    let (pause, build) = Pause::of(cluster.server());
    let (mut one, two) = (Operator::of(build), Operator::of(cluster.server()));
    install(&two, &old(), &[]).expect(0);
    put(&two, "before");
    for step in ["migrate", "lock", "commit", "swap"] {
        install(&two, &renamed(), &[]).expect(0);
        for operator in [&one, &two] {
            eventually("version 2 serves", || renamed().serves(operator).then_some(()));
        }
        // It may be the version 2 of the round before, which is told so by the data.
        let after = format!("after {step}");
        eventually("it takes a text", || {
            let answer = one.anonymous().post("/api/v1/x/shelf", json!({ "text": after }));
            assert!([204, 503].contains(&answer.status), "{}", answer.text());
            (answer.status == 204).then_some(())
        });
        pause.kill_at(step, &one.server, || drop(rollback(&one, &["--lose-writes"])));
        one.server.kill();
        let is_back = ["commit", "swap"].contains(&step);
        let expected = if is_back { old() } else { renamed() };
        eventually("it serves at the other one", || expected.serves(&two).then_some(()));
        one.server.again();
        for operator in [&one, &two] {
            eventually("the same serves at both", || expected.serves(operator).then_some(()));
            match is_back {
                true => assert_eq!(texts(operator), ["before"], "{step}"),
                false => assert_eq!(texts(operator), [after.as_str(), "before"], "{step}"),
            }
        }
        if !is_back {
            rollback(&two, &["--lose-writes"]).expect(0);
            assert_eq!(texts(&two), ["before"], "{step}");
        }
    }
}
