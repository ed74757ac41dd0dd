//! The approvals of a server that shares them with nobody: `plugins.lock`.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::terms::{Act, Edition, Known, Written, ended_badly};
use crate::config::pause::{self, Step};
use crate::core::Core;
use crate::plugins::artifacts;
use crate::plugins::entry::Entry;
use crate::plugins::lock::{Bundle, Lock, LockError};

/// The file of a data folder.
#[derive(Clone)]
pub struct Folder {
    core: Arc<Core>,
    data: PathBuf,
}

impl Folder {
    /// That of this data folder.
    pub fn new(core: Arc<Core>, data: PathBuf) -> Self {
        Self { core, data }
    }

    pub(super) fn edition(&self) -> Result<Edition, LockError> {
        Ok(Edition::Text(Lock::text(&self.data)?.unwrap_or_default()))
    }

    pub(super) async fn follow(&self, bundle: Bundle) -> Result<Known, LockError> {
        let this = self.clone();
        let read = move || {
            let _held = Lock::hold(&this.data)?;
            let mut lock = Lock::read(&this.data)?;
            if lock.follow(&bundle) {
                lock.write(&this.data)?;
            }
            artifacts::sweep(&this.data, &lock.artifacts());
            Ok(Known {
                lock,
                bundle: Arc::new(bundle),
                edition: this.edition()?,
            })
        };
        spawn_blocking(read).await.map_err(|error| ended_badly(&error))?
    }

    pub(super) async fn write_down(
        &self,
        slot: &str,
        entry: Option<Entry>,
        act: Act<'_>,
    ) -> Result<Written, LockError> {
        self.core.record_act(act.actor, act.action, slot, act.details).await?;
        let (this, slot) = (self.clone(), slot.to_owned());
        let write = move || {
            let _held = Lock::hold(&this.data)?;
            let mut lock = Lock::read(&this.data)?;
            lock.put(&slot, entry);
            let before = Lock::text(&this.data)?;
            pause::block_at(Step::Lock);
            lock.write(&this.data)?;
            artifacts::sweep(&this.data, &lock.artifacts());
            Ok(Written {
                before: before.map(Edition::Text),
                after: this.edition()?,
            })
        };
        spawn_blocking(write).await.map_err(|error| ended_badly(&error))?
    }

    pub(super) async fn prune(&self) -> Result<(), LockError> {
        let known = Lock::read(&self.data)?.plugins.into_iter();
        Ok(self.core.prune_slots(known.map(|entry| entry.slot).collect()).await?)
    }
}
