//! The slot's own key-value store, for data too large for a row.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, blobs};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.run(|| {
//!     blobs::put("shots/1.png", b"bytes").unwrap();
//!     assert_eq!(blobs::get("shots/1.png", 0, 3).unwrap().unwrap(), b"byt");
//!     blobs::delete("shots/1.png").unwrap();
//!     assert_eq!(blobs::get("shots/1.png", 0, 3).unwrap(), None);
//! });
//! ```

use crate::error::Problem;
use crate::host;

/// Stores `data` (at most 16 MiB, `too-large`) under `key` (1 to 200 of letters, digits, `-`, `_`, `.` and `/`; `bad-key`),
/// replacing what was there, atomically and durably.
pub fn put(key: &str, data: &[u8]) -> Result<(), Problem> {
    host::blobs::put(key, data)
}

/// At most `len` bytes (bounded to 1 MiB) from `offset`, empty at the end; `None` when there is no such key.
pub fn get(key: &str, offset: u64, len: u32) -> Result<Option<Vec<u8>>, Problem> {
    host::blobs::get(key, offset, len)
}

/// Deletes one key. Deleting a missing one is fine.
pub fn delete(key: &str) -> Result<(), Problem> {
    host::blobs::delete(key)
}
