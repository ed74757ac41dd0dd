//! How the writes of this server get on, one after the other.

use std::time::Instant;

use galley_postgres::{Failure, Turn};

/// How far the writes are.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Since when one runs.
    began: Option<Instant>,
    /// Whether the last one found no end.
    was_unanswered: bool,
}

impl Progress {
    /// One begins.
    pub fn begin(&mut self, now: Instant) {
        self.began = Some(now);
    }

    /// It ended, as by the database's fault or not.
    pub fn end(&mut self, ended: Result<(), Option<&Failure>>) {
        self.began = None;
        match ended {
            Ok(()) => self.was_unanswered = false,
            // Where nothing is acknowledged, others keep their locks, and a write that waits for one is not committed, either.
            Err(Some(Failure::InDoubt | Failure::Interrupted)) => self.was_unanswered = true,
            // Another failure says nothing of commits.
            Err(_) => {}
        }
    }

    /// Whether nothing has been acknowledged for as long as a request waits, although something is to be.
    pub fn is_stuck(&self, now: Instant) -> bool {
        let runs_for = self.began.map(|began| now.saturating_duration_since(began));
        self.was_unanswered || runs_for.is_some_and(|time| time >= Turn::ANSWER_TIMEOUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_stuck_from_one_that_takes_long_until_one_is_acknowledged() {
        let (mut progress, begun) = (Progress::default(), Instant::now());
        let late = begun + Turn::ANSWER_TIMEOUT;
        assert!(!progress.is_stuck(late), "nothing is to be written");
        progress.begin(begun);
        assert!(!progress.is_stuck(begun) && progress.is_stuck(late));
        progress.end(Ok(()));
        assert!(!progress.is_stuck(late));
        for failure in [Failure::InDoubt, Failure::Interrupted] {
            progress.begin(begun);
            progress.end(Err(Some(&failure)));
            assert!(progress.is_stuck(begun));
            progress.begin(begun);
            progress.end(Err(Some(&Failure::Conflict)));
            progress.end(Err(None));
            assert!(progress.is_stuck(begun), "nothing was acknowledged in between");
            progress.end(Ok(()));
            assert!(!progress.is_stuck(begun));
        }
        progress.end(Err(Some(&Failure::Conflict)));
        assert!(!progress.is_stuck(begun));
    }
}
