//! Changes of a slot's data while it is used, and while the server is killed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use galley_tests::kills::{kill_after, life};
use galley_tests::operator::Operator;
use galley_tests::shelf::{Shelf, put_until, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

/// Two versions that cannot use each other's data: each has its texts in a column of its own.
fn versions() -> [Shelf; 2] {
    let rename = |from: &str, to: &str| format!("ALTER TABLE item RENAME COLUMN {from} TO {to}");
    let newer = Shelf::new("2", &[ITEMS, &rename("text", "words")])
        .down(&rename("words", "text"))
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY rowid".into());
    [Shelf::new("1", &[ITEMS]), newer]
}

fn read(operator: &Operator, ends: &AtomicBool) {
    let client = operator.anonymous();
    while !ends.load(Ordering::Relaxed) {
        client.get("/api/v1/x/shelf").expect(200);
    }
}

fn missing(operator: &Operator, written: &[String]) -> Vec<String> {
    let found: std::collections::HashSet<String> = texts(operator).into_iter().collect();
    written.iter().filter(|text| !found.contains(*text)).cloned().collect()
}

#[track_caller]
fn nothing_is_missing(operator: &Operator, written: &Mutex<Vec<String>>, round: u32) {
    let missing = missing(operator, &written.lock().unwrap());
    assert_eq!(missing, Vec::<String>::new(), "round {round}");
}

#[test]
fn no_request_fails_while_the_data_change_under_load() {
    let operator = Operator::start();
    let versions = versions();
    versions[0].approve(&operator, &[]);
    let (ends, written) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        let (operator, ends, written) = (&operator, &ends, &written);
        for writer in 0..3 {
            scope.spawn(move || put_until(operator, &writer.to_string(), ends, written, &[]));
        }
        for _ in 0..2 {
            scope.spawn(move || read(operator, ends));
        }
        let swaps = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for swap in 1..=6 {
                versions[swap % 2].approve(operator, &[]);
            }
        }));
        ends.store(true, Ordering::Relaxed);
        if let Err(panic) = swaps {
            std::panic::resume_unwind(panic);
        }
    });
    let written = written.into_inner().unwrap();
    assert!(written.len() > 10, "{} writes", written.len());
    assert_eq!(missing(&operator, &written), Vec::<String>::new());
}

#[test]
fn a_killed_server_loses_no_acknowledged_write_of_a_swap() {
    let mut operator = Operator::start();
    let versions = versions();
    versions[0].approve(&operator, &[]);
    let written = Mutex::new(Vec::new());
    for round in 0..10 {
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let (operator, ends, written) = (&operator, &ends, &written);
                scope.spawn(move || put_until(operator, &format!("{round}-{writer}"), ends, written, &[]));
            }
            let next = &versions[(round as usize + 1) % 2];
            next.try_approve(&operator, &[]).expect(0);
            // The server looks at the approvals once a second; a kill falls before, into, or behind the swap.
            let processes = operator.server.ids();
            scope.spawn(move || kill_after(&processes, Duration::from_millis(500) + 2 * life(round)));
        });
        operator.server.kill();
        operator.server.again();
        nothing_is_missing(&operator, &written, round);
    }
}

#[test]
fn no_request_fails_while_operations_change_the_data() {
    let operator = Operator::start();
    let files = versions().map(|version| version.file(&operator));
    operator
        .server
        .galley(&["plugins", "install", &files[0], "--yes"])
        .expect(0);
    let (ends, written) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        let (operator, ends, written) = (&operator, &ends, &written);
        for writer in 0..3 {
            scope.spawn(move || put_until(operator, &writer.to_string(), ends, written, &[]));
        }
        scope.spawn(move || read(operator, ends));
        let swaps = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for _ in 0..5 {
                operator
                    .server
                    .galley(&["plugins", "update", "shelf", &files[1]])
                    .expect(0);
                operator.server.galley(&["plugins", "rollback", "shelf"]).expect(0);
            }
        }));
        ends.store(true, Ordering::Relaxed);
        if let Err(panic) = swaps {
            std::panic::resume_unwind(panic);
        }
    });
    let written = written.into_inner().unwrap();
    assert_eq!(missing(&operator, &written), Vec::<String>::new());
}

#[test]
fn a_server_killed_during_an_operation_loses_no_acknowledged_write() {
    let mut operator = Operator::start();
    let files = versions().map(|version| version.file(&operator));
    operator
        .server
        .galley(&["plugins", "install", &files[0], "--yes"])
        .expect(0);
    let written = Mutex::new(Vec::new());
    for round in 0..12 {
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (operator, ends, written) = (&operator, &ends, &written);
            scope.spawn(move || put_until(operator, &round.to_string(), ends, written, &[]));
            let file = &files[(round as usize + 1) % 2];
            // The command ends when the server does, or does the rest itself.
            scope.spawn(move || {
                operator
                    .server
                    .galley(&["plugins", "install", file, "--replaces", "shelf", "--yes"])
            });
            let processes = operator.server.ids();
            scope.spawn(move || kill_after(&processes, life(round)));
        });
        operator.server.kill();
        operator.server.again();
        nothing_is_missing(&operator, &written, round);
    }
}
