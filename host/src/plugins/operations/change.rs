//! The steps that every change shares: load, lock, swap, drain.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Kind, Operations, Refused};
use crate::config::pause::{self, Step};
use crate::plugins::approvals::{Act, Known};
use crate::plugins::entry::Entry;
use crate::plugins::gate::Stopped;
use crate::plugins::plugin::Plugin;
use crate::plugins::registry::{Registry, Slot, SlotStatus};

/// How long calls of the plugin before may end beyond their deadline.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// How often it is looked whether they have.
const DRAIN_INTERVAL: Duration = Duration::from_millis(5);

impl Operations {
    /// Reads the approvals.
    pub(super) async fn known(&self) -> Result<Known, Refused> {
        Ok(self.loader.known().await?)
    }

    /// Lets an entry serve in place of what its slot had: the plugin loads beside the one before, is written down, and takes
    /// over. Whatever fails leaves the one before in its place.
    pub(super) async fn serve(&self, entry: Entry, act: Act<'_>) -> Result<(), Refused> {
        let before = self.present();
        if let Some(plugin) = before.unchanged(&entry) {
            // Limits, settings and secrets alone differ: they are in force with its next call.
            self.write_down(&entry.slot, Some(entry.clone()), act).await?;
            plugin.follow(&entry);
            return self.take_over(before, entry, plugin, None).await;
        }
        let what = format!("{} {} for the slot `{}`", entry.id(), entry.version, entry.slot);
        let loaded = Box::pin(self.loader.load_one(&entry, &before)).await;
        let started = loaded.map_err(|error| Refused::load(&what, &error))?;
        // Before the data change for good: a server that is killed in between does the same again.
        self.write_down(&entry.slot, Some(entry.clone()), act).await?;
        let committed = Box::pin(started.commit()).await;
        let (plugin, stopped) = committed.map_err(|error| {
            self.follow_again();
            Refused::load(&what, &error.into())
        })?;
        self.take_over(before, entry, plugin, stopped).await
    }

    async fn take_over(
        &self,
        before: Arc<Registry>,
        entry: Entry,
        plugin: Arc<Plugin>,
        stopped: Option<Stopped>,
    ) -> Result<(), Refused> {
        let slot = Slot {
            status: SlotStatus::Ready(plugin),
            problem: None,
            start_failed: false,
            entry,
        };
        let name = slot.entry.slot.clone();
        self.swap(before, &name, Some(slot), stopped).await
    }

    /// Takes a slot's plugin out. `entry` is what is left of it in the lock.
    pub(super) async fn retire(&self, slot: &str, entry: Option<Entry>, act: Act<'_>) -> Result<(), Refused> {
        let before = self.present();
        self.write_down(slot, entry, act).await?;
        self.swap(before, slot, None, None).await
    }

    /// Writes the slot's entry into the approvals, and the act into the audit log.
    pub(super) async fn write_down(&self, slot: &str, entry: Option<Entry>, act: Act<'_>) -> Result<(), Refused> {
        let followed = self.present().followed.clone();
        let approvals = self.loader.approvals();
        let written = approvals.write_down(followed.as_ref(), slot, entry, act).await?;
        // Where somebody else changed the file as well, it is followed as a whole in a moment.
        let present = self.present();
        if present.followed == written.before {
            let mut registry = Registry::clone(&present);
            registry.followed = Some(written.after);
            self.present.store(Arc::new(registry));
        }
        Ok(())
    }

    /// Lets the lock be followed as a whole in a moment.
    fn follow_again(&self) {
        let mut registry = Registry::clone(&self.present());
        registry.followed = None;
        self.present.store(Arc::new(registry));
    }

    /// Lets the slot's new content serve, and waits until the calls of the plugin before have ended. Calls that were stopped go on.
    async fn swap(
        &self,
        before: Arc<Registry>,
        slot: &str,
        content: Option<Slot>,
        stopped: Option<Stopped>,
    ) -> Result<(), Refused> {
        let mut registry = self.present().with(slot, content);
        if registry.slots.iter().any(Slot::is_failed) {
            // They are tried again in a moment: what kept them from serving may have gone.
            registry.followed = None;
        }
        let registry = Arc::new(registry);
        pause::wait_at(Step::Swap).await;
        // Calls that waited at the gate go on in the new plugin, whatever becomes of the rest: only it knows the data. They do
        // not wait until the routes are made.
        if let Some(plugin) = registry.plugin(slot) {
            plugin.gate.serve(plugin);
        }
        drop(stopped);
        if let Err(error) = self.front.put(&registry).await {
            // It is written down, and the lock is followed as a whole in a moment.
            tracing::error!(slot, "the change of a slot is tried again: {error:#}");
            self.follow_again();
            return Err(Refused::new(
                Kind::Failed,
                format!("the change is written down, and serves in a moment: {error:#}"),
            ));
        }
        self.present.store(registry);
        pause::wait_at(Step::Drain).await;
        let old = before.plugin(slot);
        let goes_on = |plugin: &&Arc<Plugin>| self.present().plugin(slot).is_some_and(|now| Arc::ptr_eq(now, plugin));
        let old = old.filter(|plugin| !goes_on(plugin));
        let old = old.map(|plugin| (Arc::downgrade(plugin), plugin.state.limits().deadline()));
        drop(before);
        if let Some((plugin, deadline)) = old {
            drain(&plugin, deadline + DRAIN_TIMEOUT).await;
        }
        Ok(())
    }
}

/// Waits until nobody calls a plugin any more. One whose calls do not end keeps its place until they do.
async fn drain(plugin: &std::sync::Weak<Plugin>, longest: Duration) {
    let until = Instant::now() + longest;
    while Instant::now() < until && plugin.strong_count() > 0 {
        tokio::time::sleep(DRAIN_INTERVAL).await;
    }
}
