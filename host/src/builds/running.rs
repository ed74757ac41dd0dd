//! The builds that run, and how each of them is stopped.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::unwritten::Unwritten;
use crate::projects::{BuildEnd, QueuedBuild};

/// The builds that run, by slot and id. Locked while one is taken from the queue, so that a build that is no longer
/// queued has its handle here.
pub type Running = tokio::sync::Mutex<HashMap<(String, String), Arc<StopHandle>>>;

/// What stops one build, and has what it says until that is written.
#[derive(Debug, Default)]
pub struct StopHandle {
    /// The build's place in the queue.
    pub seq: i64,
    /// What it says, where logs are rows.
    pub unwritten: Arc<Unwritten>,
    /// Turns true when the build has to stop.
    stop: watch::Sender<bool>,
    /// Turns true when the end of the build is stored.
    ended: watch::Sender<bool>,
    outcome: Mutex<Outcome>,
}

#[derive(Debug, Default)]
enum Outcome {
    /// The build goes on.
    #[default]
    Open,
    /// It was cancelled, for this reason.
    Cancelled(String),
    /// It ended by itself, and cannot be cancelled any more.
    Decided,
}

impl StopHandle {
    /// Of a build that was just taken from the queue.
    pub fn of(build: &QueuedBuild) -> Self {
        Self {
            seq: build.seq,
            ..Self::default()
        }
    }

    /// Turns true when the build has to stop, for whatever reason.
    pub fn stopped(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Stops the build without cancelling it.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Decides how the build ends: the reason when it was cancelled before, else as it ended by itself.
    pub fn decide(&self) -> Option<BuildEnd> {
        let mut outcome = self.outcome.lock();
        match &*outcome {
            Outcome::Cancelled(reason) => Some(BuildEnd::cancelled(reason)),
            Outcome::Open | Outcome::Decided => {
                *outcome = Outcome::Decided;
                None
            }
        }
    }

    /// Records that the end of the build is stored.
    pub fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Turns true when the end of the build is stored.
    pub fn ended(&self) -> watch::Receiver<bool> {
        self.ended.subscribe()
    }

    /// Stops the build as cancelled, for this reason. `false` when it had ended by itself.
    pub fn cancel(&self, reason: &str) -> bool {
        let mut outcome = self.outcome.lock();
        match &*outcome {
            Outcome::Open => *outcome = Outcome::Cancelled(reason.to_owned()),
            Outcome::Cancelled(_) => {}
            Outcome::Decided => return false,
        }
        self.stop();
        true
    }
}

/// The key of a build in [`Running`].
pub fn key(build: &QueuedBuild) -> (String, String) {
    (build.slot.clone(), build.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_was_cancelled_ends_as_cancelled_however_it_went() {
        let handle = StopHandle::default();
        assert!(handle.cancel("Cancelled by Ed"));
        assert!(handle.cancel("Cancelled by Eve"), "again is fine");
        assert!(*handle.stopped().borrow());
        let end = handle.decide().unwrap();
        assert_eq!(
            (end.reason.as_deref(), end.code),
            (Some("Cancelled by Ed"), Some("cancelled"))
        );
    }

    #[test]
    fn a_build_that_ended_cannot_be_cancelled() {
        let handle = StopHandle::default();
        assert_eq!(handle.decide(), None);
        assert!(!handle.cancel("Cancelled by Ed"));
        assert_eq!(handle.decide(), None);
    }

    #[test]
    fn a_build_that_the_server_stops_is_not_cancelled() {
        let handle = StopHandle::default();
        handle.stop();
        assert!(*handle.stopped().borrow());
        assert_eq!(handle.decide(), None);
    }
}
