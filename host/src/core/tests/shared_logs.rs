//! Logs of two servers of one PostgreSQL, which have one object store.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::core::testing::two;
use crate::storage::id::now_ms;
use crate::storage::logs::{LogError, Logs, MAX_BYTES, rows};
use crate::storage::objects::Objects;

struct Fixture {
    one: Logs,
    two: Logs,
    database: Arc<Database>,
    store: TempDir,
    _cores: [Opened; 2],
}

async fn open() -> Fixture {
    let (first, second) = two().await;
    let store = tempfile::tempdir().unwrap();
    let logs = |core: &Core| {
        let objects = Objects::in_folders(store.path());
        Logs::shared(&objects, core.shared_database().unwrap()).unwrap()
    };
    Fixture {
        one: logs(&first.core),
        two: logs(&second.core),
        database: first.core.shared_database().unwrap(),
        store,
        _cores: [first, second],
    }
}

impl Fixture {
    /// The names of the objects of a slot.
    fn objects(&self, slot: &str) -> Vec<String> {
        let names = fs::read_dir(self.store.path().join("logs").join(slot));
        let names = names.into_iter().flatten().flatten();
        names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// How many chunks there are.
    async fn chunks(&self) -> i64 {
        let count = |rows: &mut Rows<'_>| {
            let sql = "SELECT count(*) FROM log_chunks";
            Ok::<i64, CoreError>(rows.fetch_one(sql, (), |row| row.get(0))?)
        };
        self.database.read(count).await.unwrap()
    }

    /// Waits until the text of all logs that ended is in the store.
    async fn moved(&self) {
        while self.chunks().await > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// The whole text as a follower gets it, in pieces of so many bytes, from an offset on.
async fn followed(logs: &Logs, id: &str, mut offset: u64, len: usize) -> (String, Option<String>) {
    let mut text = String::new();
    loop {
        let piece = logs.piece("notes", id, offset, len).await.unwrap();
        if piece.text.is_empty() {
            return (text, piece.status);
        }
        offset += piece.text.len() as u64;
        text += &piece.text;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_writes_the_other_follows_from_any_byte_and_when_it_has_ended_too() {
    let fixture = open().await;
    let Fixture { one, two, .. } = &fixture;
    assert!(!two.exists("notes", "a1").await.unwrap());
    one.create("notes", "a1").await.unwrap();
    two.create("notes", "a1").await.unwrap();
    assert!(two.exists("notes", "a1").await.unwrap() && !two.exists("other", "a1").await.unwrap());
    // Characters of several bytes, a NUL, and a text of several chunks.
    let parts = [
        "één\n".to_owned(),
        "a\0b\n".to_owned(),
        "öxyz".repeat(50_000),
        "end\n".to_owned(),
    ];
    for (at, part) in parts.iter().enumerate() {
        let writer = if at % 2 == 0 { one } else { two };
        writer.append("notes", "a1", part).await.unwrap();
    }
    let whole = parts.concat();
    for (logs, len) in [(one, 1 << 20), (two, 1 << 20), (two, 65_537), (one, 70_000)] {
        assert_eq!(followed(logs, "a1", 0, len).await, (whole.clone(), None));
    }
    let checks = async || {
        for offset in [3, 9, 65_536, 65_545, whole.len() as u64 - 4] {
            let rest = String::from_utf8_lossy(&whole.as_bytes()[offset as usize..]).into_owned();
            let piece = two.read("notes", "a1", offset, 1 << 20).await.unwrap();
            assert_eq!(piece, rest, "from {offset}");
        }
        assert_eq!(two.read("notes", "a1", 0, 1).await.unwrap(), "", "half a character");
        for far in [whole.len() as u64, 1 << 40, u64::MAX] {
            assert_eq!(two.read("notes", "a1", far, 100).await.unwrap(), "");
        }
    };
    checks().await;

    two.close("notes", "a1", "ready").await.unwrap();
    one.close("notes", "a1", "failed").await.unwrap();
    let ended = Some("ready".to_owned());
    assert_eq!(followed(one, "a1", 0, 1 << 20).await, (whole.clone(), ended.clone()));
    for logs in [one, two] {
        let late = logs.append("notes", "a1", "x").await;
        assert!(matches!(late, Err(LogError::Closed)), "{late:?}");
    }
    fixture.moved().await;
    for logs in [one, two] {
        assert_eq!(followed(logs, "a1", 0, 100_000).await, (whole.clone(), ended.clone()));
    }
    checks().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_made_again_is_another_one() {
    let fixture = open().await;
    let Fixture { one, two, .. } = &fixture;
    for round in 0..3 {
        let (writer, other) = if round % 2 == 0 { (one, two) } else { (two, one) };
        let text = format!("round {round}\n");
        writer.append("notes", "same", &text).await.unwrap();
        writer.close("notes", "same", "done").await.unwrap();
        fixture.moved().await;
        assert_eq!(followed(other, "same", 0, 100).await.0, text);
        assert_eq!(fixture.objects("notes").len(), 1);
        other.remove("notes", "same").await.unwrap();
        writer.remove("notes", "same").await.unwrap();
        assert!(!writer.exists("notes", "same").await.unwrap());
        assert_eq!(followed(other, "same", 0, 100).await, (String::new(), None));
        assert!(fixture.objects("notes").is_empty());
    }
    one.append("notes", "x", "x").await.unwrap();
    one.append("notes", "y", "y").await.unwrap();
    one.append("other", "x", "z").await.unwrap();
    one.close("notes", "y", "done").await.unwrap();
    two.remove_all("notes").await.unwrap();
    assert!(!one.exists("notes", "x").await.unwrap() && !one.exists("notes", "y").await.unwrap());
    assert_eq!(one.read("other", "x", 0, 10).await.unwrap(), "z");
}

#[tokio::test(flavor = "multi_thread")]
async fn both_at_once_lose_nothing_and_no_log_outgrows_its_bound() {
    const EACH: usize = 20;
    let fixture = open().await;
    let mut writers = tokio::task::JoinSet::new();
    for (name, logs) in [("one", fixture.one.clone()), ("two", fixture.two.clone())] {
        writers.spawn(async move {
            for number in 0..EACH {
                logs.append("notes", "a1", &format!("{name} {number}\n")).await.unwrap();
            }
        });
    }
    writers.join_all().await;
    let (text, _) = followed(&fixture.one, "a1", 0, 1 << 20).await;
    for name in ["one", "two"] {
        let of = text.lines().filter(|line| line.starts_with(name));
        let expected: Vec<_> = (0..EACH).map(|number| format!("{name} {number}")).collect();
        assert_eq!(of.collect::<Vec<_>>(), expected, "in the order of each");
    }
    let rest = "x".repeat(MAX_BYTES as usize - text.len());
    let too_much = fixture.two.append("notes", "a1", &(rest.clone() + "y")).await;
    assert!(matches!(too_much, Err(LogError::TooLarge)), "{too_much:?}");
    fixture.two.append("notes", "a1", &rest).await.unwrap();
    let full = fixture.one.append("notes", "a1", "y").await;
    assert!(matches!(full, Err(LogError::TooLarge)), "{full:?}");
    let new = fixture
        .one
        .append("notes", "a2", &("y".repeat(MAX_BYTES as usize + 1)))
        .await;
    assert!(matches!(new, Err(LogError::TooLarge)), "{new:?}");
    assert_eq!(fixture.two.read("notes", "a1", MAX_BYTES - 2, 100).await.unwrap(), "xx");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_server_left_is_moved_and_objects_of_nobody_go_when_they_are_old() {
    let fixture = open().await;
    fixture.one.append("notes", "a1", "text\n").await.unwrap();
    // It is killed right behind the end.
    let close = |rows: &mut Rows<'_>| Ok::<_, CoreError>(rows::close(rows, "notes", "a1", "ready")?);
    fixture.database.write(close).await.unwrap();
    fixture.two.move_ended().await.unwrap();
    fixture.one.move_ended().await.unwrap();
    assert_eq!(fixture.chunks().await, 0);
    assert_eq!(fixture.objects("notes").len(), 1);
    assert_eq!(
        followed(&fixture.one, "a1", 0, 100).await,
        ("text\n".to_owned(), Some("ready".to_owned()))
    );
    // Without a bucket there is nothing to list.
    assert_eq!(fixture.two.sweep(now_ms()).await.unwrap(), 0);
    assert!(Path::new(fixture.store.path()).join("logs").is_dir());
}
