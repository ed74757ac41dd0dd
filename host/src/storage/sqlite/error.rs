//! Errors of a database.

use std::path::PathBuf;

/// What can go wrong with a database.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// SQLite refused a statement or could not read or write its file.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL did not do it.
    #[error(transparent)]
    Postgres(#[from] galley_postgres::Failure),
    /// A group's commit failed; none of its writes happened. Holds SQLite's message.
    #[error("the write could not be committed: {0}")]
    Commit(String),
    /// A column does not hold what it should: the file was changed by others, or a statement reads the wrong one. Holds its index.
    #[error("column {0} of a row holds another type of value, or one that is out of bounds")]
    Column(usize),
    /// A statement that always answers a row answered none.
    #[error("the database did not answer a row")]
    NoRow,
    /// The writer is gone: the server is stopping, or the write itself panicked.
    #[error("the database is not available")]
    Gone,
    /// The file holds a later schema than this program knows.
    #[error("{} has schema version {found}, this program knows {known}: start the newer program, or restore a backup", path.display())]
    TooNew {
        /// The database file.
        path: PathBuf,
        /// Its `user_version`.
        found: u32,
        /// The last migration known here.
        known: u32,
    },
    /// A migration failed; the file is as it was before it.
    #[error("migration {version} of {} failed: {source}", path.display())]
    Migration {
        /// The database file.
        path: PathBuf,
        /// The migration's number.
        version: u32,
        /// SQLite's error.
        source: rusqlite::Error,
    },
}

impl StorageError {
    /// Whether the database could not do it at the moment: it is away, or others were in the way for too long. Nothing was changed.
    pub fn is_passing(&self) -> bool {
        use galley_postgres::Failure;
        let Self::Postgres(failure) = self else {
            return false;
        };
        matches!(
            failure,
            Failure::Unavailable(_) | Failure::Interrupted | Failure::Conflict
        )
    }

    /// Whether nobody knows if it was done.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self, Self::Postgres(galley_postgres::Failure::InDoubt))
    }

    /// Whether a constraint refused the statement, such as a unique key that is taken.
    pub fn is_refused(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation),
            Self::Postgres(failure) => matches!(failure, galley_postgres::Failure::Constraint(_)),
            _ => false,
        }
    }
}
