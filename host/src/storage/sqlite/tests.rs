//! Writes in groups, steps behind them, and what is refused.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use super::*;

fn open(folder: &Path) -> Database {
    let first = Migration {
        version: 1,
        sql: "CREATE TABLE t (n INTEGER PRIMARY KEY)".into(),
    };
    Database::open(&folder.join("t.db"), &[first], |_| Ok(())).unwrap()
}

fn count(database: &Database) -> i64 {
    database
        .read::<_, StorageError>(|c| Ok(c.query_row("SELECT count(*) FROM t", [], |r| r.get(0))?))
        .unwrap()
}

#[tokio::test]
async fn a_failing_write_does_not_touch_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let database = Arc::new(open(folder.path()));
    let writes = (0..200).map(|n| {
        let database = database.clone();
        tokio::spawn(async move {
            database
                .write::<_, StorageError>(move |c| {
                    // 150 and up collide with rows that exist by then, or make the lower one collide.
                    c.execute("INSERT INTO t VALUES (?1)", [n % 150])?;
                    Ok(())
                })
                .await
                .is_ok()
        })
    });
    let mut stored = 0;
    for write in writes.collect::<Vec<_>>() {
        stored += i64::from(write.await.unwrap());
    }
    assert_eq!((stored, count(&database)), (150, 150));
}

#[tokio::test]
async fn an_interrupted_write_does_not_undo_the_others_of_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let database = Arc::new(open(folder.path()));
    let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n + 1000 FROM c";
    let tasks: Vec<_> = (0..20)
        .map(|n| {
            let database = database.clone();
            tokio::spawn(async move {
                database
                    .write::<_, StorageError>(move |c| {
                        if n % 5 != 0 {
                            c.execute("INSERT INTO t VALUES (?1)", [n])?;
                            return Ok(());
                        }
                        let started = std::time::Instant::now();
                        c.progress_handler(1000, Some(move || started.elapsed() > Duration::from_millis(20)))?;
                        let answer = c.execute(endless, []);
                        c.progress_handler(0, None::<fn() -> bool>)?;
                        Ok(answer.map(|_| ())?)
                    })
                    .await
                    .is_ok()
            })
        })
        .collect();
    let mut stored = 0;
    for task in tasks {
        stored += i64::from(task.await.unwrap());
    }
    assert_eq!((stored, count(&database)), (16, 16));
}

#[tokio::test]
async fn the_step_behind_a_write_runs_although_the_asker_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let (started, has_started) = mpsc::channel();
    let (ran, has_run) = mpsc::channel();
    let write = database.write_then::<_, StorageError>(
        move |c| {
            let _ = started.send(());
            std::thread::sleep(Duration::from_millis(50));
            Ok(c.execute("INSERT INTO t VALUES (7)", [])?)
        },
        move |changed| {
            let _ = ran.send(*changed);
        },
    );
    let mut write = Box::pin(write);
    assert!(futures_util::poll!(&mut write).is_pending());
    has_started.recv().unwrap();
    drop(write);
    assert_eq!(has_run.recv_timeout(Duration::from_secs(5)), Ok(1));
    assert_eq!(count(&database), 1);
}

#[tokio::test]
async fn no_step_runs_behind_a_write_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let (ran, has_run) = mpsc::channel();
    let failed = database.write_then::<usize, StorageError>(
        |_| Err(StorageError::Gone),
        move |_| {
            let _ = ran.send(());
        },
    );
    assert!(failed.await.is_err());
    assert!(has_run.recv().is_err());
}

#[test]
fn a_reader_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let database = open(folder.path());
    let answer = database.read::<_, StorageError>(|c| Ok(c.execute("INSERT INTO t VALUES (1)", [])?));
    assert!(answer.is_err());
}

#[test]
fn a_file_from_the_future_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let answer = Database::open(&folder.path().join("t.db"), &[], |_| Ok(()));
    assert!(matches!(answer, Err(StorageError::TooNew { found: 1, known: 0, .. })));
}

/// A plugin's write that counts to `rows`, and notes the threads on which it began.
async fn counted(
    database: &Database,
    rows: u32,
    threads: &Arc<parking_lot::Mutex<Vec<String>>>,
) -> Result<i64, StorageError> {
    use galley_sql::{Effort, restricted};
    let threads = threads.clone();
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    let sql =
        format!("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT {rows}) SELECT count(*) FROM c");
    let write = move |connection: &mut rusqlite::Connection| {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        threads.lock().push(name);
        let count = || connection.query_row(&sql, [], |row| row.get(0));
        Ok(restricted(deadline, Effort::UntilDeadline, count)?)
    };
    database.write(write).await
}

#[tokio::test]
async fn a_long_write_of_a_plugin_goes_on_where_it_delays_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.db");
    let database = Database::restricted(&path, Database::restricted_writer(&path).unwrap(), false).unwrap();
    let threads = Arc::default();
    assert_eq!(counted(&database, 2_000_000, &threads).await.unwrap(), 2_000_000);
    assert_eq!(*threads.lock(), ["write-t", "slow-t"]);
    // The next one begins there.
    threads.lock().clear();
    assert_eq!(counted(&database, 1, &threads).await.unwrap(), 1);
    assert_eq!(*threads.lock(), ["slow-t"]);
}
