//! `galley:random`.

use super::State;
use super::contract::galley::random::random::Host;
use crate::storage::id;

/// The most random bytes in one call.
const MAX_BYTES: u32 = 64 << 10;

impl Host for State {
    fn bytes(&mut self, len: u32) -> wasmtime::Result<Vec<u8>> {
        self.enter()?;
        let mut bytes = vec![0; len.min(MAX_BYTES) as usize];
        id::fill_random(&mut bytes);
        Ok(bytes)
    }

    fn id(&mut self) -> wasmtime::Result<String> {
        self.enter()?;
        Ok(id::new_id())
    }
}
