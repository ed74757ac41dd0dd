//! The contract's problems.

use super::Problem;
use crate::core::CoreError;

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

/// What the server keeps its data in is away: a passing failure, which the SDKs answer with a 503.
pub fn away(what: &str, place: &str, error: &dyn std::fmt::Display) -> Problem {
    tracing::warn!("{what}: {error}");
    problem(
        "interrupted",
        format!("The {place} of the server does not answer: try again in a minute."),
    )
}

/// What a plugin learns of an error of the core that it does not expect.
pub fn unexpected(what: &str, error: &CoreError) -> Problem {
    if error.is_passing() {
        return away(what, "database", error);
    }
    if error.is_in_doubt() {
        return in_doubt(what, error);
    }
    internal(what, error)
}

/// Nobody knows whether it was done. The SDKs answer a 503 without `Retry-After`: not to be repeated by a program.
pub fn in_doubt(what: &str, error: &dyn std::fmt::Display) -> Problem {
    tracing::error!("{what}: {error}");
    problem(
        "interrupted",
        "The database of the server was lost while this was saved: look whether it is there before you try again.",
    )
}
