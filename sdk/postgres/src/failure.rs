//! Why a statement or a transaction did not succeed, as a caller can act on it.

use thiserror::Error;
use tokio_postgres::error::Error as PostgresError;

use crate::placeholders::BadPlaceholder;

/// Why a statement or a transaction did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// Another transaction was in the way: the same one may succeed now.
    #[error("another transaction was in the way")]
    Conflict,
    /// A constraint refused it: unique, check, foreign key, not null.
    #[error("a constraint refused it: {0}")]
    Constraint(String),
    /// It took too long.
    #[error("it took too long")]
    Interrupted,
    /// The disk is full.
    #[error("the database's disk is full")]
    Full,
    /// The statement cannot be run as it is.
    #[error("{0}")]
    Statement(String),
    /// The address of the database cannot be used. It is not shown: it may hold a password.
    #[error(
        "the address of the database is not one: it is written as `postgresql://user:password@host:5432/name`, with `%40` for a \
         `@` in the password"
    )]
    Address,
    /// The database cannot be reached, or takes no writes at the moment.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The connection was lost while the transaction was committed, and nobody can say what became of it.
    #[error("the connection was lost in a commit, and the database cannot say what became of it")]
    InDoubt,
}

impl From<BadPlaceholder> for Failure {
    fn from(bad: BadPlaceholder) -> Self {
        Self::Statement(bad.to_string())
    }
}

impl From<PostgresError> for Failure {
    fn from(error: PostgresError) -> Self {
        let Some(found) = error.as_db_error() else {
            // A value that fits no column has a cause of ours; what else has none is the connection's.
            return match std::error::Error::source(&error) {
                Some(cause) if !error.is_closed() && !cause.is::<std::io::Error>() => {
                    Self::Statement(cause.to_string())
                }
                cause => Self::Unavailable(cause.map_or_else(|| error.to_string(), ToString::to_string)),
            };
        };
        let text = || found.message().to_owned();
        match found.code().code() {
            "40001" | "40P01" => Self::Conflict,
            "57014" | "25P03" | "55P03" => Self::Interrupted,
            "53100" => Self::Full,
            code if code.starts_with("23") => Self::Constraint(text()),
            // No connection, no more connections, a server that stops or is a standby.
            code if ["08", "53", "57", "25006"].iter().any(|class| code.starts_with(class)) => {
                Self::Unavailable(text())
            }
            _ => Self::Statement(text()),
        }
    }
}
