//! The operator's log. The host adds the slot and the request's id to each line. A warning means that the operator should act.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, info, log};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.run(|| info!("published {} files", 3));
//! assert_eq!(host.log(), [(log::Level::Info, "published 3 files".to_owned())]);
//! ```

use std::fmt::Display;

pub use crate::bindings::galley::log::log::Level;

/// Writes one line (cut at 4 KiB).
pub fn write(level: Level, message: impl Display) {
    crate::host::log::write(level, &message.to_string());
}

/// Writes a line for the plugin's developers.
pub fn debug(message: impl Display) {
    write(Level::Debug, message);
}

/// Writes a line for the record.
pub fn info(message: impl Display) {
    write(Level::Info, message);
}

/// Writes a line that the operator should act on.
pub fn warn(message: impl Display) {
    write(Level::Warn, message);
}

/// Writes a line about a failure.
pub fn error(message: impl Display) {
    write(Level::Error, message);
}

/// [`log::debug`](debug()) with a format string.
#[macro_export]
macro_rules! debug {
    ($($text:tt)+) => { $crate::log::debug(format_args!($($text)+)) };
}

/// [`log::info`](info()) with a format string.
#[macro_export]
macro_rules! info {
    ($($text:tt)+) => { $crate::log::info(format_args!($($text)+)) };
}

/// [`log::warn`](warn()) with a format string.
#[macro_export]
macro_rules! warn {
    ($($text:tt)+) => { $crate::log::warn(format_args!($($text)+)) };
}

/// [`log::error`](error()) with a format string.
#[macro_export]
macro_rules! error {
    ($($text:tt)+) => { $crate::log::error(format_args!($($text)+)) };
}
