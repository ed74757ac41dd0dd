//! `galley:bells`: notifies connected clients of changes. A bell is a counter; its listeners learn that it changed.

use super::contract::galley::bells::bells::Host;
use super::{Capability, State};

pub use super::ringing::Bells;

/// The longest topic, in bytes.
const MAX_TOPIC: usize = 200;

impl Host for State {
    fn ring(&mut self, topic: String) -> wasmtime::Result<()> {
        if self.enter_granted(Capability::Bells)?.is_ok() && topic.len() <= MAX_TOPIC {
            self.slot.services.bells.ring(&self.slot.name, &topic);
        }
        Ok(())
    }
}
