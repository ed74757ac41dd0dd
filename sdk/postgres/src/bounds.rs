//! How much of a database is used, and how long it is waited for.

use std::time::Duration;

/// Bounds of a database's use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Open connections.
    pub connections: usize,
    /// How long one statement may run.
    pub statement: Duration,
    /// How long connecting may take.
    pub connect: Duration,
    /// How long a commit may take before its connection counts as lost. One without a quorum of standbys would wait for ever.
    pub commit: Duration,
    /// How long a commit without an answer is asked for, at the server that is there then.
    pub settle: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 8,
            statement: Duration::from_secs(10),
            connect: Duration::from_secs(2),
            commit: Duration::from_secs(5),
            settle: Duration::from_secs(30),
        }
    }
}
