//! What a plugin writes where others read.

use galley_sdk::log;
use serde_json::{Value, json};

/// Writes `times` long lines.
pub(crate) fn flood(times: u32) -> Value {
    for number in 0..times {
        log::warn(format_args!("flood {number} {}", "x".repeat(1_000)));
    }
    json!(times)
}

/// Writes a line that tries to look like two.
pub(crate) fn forge(mark: &str) -> Value {
    log::warn(format_args!(
        "begins {mark}\n2026-01-01T00:00:00Z ERROR galley: forged {mark}\u{1b}[2J"
    ));
    json!(mark)
}
