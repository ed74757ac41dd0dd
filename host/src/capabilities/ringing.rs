//! The bells of all slots. A bell counts; a client that watches it learns that the count changed. Where several servers use a
//! database, a bell that rings at one of them rings at all.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::core::{Core, Topic, Wakes};

/// What stands between a slot and its topic. No slot's name has one.
const SEPARATOR: char = '/';

/// All bells with listeners.
#[derive(Default)]
pub struct Bells {
    listened: Mutex<HashMap<(String, String), watch::Sender<u64>>>,
    /// The servers beside this one.
    elsewhere: Option<Arc<Wakes>>,
}

impl Bells {
    /// The bells of a server, which hear those of the servers beside it.
    pub fn of(core: &Core) -> Arc<Self> {
        let bells = Arc::new(Self {
            listened: Mutex::default(),
            elsewhere: core.wakes().cloned(),
        });
        if let Some(wakes) = core.wakes() {
            let hearing = Arc::downgrade(&bells);
            wakes.hear(Topic::Bells, move |name| {
                let Some(bells) = hearing.upgrade() else {
                    return;
                };
                match name.map(|name| name.split_once(SEPARATOR)) {
                    None => bells.ring_all(),
                    Some(Some((slot, topic))) => bells.ring_here(slot, topic),
                    Some(None) => {}
                }
            });
        }
        bells
    }

    /// Listens to a slot's topic from now on. Rings that come faster than the listener reads are merged into one.
    pub fn listen(&self, slot: &str, topic: &str) -> watch::Receiver<u64> {
        let mut listened = self.listened.lock();
        // New listeners remove the bells without listeners, so the map never outgrows its listeners by much.
        if listened.len().is_power_of_two() {
            listened.retain(|_, bell| bell.receiver_count() > 0);
        }
        listened
            .entry((slot.to_owned(), topic.to_owned()))
            .or_insert_with(|| watch::Sender::new(0))
            .subscribe()
    }

    /// Rings the bell, at all servers. It waits for none of them, and what it is about is durable already.
    pub fn ring(&self, slot: &str, topic: &str) {
        self.ring_here(slot, topic);
        if let Some(wakes) = &self.elsewhere {
            wakes.wake(Topic::Bells, &format!("{slot}{SEPARATOR}{topic}"));
        }
    }

    /// Rings the bell at this server. Without listeners nothing happens.
    fn ring_here(&self, slot: &str, topic: &str) {
        let listened = self.listened.lock();
        if listened.is_empty() {
            return;
        }
        if let Some(bell) = listened.get(&(slot.to_owned(), topic.to_owned())) {
            bell.send_modify(|count| *count += 1);
        }
    }

    /// Rings all bells at this server: each of them may have been rung at another one.
    fn ring_all(&self) {
        for bell in self.listened.lock().values() {
            bell.send_modify(|count| *count += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, two};

    #[tokio::test]
    async fn a_bell_is_heard_by_its_listeners_only() {
        let bells = Bells::default();
        let mut here = bells.listen("a", "t");
        let elsewhere = bells.listen("b", "t");
        bells.ring("a", "t");
        bells.ring("a", "t");
        assert!(here.changed().await.is_ok());
        assert!(!here.has_changed().unwrap());
        assert!(!elsewhere.has_changed().unwrap());
    }
    #[tokio::test(flavor = "multi_thread")]
    async fn a_bell_rings_at_all_servers_and_all_do_when_one_was_cut_off() {
        let (Opened { core: one, home: _one }, Opened { core: two, home }) = two().await;
        let (here, there) = (Bells::of(&one), Bells::of(&two));
        let hears = |bell: &watch::Receiver<u64>| {
            let mut bell = bell.clone();
            async move { bell.changed().await.unwrap() }
        };
        let (mut log, mut other) = (there.listen("a", "\0log:1"), there.listen("b", "t/1"));
        let mut own = here.listen("a", "\0log:1");
        // When it begins to hear, all ring.
        hears(&other).await;
        other.mark_unchanged();
        log.mark_unchanged();
        own.mark_unchanged();
        here.ring("a", "\0log:1");
        assert!(own.has_changed().unwrap(), "at once");
        hears(&log).await;
        assert!(!other.has_changed().unwrap());
        here.ring("b", "t/1");
        hears(&other).await;
        log.mark_unchanged();
        other.mark_unchanged();
        home.cut_off();
        hears(&log).await;
        hears(&other).await;
    }
}
