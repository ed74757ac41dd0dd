//! Replacing the plugin of a slot while requests arrive.
//!
//! A change of the slot's data has two parts. While steps run and the new plugin starts, the calls that may write wait, and
//! the others go on ([`Gate::stop_writes`]). Then all calls wait until those under way have ended ([`Stopped::stop_all`]), the
//! change is committed and the plugin replaced. A call that waited goes on in the plugin that serves afterwards.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};
use tokio::time::timeout_at;

/// How long the calls of a slot wait for a change, and a change for each kind of calls under way.
pub const SWAP_TIMEOUT: Duration = Duration::from_secs(5);

/// The gate of a slot. All plugins (`P`) that fill the slot one after the other share it.
pub struct Gate<P> {
    writing: Arc<RwLock<()>>,
    all: Arc<RwLock<()>>,
    serving: Mutex<Weak<P>>,
    /// How often the data changed under a plugin that served.
    changes: AtomicU64,
}

/// A call that passed. It is under way until this is dropped.
pub struct Pass<P> {
    /// The plugin that serves now, where the data changed since the one that was asked began to serve.
    pub instead: Option<Arc<P>>,
    _writing: Option<OwnedRwLockReadGuard<()>>,
    _all: OwnedRwLockReadGuard<()>,
}

/// No call that may write is under way, and none passes.
pub struct Stopped {
    all: Arc<RwLock<()>>,
    _writing: OwnedRwLockWriteGuard<()>,
    none: Option<OwnedRwLockWriteGuard<()>>,
}

impl<P> Default for Gate<P> {
    fn default() -> Self {
        Self {
            writing: Arc::default(),
            all: Arc::default(),
            serving: Mutex::default(),
            changes: AtomicU64::new(0),
        }
    }
}

impl<P> Gate<P> {
    /// Waits until no change of the slot is under way. `changes` are those that the plugin knows which is asked.
    pub async fn pass(&self, changes: u64, writes: bool) -> Pass<P> {
        let writing = match writes {
            true => Some(self.writing.clone().read_owned().await),
            false => None,
        };
        let all = self.all.clone().read_owned().await;
        let instead = match self.changes() == changes {
            true => None,
            false => self.serving.lock().upgrade(),
        };
        Pass {
            instead,
            _writing: writing,
            _all: all,
        }
    }

    /// Lets no call that may write pass, and waits until those under way have ended. `None` when they take too long.
    pub async fn stop_writes(&self) -> Option<Stopped> {
        let end = Instant::now() + SWAP_TIMEOUT;
        let writing = timeout_at(end.into(), self.writing.clone().write_owned()).await;
        Some(Stopped {
            all: self.all.clone(),
            _writing: writing.ok()?,
            none: None,
        })
    }

    /// How often the data changed under a plugin that served.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Notes that the data changed: plugins from before cannot use them.
    pub fn changed(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Calls of plugins from before a change go to this plugin from now on.
    pub fn serve(&self, plugin: &Arc<P>) {
        *self.serving.lock() = Arc::downgrade(plugin);
    }
}

impl Stopped {
    /// Lets no call pass any more, and waits until those under way have ended. `false` when they take too long; a repeat is `true` at
    /// once.
    pub async fn stop_all(&mut self) -> bool {
        if self.none.is_some() {
            return true;
        }
        let end = Instant::now() + SWAP_TIMEOUT;
        match timeout_at(end.into(), self.all.clone().write_owned()).await {
            Ok(all) => {
                self.none = Some(all);
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_that_waited_goes_on_in_the_plugin_that_serves_afterwards() {
        let gate = Arc::new(Gate::default());
        let (old, new) = (Arc::new("old"), Arc::new("new"));
        gate.serve(&old);
        let before = gate.changes();
        let mut stopped = gate.stop_writes().await.unwrap();
        // Reads go on while the writes wait.
        let reading = gate.pass(before, false).await;
        assert!(reading.instead.is_none());
        let waits = tokio::spawn({
            let gate = gate.clone();
            async move { gate.pass(before, true).await.instead }
        });
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(reading);
        assert!(stopped.stop_all().await);
        gate.changed();
        gate.serve(&new);
        drop(stopped);
        assert_eq!(waits.await.unwrap().as_deref(), Some(&"new"));
        assert!(gate.pass(gate.changes(), true).await.instead.is_none());
    }

    #[tokio::test]
    async fn a_call_that_does_not_end_keeps_the_plugin() {
        let gate = Gate::<()>::default();
        let _writing = gate.pass(gate.changes(), true).await;
        assert!(gate.stop_writes().await.is_none());
    }
}
