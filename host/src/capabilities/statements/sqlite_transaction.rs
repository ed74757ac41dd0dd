//! A transaction on a file: it holds the file's write lock.

use std::sync::Arc;
use std::time::Instant;

use galley_sql::{Effort, restricted};
use parking_lot::Mutex;
use rusqlite::Connection;

use super::super::contract::galley::sql::sql::Value;
use super::super::rows::{self, SqlError};
use crate::storage::low_priority::Threads;
use crate::storage::slot_data::count_write;
use crate::storage::sqlite::{Database, StorageError, Transaction};

/// An open transaction. Taking it out ends it: dropping it rolls back.
#[derive(Clone)]
pub struct Open {
    transaction: Arc<Mutex<Option<Transaction>>>,
    until: Instant,
    /// Whether it counts as a write, and what its connection had changed before.
    counted_from: Option<u64>,
}

impl Open {
    /// Begins one, and rolls it back when its time is up.
    pub async fn begin(database: Arc<Database>, until: Instant) -> Result<Self, SqlError> {
        let open = blocking(move || Self::begin_here(&database, until)).await?;
        let weak = Arc::downgrade(&open.transaction);
        tokio::spawn(async move {
            tokio::time::sleep_until(until.into()).await;
            if let Some(transaction) = weak.upgrade() {
                // Taking and dropping it rolls back. A statement that is running ends at the same moment by itself.
                let _ = tokio::task::spawn_blocking(move || drop(transaction.lock().take())).await;
            }
        });
        Ok(open)
    }

    fn begin_here(database: &Database, until: Instant) -> Result<Self, SqlError> {
        let transaction = database.begin(until.saturating_duration_since(Instant::now()))?;
        let counted_from = database.counts_writes().then(|| transaction.total_changes());
        Ok(Self {
            transaction: Arc::new(Mutex::new(Some(transaction))),
            until,
            counted_from,
        })
    }

    /// Runs a statement and answers its rows.
    pub async fn query(self, threads: (&Threads, &str), sql: String, params: Vec<Value>) -> Result<Vec<u8>, SqlError> {
        let work = move || self.run(|connection| rows::run(connection, &sql, &params));
        on(threads, work).await
    }

    /// Runs a statement and answers how many rows it changed.
    pub async fn execute(self, threads: (&Threads, &str), sql: String, params: Vec<Value>) -> Result<u64, SqlError> {
        let work = move || self.run(|connection| rows::execute(connection, &sql, &params));
        on(threads, work).await
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, SqlError>) -> Result<T, SqlError> {
        let mut guard = self.transaction.lock();
        let transaction = guard.as_ref().ok_or_else(SqlError::interrupted)?;
        let answer = restricted(self.until, Effort::UntilDeadline, || work(transaction));
        // An interrupted write has undone the whole transaction.
        if transaction.is_autocommit() {
            *guard = None;
        }
        answer
    }

    /// Ends it and keeps its changes.
    pub async fn commit(self) -> Result<(), SqlError> {
        blocking(move || {
            let transaction = self.transaction.lock().take().ok_or(SqlError::Gone)?;
            match self.counted_from {
                Some(before) if transaction.total_changes() > before => count_write(&transaction)?,
                _ => {}
            }
            Ok(transaction.commit()?)
        })
        .await
    }
}

/// SQLite may wait here for the lock, or for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SqlError> + Send + 'static,
) -> Result<T, SqlError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(StorageError::Commit(error.to_string()).into()))
}

/// Runs a plugin's statement, which may work until the budget ends: on the slot's thread for that.
async fn on<T: Send + 'static>(
    (threads, slot): (&Threads, &str),
    work: impl FnOnce() -> Result<T, SqlError> + Send + 'static,
) -> Result<T, SqlError> {
    let ran = threads.run(&format!("transact-{slot}"), work).await;
    ran.unwrap_or_else(|| Err(SqlError::interrupted()))
}
