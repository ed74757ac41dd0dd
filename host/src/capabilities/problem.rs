//! The contract's problems.

use super::Problem;

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
