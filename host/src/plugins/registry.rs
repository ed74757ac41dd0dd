//! All slots and their plugins, as they are now.

use std::sync::Arc;

use super::approvals::Edition;
use super::entry::Entry;
use super::manifest::Manifest;
use super::plugin::Plugin;

/// The slots of a server.
#[derive(Clone, Default)]
pub struct Registry {
    /// One for each enabled slot, by name.
    pub slots: Vec<Slot>,
    /// The approvals that these slots follow.
    pub followed: Option<Edition>,
}

/// One enabled slot.
#[derive(Clone)]
pub struct Slot {
    /// Its approval.
    pub entry: Entry,
    /// Its plugin.
    pub status: SlotStatus,
    /// Why the approved plugin does not serve, as a sentence. Where a plugin serves all the same, it is the one before.
    pub problem: Option<String>,
    /// Whether its start failed, or what it needs could not be had: then it is tried again after a while.
    pub start_failed: bool,
}

/// The plugin of a slot.
#[derive(Clone)]
pub enum SlotStatus {
    /// A plugin that serves.
    Ready(Arc<Plugin>),
    /// No plugin serves.
    Failed {
        /// What is known of the approved one from an earlier load: its routes answer 503 with the slot's name. `None` where
        /// nothing is known, or where the routes are another's.
        manifest: Option<Box<Manifest>>,
        /// Why not, where callers may know: everything else is the operator's business.
        told: Option<String>,
    },
}

impl Slot {
    /// Whether nothing serves that was approved.
    pub fn is_failed(&self) -> bool {
        self.problem.is_some() && matches!(self.status, SlotStatus::Failed { .. })
    }

    /// What is known of its routes.
    pub fn manifest(&self) -> Option<&Manifest> {
        match &self.status {
            SlotStatus::Ready(plugin) => Some(&plugin.manifest),
            SlotStatus::Failed { manifest, .. } => manifest.as_deref(),
        }
    }
}

fn is_superseded(plugin: &Arc<Plugin>) -> bool {
    let database = plugin.state.database.as_ref();
    database.is_some_and(|database| database.is_superseded())
}

impl Registry {
    /// The plugin that serves this very approval; its limits, settings and secrets may differ.
    pub fn unchanged(&self, entry: &Entry) -> Option<Arc<Plugin>> {
        let same = self.slots.iter().find(|slot| slot.entry.is_same_plugin(entry))?;
        match &same.status {
            SlotStatus::Ready(plugin) if same.problem.is_none() && !is_superseded(plugin) => Some(plugin.clone()),
            _ => None,
        }
    }

    /// Whether the data of a plugin that serves were changed for another one, and changed back: it is loaded anew.
    pub fn is_superseded(&self) -> bool {
        self.ready().any(is_superseded)
    }

    /// The slot of this name, if it is enabled.
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.entry.slot == name)
    }

    /// The same slots but for `name`, which gets another content, or none.
    pub fn with(&self, name: &str, slot: Option<Slot>) -> Self {
        let others = self.slots.iter().filter(|slot| slot.entry.slot != name).cloned();
        let mut slots: Vec<Slot> = others.chain(slot).collect();
        slots.sort_by(|a, b| a.entry.slot.cmp(&b.entry.slot));
        Self {
            slots,
            followed: self.followed.clone(),
        }
    }

    /// The plugins that serve.
    pub fn ready(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.slots.iter().filter_map(|slot| match &slot.status {
            SlotStatus::Ready(plugin) => Some(plugin),
            SlotStatus::Failed { .. } => None,
        })
    }

    /// Whether requests are under way for plugins.
    pub fn serves(&self) -> bool {
        self.ready().next().is_some()
    }

    /// The plugin of a slot, if one serves.
    pub fn plugin(&self, slot: &str) -> Option<&Arc<Plugin>> {
        self.ready().find(|plugin| plugin.state.name == slot)
    }
}
