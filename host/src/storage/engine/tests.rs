//! Statements, values and refusals, on a real file and a real PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use galley_harness::postgres::Postgres;
use galley_postgres::{Address, Bounds, Failure};

use super::*;
use crate::storage::sqlite::{Migration, StorageError};

const SCHEMA: &str = "CREATE TABLE things (
    name TEXT PRIMARY KEY, size INTEGER, is_big INTEGER NOT NULL, bytes BLOB, weight REAL) STRICT;";

fn schema() -> [Migration; 1] {
    [Migration {
        version: 1,
        sql: SCHEMA.into(),
    }]
}

fn open() -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open_file(&folder.path().join("things.db"), &schema()).unwrap();
    (folder, database)
}

async fn open_postgres(server: &Postgres, bounds: Bounds) -> Database {
    let url = server.new_database();
    open_at(&url, bounds).await
}

async fn open_at(url: &str, bounds: Bounds) -> Database {
    let address = Address::parse(url, None).unwrap();
    Database::open_postgres(address, &schema(), bounds).await.unwrap()
}

const INSERT: &str = "INSERT INTO things (name, size, is_big, bytes) VALUES (?1, ?2, ?3, ?4)";

async fn put(database: &Database, name: &'static str, size: Option<i64>) -> Result<usize, StorageError> {
    database
        .write(move |rows| rows.execute(INSERT, (name, size, size > Some(9), vec![0_u8, 255])))
        .await
}

#[tokio::test]
async fn values_come_back_from_a_file_as_they_were_bound() {
    let (_folder, database) = open();
    values_come_back(&database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_come_back_from_postgresql_as_they_were_bound() {
    let server = Postgres::shared();
    values_come_back(&open_postgres(&server, Bounds::default()).await).await;
}

async fn values_come_back(database: &Database) {
    assert_eq!(put(database, "it's ?1 \u{e9}", Some(i64::MIN)).await.unwrap(), 1);
    assert_eq!(put(database, "b", None).await.unwrap(), 1);
    assert_eq!(put(database, "c", Some(10)).await.unwrap(), 1);
    let sql = "SELECT name, size, is_big, bytes FROM things ORDER BY size NULLS FIRST";
    let all = database.read(|rows| {
        rows.fetch_all(sql, (), |row| {
            Ok((
                row.get::<String>(0)?,
                row.get::<Option<i64>>(1)?,
                row.get::<bool>(2)?,
                row.get::<Vec<u8>>(3)?,
            ))
        })
    });
    let of = |name: &str, size, is_big| (name.to_owned(), size, is_big, vec![0, 255]);
    let expected = [
        of("b", None, false),
        of("it's ?1 \u{e9}", Some(i64::MIN), false),
        of("c", Some(10), true),
    ];
    assert_eq!(all.await.unwrap(), expected);
    let found = async |name: &'static str| {
        let sql = "SELECT size FROM things WHERE name = ?1";
        let found = database.read(move |rows| rows.fetch_optional(sql, [name], |row| row.get::<u32>(0)));
        found.await.unwrap()
    };
    assert_eq!(found("c").await, Some(10));
    assert_eq!(found("d").await, None);
}

#[tokio::test]
async fn a_column_of_another_type_is_an_error_and_says_which() {
    let (_folder, database) = open();
    put(&database, "a", Some(-1)).await.unwrap();
    let read = async |column: &str, read: fn(&Row<'_>) -> Result<(), StorageError>| {
        let sql = format!("SELECT 1, {column} FROM things");
        let read = database.read(move |rows| rows.fetch_one(&sql, (), read));
        read.await.unwrap_err()
    };
    let wrong = [
        read("name", |row| row.get::<i64>(1).map(drop)).await,
        read("size", |row| row.get::<u32>(1).map(drop)).await,
        read("size", |row| row.get::<String>(1).map(drop)).await,
        read("NULL", |row| row.get::<String>(1).map(drop)).await,
        read("0.5", |row| row.get::<Option<String>>(1).map(drop)).await,
        read("CAST(x'ff' AS TEXT)", |row| row.get::<String>(1).map(drop)).await,
    ];
    for error in wrong {
        assert!(matches!(error, StorageError::Column(1)), "{error}");
    }
    let beyond = read("1", |row| row.get::<i64>(2).map(drop)).await;
    assert!(matches!(beyond, StorageError::Sqlite(_)), "{beyond}");
    let none = database.read(|rows| {
        rows.fetch_one("SELECT size FROM things WHERE name = ?1", ["b"], |row| {
            row.get::<i64>(0)
        })
    });
    let none = none.await;
    assert!(matches!(none, Err(StorageError::NoRow)), "{none:?}");
}

#[tokio::test]
async fn a_write_to_a_file_is_whole_and_a_read_writes_nothing() {
    let (_folder, database) = open();
    writes_are_whole(&database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_to_postgresql_is_whole_and_a_read_writes_nothing() {
    let server = Postgres::shared();
    writes_are_whole(&open_postgres(&server, Bounds::default()).await).await;
}

async fn writes_are_whole(database: &Database) {
    put(database, "a", None).await.unwrap();
    assert!(put(database, "a", None).await.unwrap_err().is_refused());
    let undone = database.write(|rows| {
        rows.execute("DELETE FROM things", ())?;
        Err::<(), _>(StorageError::Gone)
    });
    assert!(matches!(undone.await, Err(StorageError::Gone)));
    let written = database.read(|rows| rows.execute("DELETE FROM things", ()));
    assert!(written.await.is_err_and(|error: StorageError| !error.is_refused()));
    let (told, heard) = std::sync::mpsc::channel();
    let count = database.write_then(
        |rows| rows.fetch_one("SELECT count(*) FROM things", (), |row| row.get::<u32>(0)),
        move |count| told.send(*count).unwrap(),
    );
    assert_eq!(count.await.unwrap(), 1);
    assert_eq!(heard.try_recv(), Ok(1), "before the write resolves");
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_behind_writes_follow_the_order_of_the_commits() {
    let server = Postgres::shared();
    let database = Arc::new(open_postgres(&server, Bounds::default()).await);
    let (told, heard) = std::sync::mpsc::channel();
    let writes = (0..20).map(|number: u32| {
        let told = told.clone();
        let write = move |rows: &mut Rows<'_>| {
            let sql = "INSERT INTO things (name, size, is_big) SELECT ?1, count(*), 0 FROM things";
            rows.execute(sql, [number.to_string()])?;
            rows.fetch_one("SELECT count(*) FROM things", (), |row| row.get::<i64>(0))
        };
        let database = database.clone();
        tokio::spawn(async move {
            let written = database.write_then(write, move |count| told.send(*count).unwrap());
            written.await.unwrap()
        })
    });
    let writes: Vec<_> = writes.collect();
    for write in writes {
        write.await.unwrap();
    }
    let heard: Vec<i64> = heard.try_iter().collect();
    assert_eq!(heard, (1..=20).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_behind_a_commit_that_hangs_is_told_so_and_nothing_of_theirs_is_written() {
    let server = Postgres::start_with(&["synchronous_standby_names=nobody"]);
    // Making another database would wait for the standby.
    let url = server.url();
    let unheld = format!("{url}?options=-c%20synchronous_commit%3Dlocal");
    let unheld = open_at(&unheld, Bounds::default()).await;
    let bounds = Bounds {
        commit: Duration::from_secs(1),
        settle: Duration::from_secs(3),
        ..Bounds::default()
    };
    let held = Arc::new(open_at(&url, bounds).await);
    let put = |name: &'static str| {
        let held = held.clone();
        tokio::spawn(async move { put(&held, name, None).await })
    };
    let committing = async |what: &str| {
        let sql = format!("SELECT count({what}) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        while server.psql(&sql) != "1" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let hangs = put("hangs");
    // It has its turn before the next one asks for it.
    committing("pid").await;
    let waits = put("waits").await.unwrap();
    assert!(
        matches!(&waits, Err(StorageError::Postgres(Failure::Unavailable(_)))),
        "{waits:?}"
    );
    let hangs = hangs.await.unwrap();
    assert!(
        matches!(&hangs, Err(StorageError::Postgres(Failure::InDoubt))),
        "{hangs:?}"
    );
    let end = "pg_terminate_backend(pid)";
    committing(end).await;
    while server.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") != "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The next one has its turn, and is settled when its connection ends.
    let after = put("after");
    committing(end).await;
    assert_eq!(after.await.unwrap().unwrap(), 1);
    let sql = "SELECT name FROM things ORDER BY name";
    let names = unheld.read(move |rows| rows.fetch_all(sql, (), |row| row.get::<String>(0)));
    // What was in doubt is there.
    assert_eq!(names.await.unwrap(), ["after", "hangs"]);
}
