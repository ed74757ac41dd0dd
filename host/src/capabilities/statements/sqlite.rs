//! On a file. A read runs on the call's thread for at most 2 ms. A read that needs longer starts again on a thread of the slot's
//! own, and the next reads of the slot start there ([`crate::storage::reads`]). A write waits for the database's writer, which runs
//! slow ones on such a thread too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use galley_sql::{Effort, by_host, restricted};
use rusqlite::Connection;

use super::super::contract::galley::events::types::Event;
use super::super::contract::galley::sql::sql::{Step, Value};
use super::super::rows::{self, SqlError};
use crate::core::MAX_WAITING;
use crate::storage::reads::Reads;
use crate::storage::slot_data::count_write;
use crate::storage::sqlite::Database;

/// How long the host's own statements in a slot's database may take.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// See [`query`](super::query).
pub async fn query(
    (reads, slot): (&Reads, &str),
    database: Arc<Database>,
    deadline: Instant,
    sql: &str,
    params: Vec<Value>,
) -> Result<Vec<u8>, SqlError> {
    if reads.are_quick() && !database.has_virtual_tables() {
        let answer = reads.here(|| {
            database.read(|connection| restricted(deadline, Effort::Little, || rows::run(connection, sql, &params)))
        });
        match answer {
            Err(error) if error.is_interrupted() => {}
            answer => return answer,
        }
    }
    let sql = sql.to_owned();
    let read = move || {
        database.read(|connection| restricted(deadline, Effort::UntilDeadline, || rows::run(connection, &sql, &params)))
    };
    let answer = reads.elsewhere(slot, read).await;
    answer.unwrap_or_else(|| Err(SqlError::interrupted()))
}

/// See [`execute`](super::execute).
pub async fn execute(database: &Database, deadline: Instant, sql: String, params: Vec<Value>) -> Result<u64, SqlError> {
    let counts = database.counts_writes();
    let written = database.write(move |connection| {
        counted(counts, connection, || {
            restricted(deadline, Effort::UntilDeadline, || {
                rows::execute(connection, &sql, &params)
            })
        })
    });
    written.await
}

/// See [`batch`](super::batch).
pub async fn batch(
    database: &Database,
    deadline: Instant,
    steps: Vec<Step>,
    publish: Vec<Event>,
) -> Result<Vec<Vec<u8>>, SqlError> {
    let counts = database.counts_writes();
    let written = database.write::<_, SqlError>(move |connection| {
        let answers: Vec<_> = counted(counts, connection, || {
            restricted(deadline, Effort::UntilDeadline, || {
                steps
                    .iter()
                    .enumerate()
                    .map(|(at, step)| run_step(connection, at, step))
                    .collect::<Result<_, _>>()
            })
        })?;
        keep(connection, &publish)?;
        Ok(answers)
    });
    written.await
}

/// Runs a write, and counts it when it changed something and a copy of the file may come back.
fn counted<T>(
    counts: bool,
    connection: &Connection,
    write: impl FnOnce() -> Result<T, SqlError>,
) -> Result<T, SqlError> {
    let before = connection.total_changes();
    let answer = write()?;
    if counts && connection.total_changes() > before {
        count_write(connection)?;
    }
    Ok(answer)
}

fn run_step(connection: &Connection, at: usize, step: &Step) -> Result<Vec<u8>, SqlError> {
    let before = connection.total_changes();
    let packed = rows::run(connection, &step.sql, &step.params)?;
    let changed = connection.total_changes() - before;
    match step.expect_changes {
        Some(expected) if expected != changed => Err(SqlError::Expectation {
            step: at,
            expected,
            changed,
        }),
        _ => Ok(packed),
    }
}

/// Stores events in the connection's current transaction.
///
/// The host's statements are prepared anew each time. The connection caches statements by their text, so a plugin that sends
/// the same text would get a cached one that was prepared with the host's authority.
fn keep(connection: &Connection, events: &[Event]) -> Result<(), SqlError> {
    if events.is_empty() {
        return Ok(());
    }
    by_host(Instant::now() + HOST_TIMEOUT, || {
        // They stay here only while the outbox cannot be written.
        let count = "SELECT count(*) FROM main._galley_events";
        let waiting: i64 = connection.query_row(count, [], |row| row.get(0))?;
        if waiting as u64 >= MAX_WAITING {
            return Err(SqlError::Backlog);
        }
        let mut insert = connection.prepare("INSERT INTO main._galley_events (topic, data) VALUES (?1, ?2)")?;
        for event in events {
            insert.execute([&event.topic, &event.data])?;
        }
        Ok(())
    })
}

/// See [`events`](super::events).
pub fn events(database: &Database) -> Result<Vec<(i64, Event)>, SqlError> {
    database.read(|connection| {
        by_host(Instant::now() + HOST_TIMEOUT, || {
            let mut statement = connection.prepare("SELECT id, topic, data FROM main._galley_events ORDER BY id")?;
            let rows = statement.query_map([], |row| {
                let (topic, data) = (row.get(1)?, row.get(2)?);
                Ok((row.get(0)?, Event { topic, data }))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    })
}

/// See [`forget_events`](super::forget_events).
pub async fn forget_events(database: &Database, last: i64) -> Result<(), SqlError> {
    let written = database.write(move |connection| {
        by_host(Instant::now() + HOST_TIMEOUT, || {
            connection.execute("DELETE FROM main._galley_events WHERE id <= ?1", [last])?;
            Ok(())
        })
    });
    written.await
}
