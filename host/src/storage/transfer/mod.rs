//! The rows of a database of one engine, copied into a database of the other one that has the same tables.
//!
//! Both schemas were made by steps of the same numbers. Tables and columns are matched by their names, and a row that would have no place
//! is a refusal, never left behind. Rows are copied in bounded batches, from one state of the source. Rows that refer to others may come
//! in any order: references are checked when all are there.
//!
//! Texts with U+0000, which PostgreSQL cannot store, are stored there as the crate `galley-postgres` stores them.

mod catalog;
mod from_postgres;
mod matching;
mod to_postgres;
mod values;

use std::path::Path;

use galley_postgres::Failure;
use rusqlite::{Connection, OpenFlags};

pub use from_postgres::from_postgres;
pub use to_postgres::to_postgres;

/// Bytes of one batch, about.
const MAX_BATCH_BYTES: usize = 1 << 20;
/// Rows of one batch. A power of two.
const MAX_BATCH_ROWS: usize = 128;

/// Why rows were not copied.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// SQLite failed.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL failed.
    #[error(transparent)]
    Postgres(#[from] Failure),
    /// The rows of a table cannot be written.
    #[error("the rows of the table `{0}` cannot be copied: {1}")]
    Table(String, Failure),
    /// The other schema does not have the table.
    #[error("the table `{0}` has rows, and the schema for {1} has no such table")]
    NoTable(String, &'static str),
    /// The other table does not have the column.
    #[error("the schema for {2} has no column `{1}` in the table `{0}`")]
    NoColumn(String, String, &'static str),
    /// A value does not fit into the other's column.
    #[error("a row of the table `{table}` has {found} in the column `{column}`, which is {wanted} on PostgreSQL")]
    Value {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What was found.
        found: &'static str,
        /// The type of the other column.
        wanted: String,
    },
    /// The schema is another one than a moment before.
    #[error("their schema is being changed: try again")]
    Changed,
    /// Rows refer to others that are not there.
    #[error("rows of the table `{0}` refer to others that are not there")]
    Dangling(String),
}

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// Tables with rows.
    pub tables: u64,
    /// Their rows.
    pub rows: u64,
}

impl std::ops::AddAssign for Copied {
    fn add_assign(&mut self, other: Self) {
        self.tables += other.tables;
        self.rows += other.rows;
    }
}

/// Which tables are left out, by their names.
pub type Choice<'c> = &'c dyn Fn(&str) -> bool;

/// Is told the rows that were copied so far.
pub type Told<'t> = &'t dyn Fn(u64);

/// Opens a file whose rows are read. Nothing in it is trusted.
pub fn open_source(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Opens a file in which rows are written, one file without a log: who gives it away syncs it as a whole.
pub fn open_target(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "journal_mode", "delete")?;
    connection.pragma_update(None, "synchronous", "off")?;
    Ok(connection)
}

/// A name, as statements of both engines have it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
