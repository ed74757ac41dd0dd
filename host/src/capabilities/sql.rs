//! `galley:sql`: the slot's own database. What runs the statements is in [`statements`](super::statements).

use std::time::Instant;

use super::contract::galley::sql::sql::{Event, Host, Step, Value};
use super::rows::{self, SqlError};
use super::state::{SlotState, granted, or_problem};
use super::{Problem, State, events, problem, statements};
use crate::storage::slot::Database;
use crate::telemetry;

impl State {
    pub(super) fn database(&self) -> Result<Database, Problem> {
        let none = || problem("sql", "The plugin has no database: its manifest lists no migrations.");
        self.slot.database.clone().ok_or_else(none)
    }
}

/// Runs a statement that reads.
pub async fn read(
    slot: &SlotState,
    database: Database,
    deadline: Instant,
    sql: &str,
    params: Vec<Value>,
) -> Result<Vec<u8>, SqlError> {
    statements::query((&slot.reads, slot.name.as_str()), database, deadline, sql, params).await
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
        let written = statements::execute(&database, self.call.deadline, sql, params).await;
        Ok(written.map_err(|error| error.of_write(&self.slot)))
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
        let publishes = !publish.is_empty();
        let written = statements::batch(&database, self.call.deadline, steps, publish).await;
        let answer = written.map_err(|error| error.of_write(&self.slot));
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
