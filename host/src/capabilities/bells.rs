//! `galley:bells`: notifies connected clients of changes. A bell is a counter; its listeners learn that it changed.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::contract::galley::bells::bells::Host;
use super::{Capability, State};

/// The longest topic, in bytes.
const MAX_TOPIC: usize = 200;

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

impl Host for State {
    fn ring(&mut self, topic: String) -> wasmtime::Result<()> {
        if self.enter_granted(Capability::Bells)?.is_ok() && topic.len() <= MAX_TOPIC {
            self.slot.services.bells.ring(&self.slot.name, &topic);
        }
        Ok(())
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
