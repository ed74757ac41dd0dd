//! Waiting for something to become true, with a deadline instead of a guess.

use std::time::{Duration, Instant};

/// How long something may take before a test gives up. Generous: the machine may be busy with other tests. What has to be quick is
/// demanded by a bound of its own.
pub const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Asks until there is an answer, and gives it.
///
/// # Panics
/// When there is none within [`WAIT_TIMEOUT`].
#[track_caller]
pub fn eventually<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    within(WAIT_TIMEOUT, ask).unwrap_or_else(|| panic!("waited {WAIT_TIMEOUT:?} in vain: {what}"))
}

/// How long [`within`] pauses after each question.
const PAUSE: Duration = Duration::from_millis(5);

/// Asks until there is an answer, or `None` when there was none within `time`.
pub fn within<T>(time: Duration, ask: impl FnMut() -> Option<T>) -> Option<T> {
    within_by(PAUSE, time, ask)
}

/// The same with another pause after each question: a measurement must not take the pauses for the time of what it measures.
pub fn within_by<T>(pause: Duration, time: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + time;
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(pause);
    }
}
