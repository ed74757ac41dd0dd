//! Statements of a plugin: its parameters, and why one did not run. What runs them is `galley_sql`.

use std::fmt;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode};

use super::contract::galley::sql::sql::Value;
use super::trouble::{Obstacle, note};
use super::{Problem, SlotState, problem};
use crate::core::{MAX_WAITING, MAX_WAITING_BYTES};
use crate::storage::outage;
use crate::storage::sqlite::StorageError;

/// Why statements of a plugin did not run.
#[derive(Debug)]
pub enum SqlError {
    /// An error of the storage layer.
    Storage(StorageError),
    /// One of them failed.
    Statement(galley_sql::Failure),
    /// The same on PostgreSQL.
    Postgres(galley_postgres::slot::Failure),
    /// Too many events of the plugin wait in its database.
    Backlog,
    /// The transaction had ended before.
    Gone,
    /// A statement of a batch changed a different number of rows than expected.
    Expectation {
        /// Index of the statement.
        step: usize,
        /// Rows it had to change.
        expected: u64,
        /// Rows it changed.
        changed: u64,
    },
}

impl From<StorageError> for SqlError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Sqlite(error) => error.into(),
            error => Self::Storage(error),
        }
    }
}

impl From<galley_sql::Failure> for SqlError {
    fn from(failure: galley_sql::Failure) -> Self {
        Self::Statement(failure)
    }
}

impl From<rusqlite::Error> for SqlError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Statement(error.into())
    }
}

impl From<galley_postgres::slot::Failure> for SqlError {
    fn from(failure: galley_postgres::slot::Failure) -> Self {
        use galley_postgres::slot::Failure;
        match failure {
            Failure::Backlog => Self::Backlog,
            Failure::Gone => Self::Gone,
            Failure::Expectation {
                step,
                expected,
                changed,
            } => Self::Expectation {
                step,
                expected,
                changed,
            },
            failure => Self::Postgres(failure),
        }
    }
}

impl SqlError {
    /// A statement that was stopped because it took too long.
    pub fn interrupted() -> Self {
        Self::Statement(galley_sql::Failure::interrupted())
    }

    /// Whether the statement was stopped because it took too long.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Statement(failure) if failure.is_interrupted())
    }

    /// Whether there was no room for it.
    pub(super) fn is_full(&self) -> bool {
        let error = match self {
            Self::Statement(galley_sql::Failure::Sqlite(error)) | Self::Storage(StorageError::Sqlite(error)) => error,
            Self::Postgres(failure) => return *failure == galley_postgres::slot::Failure::Full,
            _ => return false,
        };
        error.sqlite_error_code() == Some(ErrorCode::DiskFull)
    }

    /// Whether the database could not do it at the moment.
    fn is_passing(&self) -> bool {
        use galley_postgres::Failure;
        use galley_postgres::slot::Failure::Database;
        matches!(
            self,
            Self::Postgres(Database(Failure::Unavailable(_) | Failure::Conflict))
        )
    }

    /// Says in the log what could not be done.
    pub fn tell(&self, slot: &str, what: &str) {
        match self.is_passing() {
            true => outage::DATABASE.away(&format!("{what} of `{slot}`"), self),
            false => tracing::error!(slot, "{what}: {self}"),
        }
    }

    /// Whether nobody knows if it was done.
    fn is_in_doubt(&self) -> bool {
        use galley_postgres::Failure::InDoubt;
        use galley_postgres::slot::Failure::Database;
        matches!(self, Self::Postgres(Database(InDoubt)))
    }

    /// The same as [`into_problem`](Self::into_problem) for a write, which may have reached the bound of the slot's database.
    pub fn of_write(self, slot: &SlotState) -> Problem {
        let is_bounded = || slot.database.as_ref().is_some_and(|database| database.is_bounded());
        if !(self.is_full() && is_bounded()) {
            return self.into_problem();
        }
        let (name, mib) = (slot.name.as_str(), slot.limits().storage_mib);
        tracing::warn!(
            slot = name,
            "the database of the plugin `{name}` has used up its {mib} MiB: `galley plugins limits {name} storage=…` gives more"
        );
        problem("too-large", format!("The database has used up its {mib} MiB."))
    }

    /// The contract's code and a message.
    pub fn into_problem(self) -> Problem {
        if self.is_passing() {
            return super::away("a plugin's database does not answer", &self);
        }
        if matches!(self, Self::Postgres(galley_postgres::slot::Failure::Superseded)) {
            note(Obstacle::Busy);
            return problem("interrupted", "The plugin was just changed: try again in a moment.");
        }
        if self.is_in_doubt() {
            return super::in_doubt("a plugin's write may be saved or not", &self);
        }
        if matches!(&self, Self::Postgres(galley_postgres::slot::Failure::Interrupted)) {
            note(Obstacle::Busy);
        }
        let code = match &self {
            Self::Statement(failure) => failure.code(),
            Self::Postgres(failure) => failure.code(),
            Self::Storage(_) => None,
            Self::Backlog => Some("backlog"),
            Self::Gone => Some("gone"),
            Self::Expectation { .. } => Some("expectation"),
        };
        match code {
            Some(code) => problem(code, self.to_string()),
            None => super::internal("a plugin's database failed", &self),
        }
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Storage(error) => write!(f, "{error}"),
            Self::Statement(failure) => write!(f, "{failure}"),
            Self::Postgres(failure) => write!(f, "{failure}"),
            Self::Backlog => write!(
                f,
                "More than {MAX_WAITING} events or {MAX_WAITING_BYTES} bytes of this plugin have not been delivered yet."
            ),
            Self::Gone => write!(f, "The transaction has ended before."),
            Self::Expectation {
                step,
                expected,
                changed,
            } => write!(
                f,
                "Step {step} had to change {expected} rows and changed {changed}; nothing was written."
            ),
        }
    }
}

/// Runs a statement and packs its rows.
pub fn run(connection: &Connection, sql: &str, params: &[Value]) -> Result<Vec<u8>, SqlError> {
    Ok(galley_sql::query(connection, sql, params.iter().map(Bound))?)
}

/// The same for a statement whose rows do not matter: the number of rows it changed.
pub fn execute(connection: &Connection, sql: &str, params: &[Value]) -> Result<u64, SqlError> {
    Ok(galley_sql::execute(connection, sql, params.iter().map(Bound))?)
}

struct Bound<'v>(&'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Real(value) => ValueRef::Real(*value),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

/// The first cell of packed rows, when it is a text.
pub fn first_text(packed: &[u8]) -> Option<&str> {
    let cell = packed.get(4..)?;
    let (&3, rest) = cell.split_first()? else { return None };
    let (length, text) = rest.split_first_chunk()?;
    std::str::from_utf8(text.get(..u32::from_le_bytes(*length) as usize)?).ok()
}

/// The number of rows in an answer, as [`run`] packs it.
pub fn count(packed: &[u8]) -> usize {
    let Some((columns, mut rest)) = packed.split_first_chunk() else {
        return 0;
    };
    let columns = u32::from_le_bytes(*columns) as usize;
    let mut values = 0;
    while let Some((tag, after)) = rest.split_first() {
        let length = match (tag, after.first_chunk()) {
            (0, _) => 0,
            (1 | 2, _) => 8,
            (_, Some(length)) => 4 + u32::from_le_bytes(*length) as usize,
            (_, None) => after.len(),
        };
        rest = after.get(length..).unwrap_or_default();
        values += 1;
    }
    values / columns.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_text_is_found() {
        let connection = Connection::open_in_memory().unwrap();
        let first = |sql| first_text(&run(&connection, sql, &[]).unwrap()).map(str::to_owned);
        assert_eq!(first("SELECT 'p1', 2").as_deref(), Some("p1"));
        assert_eq!(first("SELECT 2"), None);
        assert_eq!(first("SELECT 'x' WHERE 0"), None);
    }
}
