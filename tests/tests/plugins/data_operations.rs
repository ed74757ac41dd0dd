//! What `install`, `update` and `rollback` do with the data of a slot.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

/// Version 2, whose texts are in another column.
fn renamed(version: &str) -> Shelf {
    Shelf::new(version, &[ITEMS, "ALTER TABLE item RENAME COLUMN text TO words"])
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY rowid".into())
}

fn with_shelf() -> Operator {
    let operator = Operator::start();
    let file = Shelf::new("1", &[ITEMS]).file(&operator);
    operator
        .server
        .galley(&["plugins", "install", &file, "--yes"])
        .expect(0);
    put(&operator, "first");
    operator
}

#[test]
fn a_rollback_says_how_many_writes_are_lost_and_wants_a_word() {
    let operator = with_shelf();
    let file = renamed("2").file(&operator);
    operator.server.galley(&["plugins", "update", "shelf", &file]).expect(0);
    put(&operator, "second");
    put(&operator, "third");
    let refused = operator.server.galley(&["plugins", "rollback", "shelf"]).expect(4);
    for word in ["2 writes", "--lose-writes"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    assert_eq!(texts(&operator), ["first", "second", "third"]);
    operator
        .server
        .galley(&["plugins", "rollback", "shelf", "--lose-writes"])
        .expect(0);
    assert_eq!(texts(&operator), ["first"]);
}

#[test]
fn an_update_whose_step_or_start_fails_names_it_and_changes_nothing() {
    let operator = with_shelf();
    let bad = Shelf::new("2", &[ITEMS, "INSERT INTO nowhere VALUES (1)"]);
    let failing = renamed("3").with("fails", true.into());
    for (shelf, words) in [
        (bad, &["step 2", "no such table: nowhere"][..]),
        (failing, &["its start failed", "on purpose"]),
    ] {
        let file = shelf.file(&operator);
        let refused = operator.server.galley(&["plugins", "update", "shelf", &file]).expect(3);
        for word in words {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        assert_eq!(text(&operator.slot("shelf"), "version"), "1");
    }
    put(&operator, "second");
    assert_eq!(texts(&operator), ["first", "second"]);
}

#[test]
fn another_plugin_takes_the_data_over_and_the_first_one_comes_back() {
    let operator = with_shelf();
    let moving = "INSERT INTO box SELECT text FROM item; DROP TABLE item";
    let boxes = Shelf::new("2", &["CREATE TABLE box (content TEXT NOT NULL)"])
        .with("id", "boxes".into())
        .with("insert", "INSERT INTO box VALUES (?1)".into())
        .with("list", "SELECT content FROM box ORDER BY rowid".into())
        .with("adopts", json!([["shelf@1", moving]]))
        .file(&operator);
    let install = ["plugins", "install", &boxes, "--replaces", "shelf", "--yes"];
    let refused = operator.server.galley(&install).expect(3);
    for word in ["`boxes`", "`shelf`", "--adopt-data"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    let adopting = [&install[..], &["--adopt-data"]].concat();
    operator.server.galley(&adopting).expect(0);
    put(&operator, "in a box");
    assert_eq!(texts(&operator), ["first", "in a box"]);
    operator.server.galley(&["plugins", "rollback", "shelf"]).expect(0);
    assert_eq!(texts(&operator), ["first"]);
    // Without a word, as its own data are there by now.
    operator.server.galley(&install).expect(0);
    assert_eq!(texts(&operator), ["first", "in a box"]);
}
