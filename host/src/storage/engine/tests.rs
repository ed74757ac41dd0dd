//! Statements, values and refusals, on a real file.

use super::*;
use crate::storage::sqlite::{Migration, StorageError};

const SCHEMA: &str = "CREATE TABLE things (
    name TEXT PRIMARY KEY, size INTEGER, is_big INTEGER NOT NULL, bytes BLOB, weight REAL) STRICT;";

fn open() -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().unwrap();
    let schema = Migration {
        version: 1,
        sql: SCHEMA.into(),
    };
    let database = Database::open_file(&folder.path().join("things.db"), &[schema]).unwrap();
    (folder, database)
}

const INSERT: &str = "INSERT INTO things (name, size, is_big, bytes) VALUES (?1, ?2, ?3, ?4)";

async fn put(database: &Database, name: &'static str, size: Option<i64>) -> Result<usize, StorageError> {
    database
        .write(move |rows| rows.execute(INSERT, (name, size, size > Some(9), vec![0_u8, 255])))
        .await
}

#[tokio::test]
async fn values_come_back_as_they_were_bound() {
    let (_folder, database) = open();
    assert_eq!(put(&database, "it's ?1 \u{e9}", Some(i64::MIN)).await.unwrap(), 1);
    assert_eq!(put(&database, "b", None).await.unwrap(), 1);
    assert_eq!(put(&database, "c", Some(10)).await.unwrap(), 1);
    let sql = "SELECT name, size, is_big, bytes FROM things ORDER BY size";
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
    assert_eq!(all.unwrap(), expected);
    let found = |name: &'static str| {
        let sql = "SELECT size FROM things WHERE name = ?1";
        database.read(move |rows| rows.fetch_optional(sql, [name], |row| row.get::<u32>(0)))
    };
    assert_eq!(found("c").unwrap(), Some(10));
    assert_eq!(found("d").unwrap(), None);
}

#[tokio::test]
async fn a_column_of_another_type_is_an_error_and_says_which() {
    let (_folder, database) = open();
    put(&database, "a", Some(-1)).await.unwrap();
    let read = |column: &str, read: fn(&Row<'_>) -> Result<(), StorageError>| {
        let sql = format!("SELECT 1, {column} FROM things");
        database.read(|rows| rows.fetch_one(&sql, (), read)).unwrap_err()
    };
    let wrong = [
        read("name", |row| row.get::<i64>(1).map(drop)),
        read("size", |row| row.get::<u32>(1).map(drop)),
        read("size", |row| row.get::<String>(1).map(drop)),
        read("NULL", |row| row.get::<String>(1).map(drop)),
        read("0.5", |row| row.get::<Option<String>>(1).map(drop)),
        read("CAST(x'ff' AS TEXT)", |row| row.get::<String>(1).map(drop)),
    ];
    for error in wrong {
        assert!(matches!(error, StorageError::Column(1)), "{error}");
    }
    let beyond = read("1", |row| row.get::<i64>(2).map(drop));
    assert!(matches!(beyond, StorageError::Sqlite(_)), "{beyond}");
    let none = database.read(|rows| {
        rows.fetch_one("SELECT size FROM things WHERE name = ?1", ["b"], |row| {
            row.get::<i64>(0)
        })
    });
    assert!(matches!(none, Err(StorageError::NoRow)), "{none:?}");
}

#[tokio::test]
async fn a_write_is_whole_and_a_read_writes_nothing() {
    let (_folder, database) = open();
    put(&database, "a", None).await.unwrap();
    assert!(put(&database, "a", None).await.unwrap_err().is_refused());
    let undone = database.write(|rows| {
        rows.execute("DELETE FROM things", ())?;
        Err::<(), _>(StorageError::Gone)
    });
    assert!(matches!(undone.await, Err(StorageError::Gone)));
    let written = database.read(|rows| rows.execute("DELETE FROM things", ()));
    assert!(written.is_err_and(|error| !error.is_refused()));
    let (told, heard) = std::sync::mpsc::channel();
    let count = database.write_then(
        |rows| rows.fetch_one("SELECT count(*) FROM things", (), |row| row.get::<u32>(0)),
        move |count| told.send(*count).unwrap(),
    );
    assert_eq!(count.await.unwrap(), 1);
    assert_eq!(heard.try_recv(), Ok(1), "before the write resolves");
}
