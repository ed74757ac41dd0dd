//! The data of a slot when its plugin changes: steps, steps back, copies, and other schemas.

use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, texts};

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";
const COLOR: &str = "ALTER TABLE item ADD COLUMN color TEXT";
/// A step that the version before it cannot live with.
const RENAME: &str = "ALTER TABLE item RENAME COLUMN text TO words";
const RENAME_BACK: &str = "ALTER TABLE item RENAME COLUMN words TO text";

/// Version 2, whose texts are in another column.
fn renamed() -> Shelf {
    Shelf::new("2", &[ITEMS, RENAME])
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY rowid".into())
}

/// A server whose shelf has one text, of version 1.
fn with_shelf() -> Operator {
    let operator = Operator::start();
    Shelf::new("1", &[ITEMS]).approve(&operator, &[]);
    put(&operator, "first");
    operator
}

fn says(operator: &Operator, words: &[&str]) {
    eventually("the log says so", || {
        let log = operator.server.log();
        let found = log.lines().any(|line| words.iter().all(|word| line.contains(word)));
        found.then_some(())
    });
}

/// The schema and the rows of a file, as text.
fn dump(operator: &Operator, file: &str) -> Vec<String> {
    let path = operator.server.data_dir().join("slots").join(file);
    let database = rusqlite::Connection::open(path).unwrap();
    let mut schema = database
        .prepare("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
        .unwrap();
    let schema = schema.query_map([], |row| row.get(0)).unwrap();
    let mut dump: Vec<String> = schema.map(Result::unwrap).collect();
    let labels = "SELECT version || ' ' || name || ' ' || sha256 FROM _galley_schema ORDER BY version";
    for sql in [labels, "SELECT text FROM item ORDER BY rowid"] {
        let mut rows = database.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| row.get(0)).unwrap();
        dump.extend(rows.map(Result::unwrap));
    }
    dump
}

#[test]
fn an_update_runs_its_steps_and_keeps_the_rows() {
    let mut operator = with_shelf();
    renamed().approve(&operator, &[]);
    put(&operator, "second");
    assert_eq!(texts(&operator), ["first", "second"]);
    operator.server.kill();
    operator.server.again();
    assert_eq!(texts(&operator), ["first", "second"]);
}

#[test]
fn a_step_or_start_that_fails_leaves_data_and_plugin_as_they_were() {
    let operator = with_shelf();
    let before = dump(&operator, "shelf.db");
    Shelf::new("2", &[ITEMS, RENAME, "INSERT INTO nowhere VALUES (1)"])
        .try_approve(&operator, &[])
        .expect(0);
    says(&operator, &["ERROR", "shelf", "step 3", "no such table: nowhere"]);
    assert_eq!(dump(&operator, "shelf.db"), before);
    degraded(&operator.server, &["shelf"]);

    let start = "INSERT INTO item (words) VALUES ('by the start')";
    let failing = renamed().with("version", "3".into()).with("start", start.into());
    failing.with("fails", true.into()).try_approve(&operator, &[]).expect(0);
    says(&operator, &["ERROR", "its start failed", "on purpose"]);
    assert_eq!(dump(&operator, "shelf.db"), before);
    put(&operator, "second");
    assert_eq!(texts(&operator), ["first", "second"]);

    // The same start without the failure.
    renamed()
        .with("version", "4".into())
        .with("start", start.into())
        .approve(&operator, &[]);
    assert_eq!(texts(&operator), ["first", "second", "by the start"]);
}

#[test]
fn a_changed_step_is_refused_with_both_hashes() {
    let operator = with_shelf();
    let changed = "CREATE TABLE item (text TEXT)";
    let refused = Shelf::new("2", &[changed, COLOR]).try_approve(&operator, &[]).expect(3);
    let hash = |sql: &str| {
        use sha2::Digest;
        sha2::Sha256::digest(sql.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    for word in ["step 1", "`shelf`", &hash(ITEMS), &hash(changed)] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    assert_eq!(texts(&operator), ["first"]);
}

#[test]
fn another_schema_has_a_file_of_its_own_and_may_take_the_rows_over() {
    let operator = with_shelf();
    let moving = "INSERT INTO box SELECT text FROM item; DROP TABLE item";
    let boxes = Shelf::new("2", &["CREATE TABLE box (content TEXT NOT NULL)"])
        .with("id", "boxes".into())
        .with("insert", "INSERT INTO box VALUES (?1)".into())
        .with("list", "SELECT content FROM box ORDER BY rowid".into());
    let adopting = boxes.clone().with("adopts", json!([["shelf@1", moving]]));
    let refused = adopting.try_approve(&operator, &[]).expect(3);
    for word in ["`boxes`", "`shelf`", "--adopt-data"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    let refused = boxes.try_approve(&operator, &["--adopt-data"]).expect(3);
    assert!(refused.stderr.contains("cannot take over"), "{}", refused.stderr);

    adopting.approve(&operator, &["--adopt-data"]);
    put(&operator, "in a box");
    assert_eq!(texts(&operator), ["first", "in a box"]);
    // Back: the first one's data are still there, and forth again the other one's.
    Shelf::new("3", &[ITEMS]).approve(&operator, &[]);
    assert_eq!(texts(&operator), ["first"]);
    adopting.clone().with("version", "4".into()).approve(&operator, &[]);
    assert_eq!(texts(&operator), ["first", "in a box"]);

    // A plugin that takes nothing over begins without rows.
    boxes
        .with("version", "5".into())
        .with("id", "crates".into())
        .approve(&operator, &[]);
    assert_eq!(texts(&operator), Vec::<String>::new());
    for file in ["shelf.db", "shelf@boxes.db", "shelf@crates.db"] {
        assert!(operator.server.data_dir().join("slots").join(file).is_file(), "{file}");
    }
}

#[test]
fn an_older_plugin_uses_compatible_data_as_they_are() {
    let operator = with_shelf();
    let newer = Shelf::new("2", &[ITEMS, COLOR]).with("schema", json!(["shelf", 1]));
    newer.approve(&operator, &[]);
    put(&operator, "second");
    Shelf::new("1", &[ITEMS]).approve(&operator, &[]);
    put(&operator, "third");
    assert_eq!(texts(&operator), ["first", "second", "third"]);
    newer.approve(&operator, &[]);
    assert_eq!(texts(&operator), ["first", "second", "third"]);
}

#[test]
fn steps_are_undone_for_an_older_plugin() {
    let operator = with_shelf();
    renamed().down(RENAME_BACK).approve(&operator, &[]);
    put(&operator, "second");
    Shelf::new("1", &[ITEMS]).approve(&operator, &[]);
    put(&operator, "third");
    assert_eq!(texts(&operator), ["first", "second", "third"]);
}

#[test]
fn going_back_to_a_copy_says_how_many_writes_are_lost() {
    let operator = with_shelf();
    renamed().approve(&operator, &[]);
    for text in ["second", "third", "fourth"] {
        put(&operator, text);
    }
    let older = Shelf::new("1", &[ITEMS]);
    let refused = older.try_approve(&operator, &[]).expect(4);
    for word in ["3 writes", "--lose-writes"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    assert_eq!(texts(&operator), ["first", "second", "third", "fourth"]);
    older.approve(&operator, &["--lose-writes"]);
    assert_eq!(texts(&operator), ["first"]);
    put(&operator, "again");
    assert_eq!(texts(&operator), ["first", "again"]);
}

#[test]
fn a_backup_holds_the_files_of_all_schemas_and_the_copies() {
    let operator = with_shelf();
    Shelf::new("2", &[ITEMS])
        .with("id", "other".into())
        .approve(&operator, &[]);
    put(&operator, "other");
    Shelf::new("3", &[ITEMS, COLOR])
        .with("id", "other".into())
        .approve(&operator, &[]);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("backup");
    operator.server.galley(&["backup", &target.to_string_lossy()]).expect(0);
    for file in ["shelf.db", "shelf@other.db", "copies/shelf@other@1.db"] {
        assert!(target.join("slots").join(file).is_file(), "{file}");
    }
}
