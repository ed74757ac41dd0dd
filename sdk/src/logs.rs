//! Append-only logs, which clients can follow with [`tail::log`](crate::tail::log) while they grow.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, logs};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.run(|| {
//!     let log = logs::open("build-1").unwrap();
//!     log.append("Installing\n").unwrap();
//!     log.close("ready").unwrap();
//!     assert!(log.append("more").unwrap_err().is("closed"));
//! });
//! assert_eq!(host.text_log("build-1").unwrap(), ("Installing\n".to_owned(), Some("ready".to_owned())));
//! ```

use crate::error::Problem;
use crate::host;

/// An open log.
#[derive(Debug)]
pub struct Log(host::logs::Log);

/// Opens the log `id` (1 to 64 letters, digits, `-` and `_`; `bad-id`), creating it when it does not exist.
pub fn open(id: &str) -> Result<Log, Problem> {
    host::logs::Log::open(id).map(Log)
}

/// Deletes a log. Deleting a missing one is fine.
pub fn remove(id: &str) -> Result<(), Problem> {
    host::logs::remove(id)
}

impl Log {
    /// Adds text. `closed`; `too-large` past 16 MiB.
    pub fn append(&self, text: &str) -> Result<(), Problem> {
        self.0.append(text)
    }

    /// At most `len` bytes (bounded to 1 MiB) from `offset`, cut back to a whole character.
    pub fn read(&self, offset: u64, len: u32) -> Result<String, Problem> {
        self.0.read(offset, len)
    }

    /// Writes the final status and ends the log, durably. Closing twice keeps the first status.
    pub fn close(&self, status: &str) -> Result<(), Problem> {
        self.0.close(status)
    }
}
