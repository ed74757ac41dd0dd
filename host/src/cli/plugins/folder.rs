//! The folders as a command finds them: approvals, artifacts, and files that nobody approved.

use anyhow::{Context, bail};

use super::data_folder::check;
use super::target::Target;
use crate::config::Config;
use crate::http::OWN_PATHS;
use crate::plugins::cache::{Cache, sha256_of_file};
use crate::plugins::components::Components;
use crate::plugins::engine;
use crate::plugins::entry::Entry;
use crate::plugins::inspect::{self, Inspected, inspect, inspect_file};
use crate::plugins::lock::{Bundle, Lock, LockError};
use crate::plugins::manifest::{self, Manifest};
use crate::plugins::operations::Request;
use crate::plugins::verify::Verifier;
use crate::storage::slot_data::DataChoice;

/// The approvals as the server would use them, those that came with the program included. A command that changes them holds
/// the lock meanwhile; see [`Lock::hold`]. Those that servers share are asked for.
pub fn approvals(config: &Config) -> anyhow::Result<Lock> {
    check(config)?;
    if config.cluster.is_some() {
        let told = Target::open(config.clone())?.run(&Request::Approvals)?;
        let text = told.details["approvals"].as_str().unwrap_or_default();
        return Ok(Lock::parse(text).map_err(LockError::Unknown)?);
    }
    let mut lock = Lock::read(&config.data_dir)?;
    lock.follow(&Bundle::read(&config.plugins_dir)?);
    Ok(lock)
}

/// Files of the plugins folder that nobody approved.
pub fn strays(config: &Config, lock: &Lock) -> Vec<String> {
    let files = std::fs::read_dir(&config.plugins_dir).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut strays: Vec<_> = names
        .filter(|name| name.ends_with(".wasm") && !lock.plugins.iter().any(|entry| entry.file.as_ref() == Some(name)))
        .collect();
    strays.sort();
    strays
}

/// Whether the file is the approved one, for a table.
pub fn state(config: &Config, entry: &Entry) -> &'static str {
    match sha256_of_file(&Components::here(config, entry)) {
        Err(_) => "file missing",
        Ok(hash) if hash != entry.sha256 => "file changed",
        Ok(_) if entry.enabled => "enabled",
        Ok(_) => "disabled",
    }
}

/// The enabled slots, those that came with the program first: a route that two of them want is theirs.
pub fn in_order(lock: &Lock) -> Vec<&Entry> {
    let mut enabled: Vec<&Entry> = lock.plugins.iter().filter(|entry| entry.enabled).collect();
    enabled.sort_by_key(|entry| !entry.bundled);
    enabled
}

/// Reads plugins as the server would.
pub struct Reader<'c> {
    config: &'c Config,
    engine: wasmtime::Engine,
    cache: Cache,
}

impl<'c> Reader<'c> {
    /// With an engine of its own.
    pub fn new(config: &'c Config) -> anyhow::Result<Self> {
        let engine = engine::engine().map_err(anyhow::Error::msg)?;
        let cache = Cache::open(&config.data_dir, &engine)
            .with_context(|| format!("cannot use the data folder {}", config.data_dir.display()))?;
        Ok(Self { config, engine, cache })
    }

    /// Reads a file of the plugins folder.
    pub fn read(&self, file: &str) -> anyhow::Result<Inspected> {
        if file.contains('/') {
            bail!(
                "{file} is not in the plugins folder: copy it to {} first",
                self.config.plugins_dir.display()
            );
        }
        inspect(&self.engine, &self.cache, &self.config.plugins_dir, file)
            .with_context(|| format!("{file} cannot be used"))
    }

    /// Reads the artifact of a slot.
    pub fn read_entry(&self, entry: &Entry) -> anyhow::Result<Inspected> {
        if let Some(file) = entry.file.as_ref().filter(|_| self.config.cluster.is_none()) {
            return self.read(file);
        }
        let (path, name) = (Components::here(self.config, entry), entry.name());
        let read =
            inspect::hash(name, &path).and_then(|hash| inspect_file(&self.engine, &self.cache, name, &path, hash));
        read.with_context(|| format!("{name} cannot be used"))
    }

    /// The manifest of a slot's artifact, when it was read before.
    pub fn known(&self, entry: &Entry) -> Option<Manifest> {
        let json = self.cache.manifest(&entry.sha256)?;
        manifest::parse(&json).ok()
    }

    /// Checks plugins one after the other.
    pub fn verifier(&self) -> anyhow::Result<Verifier> {
        let bundle = Bundle::read(&self.config.plugins_dir)?;
        Verifier::new(&self.engine, OWN_PATHS, &self.config.data_dir, &bundle).map_err(anyhow::Error::msg)
    }

    /// Whether a plugin would serve beside the others. Others that cannot be read are passed over.
    pub fn check_beside(&self, lock: &Lock, inspected: &Inspected, choice: Option<DataChoice>) -> anyhow::Result<()> {
        let mut verifier = self.verifier()?;
        let slot = &inspected.built.manifest.slot;
        for other in in_order(lock).into_iter().filter(|other| other.slot != *slot) {
            if let Ok(read) = self.read_entry(other) {
                // Only its routes matter here.
                let _ = verifier.check(&read, None, other.data);
            }
        }
        let present = lock.plugins.iter().find(|entry| entry.slot == *slot);
        let present = present.and_then(|entry| self.read_entry(entry).ok());
        let in_use = present.as_ref().map(|present| present.built.manifest.schema_name());
        verifier
            .check(inspected, in_use, choice)
            .map(drop)
            .with_context(|| format!("{} cannot be used", inspected.built.file))
    }
}
