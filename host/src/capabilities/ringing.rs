//! The bells of all slots. A bell counts; a client that watches it learns that the count changed.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::watch;

/// All bells with listeners.
#[derive(Default)]
pub struct Bells {
    listened: Mutex<HashMap<(String, String), watch::Sender<u64>>>,
}

impl Bells {
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

    /// Rings the bell. Without listeners nothing happens.
    pub fn ring(&self, slot: &str, topic: &str) {
        let listened = self.listened.lock();
        if listened.is_empty() {
            return;
        }
        if let Some(bell) = listened.get(&(slot.to_owned(), topic.to_owned())) {
            bell.send_modify(|count| *count += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
