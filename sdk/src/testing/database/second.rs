//! What an engine beside SQLite does.

use super::sqlite::Sqlite;
use crate::error::Problem;
use crate::sql::Value;

/// What SQLite answered to a statement, as far as it matters.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "postgres"),
    expect(dead_code, reason = "only PostgreSQL's is compared")
)]
pub(super) struct Answer<'r> {
    /// Packed.
    pub(super) rows: Option<&'r Vec<u8>>,
    pub(super) changes: Option<u64>,
}

/// An engine beside SQLite, with the same tables and rows.
pub(super) trait Second {
    fn begin(&self);
    fn commit(&self);
    fn roll_back(&self);

    /// Whether a statement fits the tables.
    fn prepare(&self, sql: &str) -> Result<(), Problem>;

    /// Runs the statements of a migration.
    fn migrate(&self, sql: &str) -> Result<(), String>;

    /// Lets the numbers that the next statement's rows get by themselves be those that SQLite gives. Otherwise they differ once
    /// a row was deleted or refused, and with them answers that are the same.
    fn follow_numbers(&self, sql: &str, sqlite: &Sqlite);

    /// Runs a statement that has run on SQLite.
    ///
    /// # Panics
    /// When its answer is another one.
    fn agree(&self, sql: &str, params: &[Value<'_>], answer: Result<Answer<'_>, &Problem>);
}
