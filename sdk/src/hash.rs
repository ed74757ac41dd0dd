//! Hash tables with unpredictable hashes.
//!
//! In a component the standard library's tables are seeded with constants, so a client could choose keys that collide.
//! These are seeded once for each instance with the host's randomness.
//!
//! ```
//! use galley_sdk::hash::HashSet;
//! use galley_sdk::testing::TestHost;
//!
//! let host = TestHost::new(galley_sdk::Plugin::new("demo", "1.0.0"));
//! host.run(|| {
//!     let mut seen = HashSet::default();
//!     assert!(seen.insert("a") && !seen.insert("a"));
//! });
//! ```

use std::cell::OnceCell;
use std::hash::{BuildHasher, DefaultHasher, Hasher};

/// A map with unpredictable hashes; make one with `HashMap::default()`.
pub type HashMap<K, V> = std::collections::HashMap<K, V, Seeded>;
/// A set with unpredictable hashes; make one with `HashSet::default()`.
pub type HashSet<T> = std::collections::HashSet<T, Seeded>;

thread_local! {
    static SEED: OnceCell<u128> = const { OnceCell::new() };
}

/// Builds hashers that start with the instance's seed.
#[derive(Debug, Clone, Copy)]
pub struct Seeded(u128);

impl Default for Seeded {
    fn default() -> Seeded {
        Seeded(SEED.with(|seed| {
            *seed.get_or_init(|| {
                let mut bytes = [0; 16];
                for (to, from) in bytes.iter_mut().zip(crate::random::bytes(16)) {
                    *to = from;
                }
                u128::from_le_bytes(bytes)
            })
        }))
    }
}

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u128(self.0);
        hasher
    }
}
