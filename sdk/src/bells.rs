//! Bells notify the clients that follow a [`tail::bell`](crate::tail::bell). They carry no data.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, bells};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.run(|| bells::ring("p1"));
//! assert_eq!(host.rung(), ["p1"]);
//! ```

/// Rings the bell of `topic` (at most 200 bytes). Ring after the write that it announces.
pub fn ring(topic: &str) {
    crate::host::bells::ring(topic);
}
