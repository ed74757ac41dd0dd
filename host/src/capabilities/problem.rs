//! The contract's problems.

use std::io;

use super::Problem;
use super::trouble::{Obstacle, note};
use crate::core::CoreError;
use crate::storage::objects::is_away;
use crate::storage::outage;

/// A problem with one of the contract's codes.
pub fn problem(code: &str, message: impl Into<String>) -> Problem {
    Problem {
        code: code.to_owned(),
        message: message.into(),
    }
}

/// A failure of the host. The cause goes to the log; the plugin gets the code `internal` only.
pub fn internal(what: &str, error: &dyn std::fmt::Display) -> Problem {
    tracing::error!("{what}: {error}");
    problem("internal", "The server could not do this. The reason is in its log.")
}

/// The database is away: a passing failure, which is answered with a 503.
pub fn away(what: &str, error: &dyn std::fmt::Display) -> Problem {
    outage::DATABASE.away(what, error);
    note(Obstacle::Database);
    problem(
        "interrupted",
        "The database of the server does not answer: try again in a moment.",
    )
}

/// The same of the object store.
pub fn store_away(what: &str, error: &dyn std::fmt::Display) -> Problem {
    outage::OBJECTS.away(what, error);
    note(Obstacle::Store);
    problem(
        "interrupted",
        "The object store of the server does not answer: try again in a minute.",
    )
}

/// What a plugin learns of files that could not be read or written: their store is away, or something is wrong here.
pub fn of_files(what: &str, error: &io::Error) -> Problem {
    match is_away(error) {
        true => store_away(what, error),
        false => internal(what, error),
    }
}

/// What a plugin learns of an error of the core that it does not expect.
pub fn unexpected(what: &str, error: &CoreError) -> Problem {
    if error.is_passing() {
        return away(what, error);
    }
    if error.is_in_doubt() {
        return in_doubt(what, error);
    }
    internal(what, error)
}

/// Nobody knows whether it was done. It is answered with a 503 that says so.
pub fn in_doubt(what: &str, error: &dyn std::fmt::Display) -> Problem {
    tracing::error!("{what}: {error}");
    note(Obstacle::InDoubt);
    problem(
        "interrupted",
        "The database of the server was lost while this was saved: look whether it is there before you try again.",
    )
}
