//! A plugin's statements in its slot's database. What the contract says of them holds on each engine: rows to the byte, codes,
//! deadlines, bounds, and what is refused. Here is what `sql.rs`, `transaction.rs` and `events.rs` use; the engines are below.

mod postgres;
mod sqlite;
mod sqlite_transaction;

#[cfg(test)]
mod tests;

use std::time::Instant;

use super::contract::galley::events::types::Event;
use super::contract::galley::sql::sql::{Step, Value};
use super::rows::SqlError;
use crate::storage::committed;
use crate::storage::low_priority::Threads;
use crate::storage::reads::Reads;
use crate::storage::slot::Database;

/// Runs a statement that reads, and answers its rows. On a file it runs on this thread for a moment, else on one of the slot's own.
pub async fn query(
    (reads, slot): (&Reads, &str),
    database: Database,
    deadline: Instant,
    sql: &str,
    params: Vec<Value>,
) -> Result<Vec<u8>, SqlError> {
    match database {
        Database::Sqlite(file) => sqlite::query((reads, slot), file, deadline, sql, params).await,
        Database::Postgres(database) => Ok(database.query(sql, postgres::values(params), deadline).await?),
    }
}

/// Runs one statement, and answers how many rows it changed.
pub async fn execute(database: &Database, deadline: Instant, sql: String, params: Vec<Value>) -> Result<u64, SqlError> {
    let changed = match database {
        Database::Sqlite(file) => sqlite::execute(file, deadline, sql, params).await?,
        Database::Postgres(database) => database.execute(&sql, postgres::values(params), deadline).await?,
    };
    committed::note();
    Ok(changed)
}

/// Runs the steps in one transaction and answers the rows of each; the events are stored with them.
pub async fn batch(
    database: &Database,
    deadline: Instant,
    steps: Vec<Step>,
    publish: Vec<Event>,
) -> Result<Vec<Vec<u8>>, SqlError> {
    let answers = match database {
        Database::Sqlite(file) => sqlite::batch(file, deadline, steps, publish).await?,
        Database::Postgres(database) => {
            let steps = steps.into_iter().map(postgres::step).collect();
            let publish = publish.into_iter().map(postgres::event).collect();
            database.batch(steps, publish, deadline).await?
        }
    };
    committed::note();
    Ok(answers)
}

/// An open transaction. Clones are the same one; when its time is up, or the last is dropped, it is rolled back.
#[derive(Clone)]
pub enum Transaction {
    /// On a file.
    Sqlite(sqlite_transaction::Open),
    /// On PostgreSQL.
    Postgres(galley_postgres::slot::Transaction),
}

impl Transaction {
    /// Begins one that ends by `until`, and waits so long for the slot's writers.
    pub async fn begin(database: Database, until: Instant) -> Result<Self, SqlError> {
        match database {
            Database::Sqlite(file) => Ok(Self::Sqlite(sqlite_transaction::Open::begin(file, until).await?)),
            Database::Postgres(database) => Ok(Self::Postgres(database.begin(until).await?)),
        }
    }

    /// Runs a statement and answers its rows: on a file, on the slot's thread for that.
    pub async fn query(self, threads: (&Threads, &str), sql: String, params: Vec<Value>) -> Result<Vec<u8>, SqlError> {
        match self {
            Self::Sqlite(open) => open.query(threads, sql, params).await,
            Self::Postgres(transaction) => Ok(transaction.query(&sql, postgres::values(params)).await?),
        }
    }

    /// The same for the number of rows that it changed.
    pub async fn execute(self, threads: (&Threads, &str), sql: String, params: Vec<Value>) -> Result<u64, SqlError> {
        match self {
            Self::Sqlite(open) => open.execute(threads, sql, params).await,
            Self::Postgres(transaction) => Ok(transaction.execute(&sql, postgres::values(params)).await?),
        }
    }

    /// Ends it and keeps its changes. [`SqlError::Gone`] when it had ended before.
    pub async fn commit(self) -> Result<(), SqlError> {
        match self {
            Self::Sqlite(open) => open.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        committed::note();
        Ok(())
    }
}

/// The events that are stored, in order, each with its number.
pub async fn events(database: &Database) -> Result<Vec<(i64, Event)>, SqlError> {
    match database {
        Database::Sqlite(file) => sqlite::events(file),
        Database::Postgres(database) => Ok(postgres::events(database.events().await?)),
    }
}

/// Deletes the stored events up to a number.
pub async fn forget_events(database: &Database, last: i64) -> Result<(), SqlError> {
    match database {
        Database::Sqlite(file) => sqlite::forget_events(file, last).await,
        Database::Postgres(database) => Ok(database.forget_events(last).await?),
    }
}
