//! Writes what a running build says into the database that servers share: many lines at once, so that a build that says much waits
//! for nobody, and the database for nothing.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::transcript::Ring;
use super::unwritten::Unwritten;
use crate::core::{Core, CoreError};
use crate::projects::QueuedBuild;

/// The pause behind a write, in which lines gather.
const GATHER_PAUSE: Duration = Duration::from_millis(100);
/// The pause while the database is away.
const AWAY_PAUSE: Duration = Duration::from_secs(1);

/// Where the text goes.
pub struct Writer {
    /// The database.
    pub core: Arc<Core>,
    /// The build, which this server holds.
    pub build: QueuedBuild,
    /// Wakes those who watch.
    pub ring: Arc<Ring>,
    /// Turns true when the server stops: then a database that is away is not waited for.
    pub stop: watch::Receiver<bool>,
}

impl Writer {
    /// Writes the text while it comes. Ends when it was closed and all is written, or when no more can be.
    pub async fn write(&self, unwritten: &Unwritten) {
        let mut bytes = self.core.build_log_bytes(&self.build).await.unwrap_or_default();
        loop {
            let is_closed = unwritten.is_closed();
            let text = unwritten.take();
            if !text.is_empty() {
                match self.append(text, bytes).await {
                    Some(now) => bytes = now,
                    None => return,
                }
            }
            if is_closed {
                return;
            }
            unwritten.rung().await;
            if !unwritten.is_closed() {
                tokio::time::sleep(GATHER_PAUSE).await;
            }
        }
    }

    /// Adds text to the log, which has so many bytes, and answers how many it has then; `None` when it takes no more.
    async fn append(&self, text: String, bytes: u64) -> Option<u64> {
        let (slot, id) = (self.build.slot.as_str(), self.build.id.as_str());
        loop {
            let error = match self.core.append_to_build_log(&self.build, text.clone()).await {
                Ok(appended) => {
                    (self.ring)(slot, id);
                    return appended;
                }
                Err(error) => error,
            };
            if error.is_in_doubt() && self.is_written(bytes + text.len() as u64).await {
                return Some(bytes + text.len() as u64);
            }
            let is_passing = error.is_passing() || error.is_in_doubt();
            if !is_passing || *self.stop.borrow() {
                // Another server has said why the build ended.
                if !matches!(error, CoreError::Superseded) {
                    tracing::error!(slot, "the log of the build {id} cannot be written: {error}");
                }
                return None;
            }
            tokio::time::sleep(AWAY_PAUSE).await;
        }
    }

    /// Whether the log, which nobody else writes while the build runs, has so many bytes.
    async fn is_written(&self, bytes: u64) -> bool {
        loop {
            match self.core.build_log_bytes(&self.build).await {
                Ok(now) => return now >= bytes,
                Err(_) if *self.stop.borrow() => return true,
                Err(_) => tokio::time::sleep(AWAY_PAUSE).await,
            }
        }
    }
}
