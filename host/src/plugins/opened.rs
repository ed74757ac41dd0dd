//! A plugin between its linking and its serving: its data are prepared, and nothing of it lasts until it has started.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::task::spawn_blocking;

use super::gate::{SWAP_TIMEOUT, Stopped};
use super::plugin::Plugin;
use crate::capabilities::{Call, SlotState, events};
use crate::config::pause::{self, Step};
use crate::storage::slot_data::{DataError, Prepared};

/// A plugin with its data. Dropped, it leaves the data as they were before.
pub struct Opened {
    /// The plugin.
    pub plugin: Arc<Plugin>,
    /// Its data. Declared before `stopped`: they are back before the calls go on.
    pub prepared: Prepared,
    /// The calls of the plugin before, when the data change under it.
    pub stopped: Option<Stopped>,
    /// What the plugin before kept its data by, when they are replaced by others.
    pub before: Option<Arc<SlotState>>,
}

/// Why a plugin cannot begin to serve. The data are as before.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its start handler failed.
    #[error("its start failed: {0}")]
    Failed(String),
    /// Calls of the plugin before take too long.
    #[error(
        "its data have to change, and the requests of the plugin before did not end within {} s: try again, or disable the \
         slot first",
        SWAP_TIMEOUT.as_secs()
    )]
    Busy,
    /// The change could not be committed.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// A plugin whose start has succeeded. No call of its slot goes on until [`commit`](Self::commit) has been followed by the swap,
/// where its data change. Dropped, it leaves them as they were before.
pub struct Started(Opened);

impl Opened {
    /// Runs the plugin's start handler, and waits until the calls of the plugin before have ended where the data change.
    pub async fn start(mut self) -> Result<Started, StartError> {
        let state = &self.plugin.state;
        let call = Call::system(format!("start-{}", state.name), &state.limits());
        match self.plugin.start(call).await {
            Ok(Ok(())) => {}
            Ok(Err(problem)) => return Err(StartError::Failed(problem.message)),
            Err(error) => return Err(StartError::Failed(error.to_string())),
        }
        pause::wait_at(Step::Start).await;
        if let Some(stopped) = &mut self.stopped
            && !stopped.stop_all().await
        {
            return Err(StartError::Busy);
        }
        Ok(Started(self))
    }
}

impl Started {
    /// Makes the change of the data last. Calls of the slot wait until the answer's second part is dropped: the plugin has to
    /// serve by then.
    pub async fn commit(self) -> Result<(Arc<Plugin>, Option<Stopped>), StartError> {
        let Opened {
            plugin,
            prepared,
            stopped,
            before,
        } = self.0;
        pause::wait_at(Step::Commit).await;
        let committed = spawn_blocking(move || prepared.commit()).await;
        committed.map_err(|error| StartError::Failed(error.to_string()))??;
        if stopped.is_some() {
            plugin.gate.changed();
        }
        plugin.changes.store(plugin.gate.changes(), Ordering::Release);
        // Events that a crash left behind, also in data that nobody opens any more.
        for state in before.iter().chain([&plugin.state]) {
            if let Err(error) = Box::pin(events::relay(state)).await {
                tracing::error!(slot = state.name, "events wait in the plugin's database: {error}");
            }
        }
        Ok((plugin, stopped))
    }
}
