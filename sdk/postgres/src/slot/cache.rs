//! What reads answered, for as long as the slot's data are those that they read.

use std::sync::Arc;

use quick_cache::sync::{Cache as Bounded, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use sha2::{Digest, Sha256};

use super::work::Ready;
use crate::value::Value;

/// A statement with its parameters.
pub type Key = [u8; 32];

/// An answer is kept up to this share of the cache's bound.
const MAX_SHARE: u64 = 8;
/// The pieces of the cache, each with a lock and a part of the bound of its own.
const PIECES: usize = 4;
/// What an answer takes, about.
const USUAL_BYTES: u64 = 4096;

/// The bytes that an answer takes beside its rows.
const OVERHEAD: usize = 160;

/// What was read, and the generation that the data had when the read began or before.
#[derive(Clone)]
struct Kept {
    generation: i64,
    rows: Arc<[u8]>,
}

/// The memory of an answer.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Kept> for Bytes {
    fn weight(&self, _: &Key, kept: &Kept) -> u64 {
        (kept.rows.len() + OVERHEAD) as u64
    }
}

/// The answers of one slot.
pub struct Cache {
    kept: Bounded<Key, Kept, Bytes>,
    max_bytes: u64,
}

impl Cache {
    /// With so many bytes at most; 0 for none.
    pub fn new(max_bytes: u64) -> Self {
        let bounds = OptionsBuilder::new()
            .shards(PIECES)
            .weight_capacity(max_bytes)
            .estimated_items_capacity(usize::try_from(max_bytes / USUAL_BYTES).unwrap_or(usize::MAX))
            .build()
            .expect("both bounds are set");
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self {
            kept: Bounded::with_options(bounds, Bytes, hasher, lifecycle),
            max_bytes,
        }
    }

    /// The place of a statement whose answer depends on the data alone; `None` for another one.
    pub fn key(&self, ready: &Ready) -> Option<Key> {
        (self.max_bytes > 0 && ready.statement.is_steady).then(|| key(ready))
    }

    /// The rows of a statement, if they were read from data of this generation.
    pub fn get(&self, key: &Key, generation: i64) -> Option<Vec<u8>> {
        let kept = self.kept.get(key)?;
        (kept.generation == generation).then(|| kept.rows.to_vec())
    }

    /// Keeps rows. The generation was asked for before they were read: at worst they are newer, and whoever is given them asked
    /// before the change that they have was acknowledged to anybody, or sees a later generation.
    pub fn put(&self, key: Key, generation: i64, rows: &[u8]) {
        if rows.len() as u64 <= self.max_bytes / MAX_SHARE {
            let rows = rows.into();
            self.kept.insert(key, Kept { generation, rows });
        }
    }
}

fn key(ready: &Ready) -> Key {
    let mut hash = Sha256::new();
    let mut part = |tag: u8, bytes: &[u8]| {
        hash.update([tag]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(0, ready.statement.text.as_bytes());
    for parameter in &ready.parameters {
        match parameter {
            Value::Null => part(1, &[]),
            Value::Integer(value) => part(2, &value.to_le_bytes()),
            Value::Real(value) => part(3, &value.to_bits().to_le_bytes()),
            Value::Text(text) => part(4, text.as_bytes()),
            Value::Blob(bytes) => part(5, bytes),
        }
    }
    hash.finalize().into()
}
