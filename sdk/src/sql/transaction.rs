//! A transaction that spans plugin code.

use super::{Rows, Value};
use crate::error::Problem;
use crate::host;

/// Holds the slot's only write lock: 250 ms from its beginning to its commit. Rolled back when it is dropped.
///
/// ```
/// use galley_sdk::prelude::*;
/// use galley_sdk::testing::TestHost;
///
/// let host = TestHost::new(Plugin::new("demo", "1.0.0").migration(1, "CREATE TABLE counts (n INTEGER)"));
/// host.run(|| -> Result<(), Problem> {
///     let transaction = sql::Transaction::begin()?;
///     let highest: Option<(i64,)> = transaction.query("SELECT n FROM counts ORDER BY n DESC", params![])?.one()?;
///     transaction.execute("INSERT INTO counts (n) VALUES (?1)", params![highest.map_or(0, |(n,)| n) + 1])?;
///     transaction.commit()
/// })
/// .unwrap();
/// ```
#[derive(Debug)]
pub struct Transaction(host::sql::Transaction);

impl Transaction {
    /// Takes the lock.
    pub fn begin() -> Result<Transaction, Problem> {
        host::sql::Transaction::begin().map(Transaction)
    }

    /// Reads, and sees what this transaction wrote.
    pub fn query<'a>(&self, sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<Rows, Problem> {
        self.0.query(sql, params.as_ref()).map(Rows::new)
    }

    /// Runs one statement and answers the number of rows it changed.
    pub fn execute<'a>(&self, sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<u64, Problem> {
        self.0.execute(sql, params.as_ref())
    }

    /// Ends the transaction; its changes are durable when this returns.
    pub fn commit(self) -> Result<(), Problem> {
        self.0.commit()
    }
}
