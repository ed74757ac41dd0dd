//! The schemas of slots: what the approved plugins, and those before them, say of their data.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::config::Config;
use crate::plugins::artifacts;
use crate::plugins::cache::Cache;
use crate::plugins::engine::engine;
use crate::plugins::entry::Entry;
use crate::plugins::inspect::{hash, inspect_file};
use crate::plugins::lock::{Bundle, Lock};
use crate::plugins::manifest::Manifest;

/// The plugins of some approvals.
pub struct Schemas {
    pub lock: Lock,
    bundle: Bundle,
    engine: wasmtime::Engine,
    cache: Cache,
    plugins_dir: PathBuf,
    /// Where `artifacts` is.
    folder: PathBuf,
}

impl Schemas {
    /// Those of a backup.
    pub fn as_they_are(config: &Config, folder: &Path) -> anyhow::Result<Self> {
        let engine = engine().map_err(anyhow::Error::msg)?;
        let bundle = Bundle::read(&config.plugins_dir)?;
        let lock = Lock::read(folder)?;
        Ok(Self {
            cache: Cache::open(&config.data_dir, &engine)?,
            lock,
            bundle,
            engine,
            plugins_dir: config.plugins_dir.clone(),
            folder: folder.to_owned(),
        })
    }

    /// The same with the plugins that this program comes with.
    pub fn as_the_next_start_has_them(config: &Config, folder: &Path) -> anyhow::Result<Self> {
        let mut schemas = Self::as_they_are(config, folder)?;
        schemas.lock.follow(&schemas.bundle);
        Ok(schemas)
    }

    /// The manifest of what fills a slot.
    pub fn present(&self, entry: &Entry) -> anyhow::Result<Manifest> {
        let built = self.bundle.plugins.iter().find(|built| built.sha256 == entry.sha256);
        if let Some(built) = built {
            return Ok(built.manifest.clone());
        }
        let own = artifacts::path(&self.folder, &entry.sha256);
        let path = match own.is_file() {
            true => own,
            false => entry.path(&self.plugins_dir, &self.folder),
        };
        let read = hash(entry.name(), &path)
            .and_then(|hash| inspect_file(&self.engine, &self.cache, entry.name(), &path, hash));
        let read = read.with_context(|| format!("the plugin of the slot `{}` cannot be read", entry.slot))?;
        Ok(read.built.manifest)
    }

    /// Whether a schema is that of what fills a slot.
    pub fn is_in_use(&self, slot: &str, schema: &str) -> anyhow::Result<bool> {
        match self.lock.plugins.iter().find(|entry| entry.slot == slot) {
            Some(entry) => Ok(self.present(entry)?.schema_name() == schema),
            None => Ok(false),
        }
    }

    /// A plugin of a slot, the present one or one before, that knows a schema up to a version.
    pub fn find(&self, slot: &str, schema: &str, version: u32) -> anyhow::Result<Option<Manifest>> {
        let Some(entry) = self.lock.plugins.iter().find(|entry| entry.slot == slot) else {
            return Ok(None);
        };
        let knows = |manifest: &Manifest| manifest.schema_name() == schema && manifest.schema_version() >= version;
        let present = self.present(entry)?;
        if knows(&present) {
            return Ok(Some(present));
        }
        for before in &entry.before {
            let path = artifacts::path(&self.folder, &before.sha256);
            let read = inspect_file(&self.engine, &self.cache, slot, &path, before.sha256.clone());
            // One that is not there any more cannot be asked.
            if let Ok(read) = read
                && knows(&read.built.manifest)
            {
                return Ok(Some(read.built.manifest));
            }
        }
        Ok(None)
    }
}
