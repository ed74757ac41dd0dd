//! `galley:log`: lines in the operator's log.

use std::sync::atomic::Ordering;

use super::contract::galley::log::log::{Host, Level};
use super::lines::{MAX_BYTES, cut};
use super::{SlotState, State};

impl Host for State {
    fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.enter()?;
        let is_full = self.call.log_lines >= self.call.limits.log_lines || self.call.log_bytes >= MAX_BYTES;
        let has_panicked = matches!(level, Level::Error) && message.starts_with("panicked at ");
        if is_full && !has_panicked {
            // Nothing more is done for a line that nobody reads.
            drop_line(&self.slot);
            return Ok(());
        }
        let line = cut(&message);
        if has_panicked {
            self.call.panicked = Some(line.clone());
        }
        if is_full || self.call.log_bytes + line.len() > MAX_BYTES {
            self.call.log_bytes = MAX_BYTES;
            drop_line(&self.slot);
            return Ok(());
        }
        let slot = self.slot.as_ref();
        self.call.log_lines += 1;
        self.call.log_bytes += line.len();
        let (slot, request) = (slot.name.as_str(), self.call.id.as_str());
        match level {
            Level::Debug => tracing::debug!(slot, request, "{line}"),
            Level::Info => tracing::info!(slot, request, "{line}"),
            Level::Warn => tracing::warn!(slot, request, "{line}"),
            Level::Error => tracing::error!(slot, request, "{line}"),
        }
        Ok(())
    }
}

fn drop_line(slot: &SlotState) {
    if slot.counters.dropped_lines.fetch_add(1, Ordering::Relaxed) == 0 {
        tracing::warn!(
            slot = slot.name,
            "the plugin logs too much in one call: the rest is dropped"
        );
    }
}
