//! Cancelling builds. Each build that runs here has a [`StopHandle`]; it stops the build's commands, as the end of the
//! server does.

use std::sync::Arc;
use std::time::Duration;

use super::Builds;
use super::running::{StopHandle, cancelled, key};
use crate::core::CoreError;
use crate::projects::{BuildEnd, QueuedBuild};

/// How long [`Builds::cancel`] waits for the end of a running build. Killing its processes takes milliseconds.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

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
        handle.end();
    }

    /// Cancels a build of the slot that is queued or running, and waits a moment for its end. `false` when there is no
    /// such build, or it ended by itself.
    pub async fn cancel(&self, slot: &str, id: &str, reason: &str) -> Result<bool, CoreError> {
        let running = self.running.lock().await;
        let handle = running.get(&(slot.to_owned(), id.to_owned())).cloned();
        if let Some(handle) = handle {
            drop(running);
            let mut ended = handle.ended();
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
