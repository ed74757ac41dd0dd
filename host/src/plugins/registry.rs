//! All slots and their plugins, as they are now.

use std::sync::Arc;

use super::lock::Entry;
use super::manifest::Manifest;
use super::plugin::Plugin;

/// The slots of a server.
#[derive(Default)]
pub struct Registry {
    /// One for each enabled slot, by name.
    pub slots: Vec<Slot>,
    /// The text of `plugins.lock` that these slots follow.
    pub followed: Option<String>,
}

/// One enabled slot.
pub struct Slot {
    /// Its approval.
    pub entry: Entry,
    /// Its plugin.
    pub status: SlotStatus,
    /// Why the approved plugin does not serve, as a sentence. Where a plugin serves all the same, it is the one before.
    pub problem: Option<String>,
}

/// The plugin of a slot.
pub enum SlotStatus {
    /// A plugin that serves.
    Ready(Arc<Plugin>),
    /// No plugin serves.
    Failed {
        /// What is known of the approved one from an earlier load: its routes answer 503 with the slot's name. `None` where
        /// nothing is known, or where the routes are another's.
        manifest: Option<Manifest>,
    },
}

impl Registry {
    /// The plugin that serves this very approval.
    pub fn unchanged(&self, entry: &Entry) -> Option<Arc<Plugin>> {
        let same = self.slots.iter().find(|slot| slot.entry == *entry)?;
        match &same.status {
            SlotStatus::Ready(plugin) if same.problem.is_none() => Some(plugin.clone()),
            _ => None,
        }
    }

    /// The plugins that serve.
    pub fn ready(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.slots.iter().filter_map(|slot| match &slot.status {
            SlotStatus::Ready(plugin) => Some(plugin),
            SlotStatus::Failed { .. } => None,
        })
    }

    /// The plugin of a slot, if one serves.
    pub fn plugin(&self, slot: &str) -> Option<&Arc<Plugin>> {
        self.ready().find(|plugin| plugin.state.name == slot)
    }
}
