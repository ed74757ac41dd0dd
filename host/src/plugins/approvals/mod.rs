//! Where the approvals are: in `plugins.lock` of the data folder, which hands may change too, or in the database that servers
//! share. In both they are the same text.

mod bundles;
mod folder;
mod shared;
mod terms;

use super::cache::Cache;
use super::components::Components;
use super::entry::Entry;
use super::lock::{Bundle, LockError};
use crate::capabilities::Services;

pub use terms::{Act, Edition, Known, Written};

use folder::Folder;
use shared::Shared;

/// The approvals of a server, or of all servers of a database. Cheap to clone; clones are the same.
#[derive(Clone)]
pub enum Approvals {
    /// A file that this server has for itself.
    Folder(Folder),
    /// A row that others change, too.
    Shared(Shared),
}

impl Approvals {
    /// Those that a server goes by.
    pub fn of(services: &Services, components: &Components, cache: &Cache) -> Self {
        let (core, data) = (services.core.clone(), services.config.data_dir.clone());
        match services.config.cluster {
            None => Self::Folder(Folder::new(core, data)),
            Some(_) => Self::Shared(Shared::new(core, components.clone(), cache.clone())),
        }
    }

    /// Whether other servers go by them, too.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Shared(_))
    }

    /// Which they are now.
    pub async fn edition(&self) -> Result<Edition, LockError> {
        match self {
            Self::Folder(folder) => folder.edition(),
            Self::Shared(shared) => shared.edition().await,
        }
    }

    /// Reads them. They follow what came with the program; what nothing names and is kept here for it goes.
    pub async fn follow(&self, bundle: Bundle) -> Result<Known, LockError> {
        match self {
            Self::Folder(folder) => folder.follow(bundle).await,
            Self::Shared(shared) => shared.follow(bundle).await,
        }
    }

    /// Writes the slot's entry down, and the act into the audit log. An entry of another slot that changed meanwhile stays as it
    /// is there. Where they are shared, `followed` says which they have to be: nothing is written when they are others by now.
    pub async fn write_down(
        &self,
        followed: Option<&Edition>,
        slot: &str,
        entry: Option<Entry>,
        act: Act<'_>,
    ) -> Result<Written, LockError> {
        match self {
            Self::Folder(folder) => folder.write_down(slot, entry, act).await,
            Self::Shared(shared) => shared.write_down(followed, slot, entry, act).await,
        }
    }

    /// Forgets what the core keeps for slots that have no entry. Disabled slots have one: events wait until they are enabled again.
    pub async fn prune(&self) -> Result<(), LockError> {
        match self {
            Self::Folder(folder) => folder.prune().await,
            Self::Shared(shared) => shared.prune().await,
        }
    }

    /// Deletes the components in the object store that nothing has named for an hour. Only who keeps others from changing the
    /// approvals does this.
    pub async fn sweep(&self) -> Result<usize, LockError> {
        match self {
            Self::Folder(_) => Ok(0),
            Self::Shared(shared) => shared.sweep().await,
        }
    }
}

#[cfg(test)]
mod tests;
