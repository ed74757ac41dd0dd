//! Why a plugin's statement did not run, and the contract's code for it.

use galley_rows::{MAX_SQL_LENGTH, MAX_VALUE, TooLarge};
use thiserror::Error;
use tokio_postgres::error::Error as PostgresError;

use crate::failure::Failure as Common;
use crate::placeholders::BadPlaceholder;

/// Why a plugin's statement, or a group of them, did not run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// A plugin may not do this.
    #[error("not authorized: {0}")]
    Refused(String),
    /// It took too long.
    #[error("interrupted: it took too long")]
    Interrupted,
    /// A constraint refused it: unique, check, foreign key, not null.
    #[error("{0}")]
    Constraint(String),
    /// A value, a statement or an answer is too large.
    #[error("{0}")]
    TooLarge(String),
    /// The statement cannot be run as it is.
    #[error("{0}")]
    Statement(String),
    /// A step changed another number of rows than it had to.
    #[error("Step {step} had to change {expected} rows and changed {changed}; nothing was written.")]
    Expectation {
        /// Its index.
        step: usize,
        /// Rows it had to change.
        expected: u64,
        /// Rows it changed.
        changed: u64,
    },
    /// Too many events of the plugin wait in its database.
    #[error("too many events of the plugin wait")]
    Backlog,
    /// The transaction had ended before.
    #[error("The transaction has ended before.")]
    Gone,
    /// The database has used up its bound.
    #[error("the database has used up its bound")]
    Full,
    /// The data are for another plugin since a change at some server, which this one follows in a moment.
    #[error("the data are another plugin's since a moment")]
    Superseded,
    /// The database itself failed, which is not for the plugin.
    #[error(transparent)]
    Database(#[from] Common),
}

impl Failure {
    /// The contract's code; `None` when the database itself failed, has no more room, or is another plugin's.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Refused(_) => "refused",
            Self::Interrupted => "interrupted",
            Self::Constraint(_) => "constraint",
            Self::TooLarge(_) => "too-large",
            Self::Statement(_) => "sql",
            Self::Expectation { .. } => "expectation",
            Self::Backlog => "backlog",
            Self::Gone => "gone",
            Self::Full | Self::Superseded | Self::Database(_) => return None,
        })
    }

    /// Why the database could not do what was not a plugin's statement.
    pub(super) fn of_host(error: PostgresError) -> Self {
        Self::of_common(error.into())
    }

    fn of_common(failure: Common) -> Self {
        match failure {
            Common::Interrupted => Self::Interrupted,
            Common::Constraint(text) => Self::Constraint(text),
            Common::Statement(text) => Self::Statement(text),
            other => Self::Database(other),
        }
    }

    /// Whether the same may succeed on another connection, because this one was lost before anything was told to commit.
    pub(super) fn is_loss(&self) -> bool {
        matches!(self, Self::Database(Common::Unavailable(_) | Common::Conflict))
    }

    pub(super) fn parameters(expected: usize, given: usize) -> Self {
        Self::Statement(format!("The statement has {expected} parameters, {given} were given."))
    }

    pub(super) fn large_value() -> Self {
        Self::TooLarge(format!("A value has more than {MAX_VALUE} bytes."))
    }

    pub(super) fn long_statement() -> Self {
        Self::TooLarge(format!("The statement has more than {MAX_SQL_LENGTH} bytes."))
    }

    pub(super) fn nul() -> Self {
        Self::Statement("The statement holds U+0000: a text with it is given as a parameter.".to_owned())
    }
}

/// Of a plugin's statement.
impl From<PostgresError> for Failure {
    fn from(error: PostgresError) -> Self {
        let found = error.as_db_error();
        let text = || found.map_or_else(String::new, |found| found.message().to_owned());
        match found.map(|found| found.code().code()) {
            // No right to it, and a change where only reads are run.
            Some("42501" | "25006") => Self::Refused(text()),
            // Past a limit of PostgreSQL's, no memory, too much in temporary files.
            Some("54000" | "53200" | "53400") => Self::TooLarge(text()),
            Some("XX000") if text().contains("memory alloc") => Self::TooLarge(text()),
            _ => Self::of_common(error.into()),
        }
    }
}

impl From<TooLarge> for Failure {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error.to_string())
    }
}

impl From<BadPlaceholder> for Failure {
    fn from(bad: BadPlaceholder) -> Self {
        Self::Statement(bad.to_string())
    }
}
