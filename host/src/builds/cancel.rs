//! Cancelling builds. Each build that runs here has a [`StopHandle`]; it stops the build's commands, as the end of the
//! server does.

use std::sync::Arc;
use std::time::Duration;

use super::Builds;
use super::running::{StopHandle, key};
use crate::core::{CoreError, Topic};
use crate::projects::{BuildEnd, QueuedBuild};

/// How long [`Builds::cancel`] waits for the end of a running build. Killing its processes takes milliseconds; a server that is
/// told by the database to do so looks each second.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);
/// How often it is looked whether a build of another server has ended.
const LOOK: Duration = Duration::from_millis(100);

impl Builds {
    /// Takes the build that waits longest from the queue, with its handle.
    pub(super) async fn start(&self) -> Result<Option<(QueuedBuild, Arc<StopHandle>)>, CoreError> {
        let mut running = self.running.lock().await;
        let Some(build) = self.core.start_build().await? else {
            return Ok(None);
        };
        let handle = Arc::new(StopHandle::of(&build));
        running.insert(key(&build), handle.clone());
        Ok(Some((build, handle)))
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
            drop(running);
            return self.cancel_elsewhere(slot, id, reason).await;
        };
        drop(running);
        match self.logs.files() {
            Some(files) => self.file(files, &build).say(reason),
            None => drop(self.core.append_to_build_log(&build, format!("{reason}\n")).await?),
        }
        self.core.end_build(&build, BuildEnd::cancelled(reason)).await?;
        Ok(true)
    }

    /// The same for a build that another server runs.
    async fn cancel_elsewhere(&self, slot: &str, id: &str, reason: &str) -> Result<bool, CoreError> {
        if !self.is_shared() || !self.core.want_cancelled(slot, id, reason).await? {
            return Ok(false);
        }
        if let Some(wakes) = self.core.wakes() {
            wakes.wake(Topic::Builds, "");
        }
        let ended = async {
            while self
                .core
                .build_state(slot, id)
                .await?
                .is_some_and(|state| state != "ended")
            {
                tokio::time::sleep(LOOK).await;
            }
            Ok::<_, CoreError>(())
        };
        // It ends as cancelled, whenever that is.
        let _ = tokio::time::timeout(CANCEL_TIMEOUT, ended).await;
        Ok(true)
    }
}
