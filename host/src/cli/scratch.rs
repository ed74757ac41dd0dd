//! Reading components without a data folder: what is compiled is gone with this.

use anyhow::Context;
use tempfile::TempDir;
use wasmtime::Engine;

use crate::plugins::cache::Cache;
use crate::plugins::engine::engine;

/// An engine and an empty cache of its own.
pub struct Scratch {
    /// The engine.
    pub engine: Engine,
    /// The cache.
    pub cache: Cache,
    _folder: TempDir,
}

impl Scratch {
    /// Makes both.
    pub fn open() -> anyhow::Result<Self> {
        let engine = engine().map_err(anyhow::Error::msg)?;
        let folder = tempfile::tempdir().context("no temporary folder")?;
        let cache = Cache::open(folder.path(), &engine)?;
        Ok(Self {
            engine,
            cache,
            _folder: folder,
        })
    }
}
