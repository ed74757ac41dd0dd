//! `galley:blobs`: the slot's key-value store.

use std::io;
use std::sync::Arc;

use super::contract::galley::blobs::blobs::Host;
use super::problem::of_files;
use super::state::granted;
use super::{Problem, SlotState, State, internal, problem};
use crate::storage::blobs::{self, BlobStore};

/// The most bytes of one read.
const MAX_READ: u32 = 1 << 20;

/// Runs disk work outside of the async threads.
async fn on_disk<T: Send + 'static>(
    slot: &Arc<SlotState>,
    key: String,
    work: impl FnOnce(&BlobStore, &SlotState, &str) -> io::Result<T> + Send + 'static,
) -> Result<T, Problem> {
    if !blobs::is_key(&key) {
        let rule = "A key is 1 to 200 letters, digits, `-`, `_`, `.` and `/`, with no empty, `.` or `..` part.";
        return Err(problem("bad-key", rule));
    }
    let slot = slot.clone();
    match tokio::task::spawn_blocking(move || work(&slot.services.blobs, &slot, &key)).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(of_files("a blob failed", &error)),
        Err(error) => Err(internal("a blob failed", &error)),
    }
}

impl Host for State {
    async fn put(&mut self, key: String, data: Vec<u8>) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Blobs);
        if data.len() > blobs::MAX_BYTES {
            return Ok(Err(problem(
                "too-large",
                format!("A blob has at most {} bytes.", blobs::MAX_BYTES),
            )));
        }
        Ok(on_disk(&self.slot, key, move |store, slot, key| {
            store.put(&slot.name, key, &data)
        })
        .await)
    }

    async fn get(&mut self, key: String, offset: u64, len: u32) -> wasmtime::Result<Result<Option<Vec<u8>>, Problem>> {
        granted!(self, Blobs);
        let len = len.min(MAX_READ) as usize;
        Ok(on_disk(&self.slot, key, move |store, slot, key| {
            store.get(&slot.name, key, offset, len)
        })
        .await)
    }

    async fn delete(&mut self, key: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Blobs);
        Ok(on_disk(&self.slot, key, move |store, slot, key| store.delete(&slot.name, key)).await)
    }
}
