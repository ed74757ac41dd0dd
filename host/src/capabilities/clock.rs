//! `galley:clock`.

use std::sync::LazyLock;
use std::time::Instant;

use super::State;
use super::contract::galley::clock::clock::Host;

impl Host for State {
    fn now_ms(&mut self) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(crate::storage::id::now_ms().max(0) as u64)
    }

    fn monotonic_ns(&mut self) -> wasmtime::Result<u64> {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        self.enter()?;
        Ok(START.elapsed().as_nanos() as u64)
    }
}
