//! How the writes of this server get on, one after the other.

use std::time::Instant;

use galley_postgres::{Failure, Turn};

/// How far the writes are.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Since when one runs.
    began: Option<Instant>,
    /// Whether the last one that was to be acknowledged was not.
    was_unanswered: bool,
}

impl Progress {
    /// One begins.
    pub fn begin(&mut self, now: Instant) {
        self.began = Some(now);
    }

    /// It ended: committed, with changes or without any; or not, by the database's fault or not.
    pub fn end(&mut self, now: Instant, ended: Result<bool, Option<&Failure>>) {
        let was_long = self.is_long(now);
        self.began = None;
        match ended {
            Ok(true) => self.was_unanswered = false,
            // Where nothing is acknowledged, others keep their locks, and a write that waits for one is not committed, either.
            Err(Some(Failure::InDoubt | Failure::Interrupted)) => self.was_unanswered = true,
            // It was said that nothing is acknowledged, and nothing was.
            Err(Some(_)) => self.was_unanswered |= was_long,
            // A commit of nothing waits for nobody, and a refusal commits nothing.
            Ok(false) | Err(None) => {}
        }
    }

    /// Whether nothing has been acknowledged for as long as a request waits, although something is to be.
    pub fn is_stuck(&self, now: Instant) -> bool {
        self.was_unanswered || self.is_long(now)
    }

    /// Whether the one that runs takes as long as a request waits.
    fn is_long(&self, now: Instant) -> bool {
        let runs_for = self.began.map(|began| now.saturating_duration_since(began));
        runs_for.is_some_and(|time| time >= Turn::ANSWER_TIMEOUT)
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
        progress.end(late, Ok(true));
        assert!(!progress.is_stuck(late));
        for (failure, end) in [
            (Failure::InDoubt, begun),
            (Failure::Interrupted, begun),
            (Failure::Conflict, late),
        ] {
            progress.begin(begun);
            progress.end(end, Err(Some(&failure)));
            assert!(progress.is_stuck(begun), "{failure}");
            progress.begin(begun);
            for other in [Err(Some(&Failure::Conflict)), Err(None), Ok(false)] {
                progress.end(begun, other);
                assert!(
                    progress.is_stuck(begun),
                    "nothing was acknowledged in between: {other:?}"
                );
            }
            progress.end(begun, Ok(true));
            assert!(!progress.is_stuck(begun));
        }
        progress.begin(begun);
        progress.end(begun, Err(Some(&Failure::Conflict)));
        assert!(!progress.is_stuck(begun), "it was refused soon");
    }
}
