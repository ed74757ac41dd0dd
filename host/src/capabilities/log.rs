//! `galley:log`: lines in the operator's log.

use std::sync::atomic::Ordering;

use super::State;
use super::contract::galley::log::log::{Host, Level};
use super::lines::{MAX_BYTES, cut};

impl Host for State {
    fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.enter()?;
        let line = cut(&message);
        if matches!(level, Level::Error) && line.starts_with("panicked at ") {
            self.call.panicked = Some(line.to_string());
        }
        let slot = self.slot.as_ref();
        if self.call.log_lines >= self.call.limits.log_lines || self.call.log_bytes + line.len() > MAX_BYTES {
            if slot.counters.dropped_lines.fetch_add(1, Ordering::Relaxed) == 0 {
                tracing::warn!(
                    slot = slot.name,
                    "the plugin logs too much in one call: the rest is dropped"
                );
            }
            return Ok(());
        }
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
