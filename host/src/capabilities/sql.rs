//! `galley:sql`: the slot's own database.
//!
//! A read runs on the call's thread for at most 2 ms. A read that needs longer starts again on a thread of the slot's own, and
//! the next reads of the slot start there ([`crate::storage::reads`]). A write waits for the database's writer, which runs slow
//! ones on such a thread too.

use std::sync::Arc;
use std::time::Instant;

use galley_sql::{Effort, restricted};

use super::contract::galley::sql::sql::{Event, Host, Step, Value};
use super::rows::{self, SqlError};
use super::state::{SlotState, granted, or_problem};
use super::{Problem, State, events, problem};
use crate::storage::slot_data::count_write;
use crate::storage::sqlite::Database;
use crate::telemetry;

impl State {
    pub(super) fn database(&self) -> Result<Arc<Database>, Problem> {
        let none = || problem("sql", "The plugin has no database: its manifest lists no migrations.");
        self.slot.database.clone().ok_or_else(none)
    }
}

/// Runs a statement that reads: on this thread for a moment, else on one of the slot's own.
pub async fn read(
    slot: &SlotState,
    database: Arc<Database>,
    deadline: Instant,
    sql: &str,
    params: Vec<Value>,
) -> Result<Vec<u8>, SqlError> {
    if slot.reads.are_quick() && !database.has_virtual_tables() {
        let answer = slot.reads.here(|| {
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
    let answer = slot.reads.elsewhere(&slot.name, read).await;
    answer.unwrap_or_else(|| Err(SqlError::interrupted()))
}

impl Host for State {
    async fn query(&mut self, sql: String, params: Vec<Value>) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let database = or_problem!(self.database());
        let read = read(&self.slot, database, self.call.deadline, &sql, params);
        let answer = read.await.map_err(SqlError::into_problem);
        note(answer.iter());
        Ok(answer)
    }

    async fn execute(&mut self, sql: String, params: Vec<Value>) -> wasmtime::Result<Result<u64, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let database = or_problem!(self.database());
        let deadline = self.call.deadline;
        let counts = database.counts_writes();
        let written = database.write(move |connection| {
            counted(counts, connection, || {
                restricted(deadline, Effort::UntilDeadline, || {
                    rows::execute(connection, &sql, &params)
                })
            })
        });
        Ok(written.await.map_err(|error| error.of_write(&self.slot)))
    }

    async fn batch(
        &mut self,
        steps: Vec<Step>,
        mut publish: Vec<Event>,
    ) -> wasmtime::Result<Result<Vec<Vec<u8>>, Problem>> {
        granted!(self, Sql);
        if !publish.is_empty() {
            granted!(self, Events);
            publish = or_problem!(self.may_publish(publish).await);
        }
        let _in_sql = self.call.in_sql.run();
        let database = or_problem!(self.database());
        let deadline = self.call.deadline;
        let publishes = !publish.is_empty();
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
            events::keep(connection, &publish)?;
            Ok(answers)
        });
        let answer = written.await.map_err(|error| error.of_write(&self.slot));
        note(answer.iter().flatten());
        if publishes && answer.is_ok() {
            events::relay_soon(&self.slot);
        }
        Ok(answer)
    }
}

/// Notes the size of what a plugin gets, for traces.
fn note<'a>(packed: impl Iterator<Item = &'a Vec<u8>>) {
    if !telemetry::is_on() {
        return;
    }
    let (rows, bytes) = packed.fold((0, 0), |(rows, bytes), packed| {
        (rows + rows::count(packed), bytes + packed.len())
    });
    telemetry::rows(rows, bytes);
}

/// Runs a write, and counts it when it changed something and a copy of the file may come back.
fn counted<T>(
    counts: bool,
    connection: &rusqlite::Connection,
    write: impl FnOnce() -> Result<T, SqlError>,
) -> Result<T, SqlError> {
    let before = connection.total_changes();
    let answer = write()?;
    if counts && connection.total_changes() > before {
        count_write(connection)?;
    }
    Ok(answer)
}

fn run_step(connection: &rusqlite::Connection, at: usize, step: &Step) -> Result<Vec<u8>, SqlError> {
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
