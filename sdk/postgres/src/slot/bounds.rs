//! How much of a slot's database is used, and how long it is waited for.

use std::time::Duration;

/// Bounds of a slot's database.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Connections for reads.
    pub readers: usize,
    /// How long connecting may take.
    pub connect: Duration,
    /// How long a commit may take before its connection counts as lost.
    pub commit: Duration,
    /// How long a commit without an answer is asked for.
    pub settle: Duration,
    /// How many bytes of answers to reads are kept; 0 for none.
    pub cache: u64,
    /// How many events may wait in the database.
    pub waiting_events: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            readers: 4,
            connect: Duration::from_secs(2),
            commit: Duration::from_secs(5),
            settle: Duration::from_secs(30),
            cache: 16 << 20,
            waiting_events: 10_000,
        }
    }
}
