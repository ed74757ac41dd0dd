//! Randomness from the operating system, fit for secrets.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, random};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.run(|| assert_ne!(random::id(), random::id()));
//! ```

/// `len` random bytes (bounded to 64 KiB).
pub fn bytes(len: u32) -> Vec<u8> {
    crate::host::random::bytes(len)
}

/// A new id: 26 lower-case letters and digits, unguessable, ordered by creation time (to the millisecond).
pub fn id() -> String {
    crate::host::random::id()
}
