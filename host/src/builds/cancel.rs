//! Cancelling builds. Each build that runs here has a [`StopHandle`]; it stops the build's commands, as the end of the
//! server does.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::Builds;
use crate::storage::core::{BuildEnd, CoreError, QueuedBuild};

/// How long [`Builds::cancel`] waits for the end of a running build. Killing its processes takes milliseconds.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

/// The `code` of `build-finished` for a build that was cancelled.
const CANCELLED: &str = "cancelled";

/// The builds that run, by slot and id. Locked while one is taken from the queue, so that a build that is no longer
/// queued has its handle here.
pub type Running = tokio::sync::Mutex<HashMap<(String, String), Arc<StopHandle>>>;

/// What stops one build.
#[derive(Debug, Default)]
pub struct StopHandle {
    /// Turns true when the build has to stop.
    stop: watch::Sender<bool>,
    /// Turns true when the end of the build is recorded.
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
            Outcome::Cancelled(reason) => Some(cancelled(reason)),
            Outcome::Open | Outcome::Decided => {
                *outcome = Outcome::Decided;
                None
            }
        }
    }

    /// Whether the build is being cancelled now; `false` when it had ended by itself.
    fn cancel(&self, reason: &str) -> bool {
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

fn cancelled(reason: &str) -> BuildEnd {
    BuildEnd {
        reason: Some(reason.to_owned()),
        code: Some(CANCELLED),
        commit: None,
    }
}

fn key(build: &QueuedBuild) -> (String, String) {
    (build.slot.clone(), build.id.clone())
}

impl Builds {
    /// Takes the build that waits longest from the queue, with its handle.
    pub(super) async fn start(&self) -> Result<Option<(QueuedBuild, Arc<StopHandle>)>, CoreError> {
        let mut running = self.running.lock().await;
        let Some(build) = self.core.start_build().await? else {
            return Ok(None);
        };
        let handle = Arc::new(StopHandle::default());
        running.insert(key(&build), handle.clone());
        Ok(Some((build, handle)))
    }

    /// Records the end of a build that was started.
    pub(super) async fn end(&self, build: &QueuedBuild, handle: &StopHandle, end: BuildEnd) {
        if let Err(error) = self.core.end_build(build, end).await {
            // The next boot ends it.
            tracing::error!("the end of the build {} cannot be recorded: {error}", build.id);
        }
        self.running.lock().await.remove(&key(build));
        handle.ended.send_replace(true);
    }

    /// Cancels a build of the slot that is queued or running, and waits a moment for its end. `false` when there is no
    /// such build, or it ended by itself.
    pub async fn cancel(&self, slot: &str, id: &str, reason: &str) -> Result<bool, CoreError> {
        let running = self.running.lock().await;
        let handle = running.get(&(slot.to_owned(), id.to_owned())).cloned();
        if let Some(handle) = handle {
            drop(running);
            let mut ended = handle.ended.subscribe();
            let is_cancelled = handle.cancel(reason);
            if is_cancelled {
                let _ = tokio::time::timeout(CANCEL_TIMEOUT, ended.wait_for(|ended| *ended)).await;
            }
            return Ok(is_cancelled);
        }
        // Taken out of the queue first: once it has ended, its log may be closed.
        let Some(build) = self.core.take_build(slot, id).await? else {
            return Ok(false);
        };
        drop(running);
        self.transcript(&build).say(reason);
        self.core.end_build(&build, cancelled(reason)).await?;
        Ok(true)
    }
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
