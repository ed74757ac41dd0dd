//! `galley:sql`'s transaction: a write lock that is held while plugin code runs, for at most 250 ms.

use std::sync::Arc;
use std::time::{Duration, Instant};

use galley_sql::{Effort, restricted};
use parking_lot::Mutex;
use rusqlite::Connection;
use wasmtime::component::Resource;

use super::contract::galley::sql::sql::{HostTransaction, Value};
use super::handles::TransactionHandle;
use super::rows::{self, SqlError};
use super::state::{SlotState, granted, or_problem};
use super::{Problem, State, problem};
use crate::storage::slot_data::count_write;
use crate::storage::sqlite::{Database, Transaction};

/// How long a transaction may hold the write lock.
pub const TRANSACTION_TIMEOUT: Duration = Duration::from_millis(250);

/// An open transaction. Taking it out ends it: dropping it rolls back.
#[derive(Clone)]
struct Open {
    transaction: Arc<Mutex<Option<Transaction>>>,
    until: Instant,
    /// Whether it counts as a write, and what its connection had changed before.
    counted_from: Option<u64>,
}

impl Open {
    fn begin(database: &Database, until: Instant) -> Result<Self, SqlError> {
        let transaction = database.begin(until.saturating_duration_since(Instant::now()))?;
        let counted_from = database.counts_writes().then(|| transaction.total_changes());
        Ok(Self {
            transaction: Arc::new(Mutex::new(Some(transaction))),
            until,
            counted_from,
        })
    }

    fn run<T>(&self, slot: &SlotState, work: impl FnOnce(&Connection) -> Result<T, SqlError>) -> Result<T, Problem> {
        let mut guard = self.transaction.lock();
        let transaction = guard.as_ref().ok_or_else(|| SqlError::interrupted().into_problem())?;
        let answer = restricted(self.until, Effort::UntilDeadline, || work(transaction));
        // An interrupted write has undone the whole transaction.
        if transaction.is_autocommit() {
            *guard = None;
        }
        answer.map_err(|error| error.of_write(slot))
    }

    fn commit(&self, slot: &SlotState) -> Result<(), Problem> {
        let gone = || problem("gone", "The transaction has ended before.");
        let transaction = self.transaction.lock().take().ok_or_else(gone)?;
        let counted = match self.counted_from {
            Some(before) if transaction.total_changes() > before => count_write(&transaction),
            _ => Ok(()),
        };
        counted
            .and_then(|()| transaction.commit())
            .map_err(|error| SqlError::from(error).of_write(slot))
    }
}

/// SQLite may wait here for the lock, or for the disk.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(super::internal("a transaction failed", &error)))
}

/// Runs a plugin's statement, which may work until the budget ends: on the slot's thread for that.
async fn statement<T: Send + 'static>(
    slot: &SlotState,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let ran = slot.transactions.run(&format!("transact-{}", slot.name), work).await;
    ran.unwrap_or_else(|| Err(SqlError::interrupted().into_problem()))
}

impl HostTransaction for State {
    async fn begin(&mut self) -> wasmtime::Result<Result<Resource<TransactionHandle>, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let database = or_problem!(self.database());
        let until = self.call.deadline.min(Instant::now() + TRANSACTION_TIMEOUT);
        let open = or_problem!(blocking(move || Open::begin(&database, until).map_err(SqlError::into_problem)).await);
        let weak = Arc::downgrade(&open.transaction);
        tokio::spawn(async move {
            tokio::time::sleep_until(until.into()).await;
            if let Some(transaction) = weak.upgrade() {
                // Taking and dropping it rolls back. A statement that is running ends at the same moment by itself.
                let _ = tokio::task::spawn_blocking(move || drop(transaction.lock().take())).await;
            }
        });
        Ok(Ok(self.handles.insert(open)?))
    }

    async fn query(
        &mut self,
        handle: Resource<TransactionHandle>,
        sql: String,
        params: Vec<Value>,
    ) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Open, _>(&handle)?.clone();
        let slot = self.slot.clone();
        let work = move || open.run(&slot, |connection| rows::run(connection, &sql, &params));
        Ok(statement(&self.slot, work).await)
    }

    async fn execute(
        &mut self,
        handle: Resource<TransactionHandle>,
        sql: String,
        params: Vec<Value>,
    ) -> wasmtime::Result<Result<u64, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Open, _>(&handle)?.clone();
        let slot = self.slot.clone();
        let work = move || open.run(&slot, |connection| rows::execute(connection, &sql, &params));
        Ok(statement(&self.slot, work).await)
    }

    async fn commit(&mut self, handle: Resource<TransactionHandle>) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Open, _>(&handle)?.clone();
        let slot = self.slot.clone();
        Ok(blocking(move || open.commit(&slot)).await)
    }

    async fn drop(&mut self, handle: Resource<TransactionHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&handle);
        Ok(())
    }
}
