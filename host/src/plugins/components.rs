//! Where the components of plugins are. A server alone has them in its plugins folder and its data folder. Where servers share a
//! database, what the approvals name is in the object store as well: a server that does not have a component fetches it from there,
//! and keeps it in its data folder.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::artifacts::{self, MAX_ARTIFACT_BYTES};
use super::cache::{sha256, sha256_of_file};
use super::entry::Entry;
use crate::capabilities::Services;
use crate::config::Config;
use crate::storage::durable;
use crate::storage::id::{new_id, now_ms};
use crate::storage::objects::{Files, YOUNG};

/// The components of a server. Calls block.
#[derive(Clone)]
pub struct Components {
    plugins_dir: PathBuf,
    data_dir: PathBuf,
    /// What all servers find.
    store: Option<Files>,
}

impl Components {
    /// Those that a server has.
    pub fn of(services: &Services) -> Self {
        Self {
            plugins_dir: services.config.plugins_dir.clone(),
            data_dir: services.config.data_dir.clone(),
            store: services.components.clone(),
        }
    }

    /// Those of these folders, and of a store.
    #[cfg(test)]
    pub fn new(plugins_dir: &Path, data_dir: &Path, store: Option<Files>) -> Self {
        Self {
            plugins_dir: plugins_dir.to_owned(),
            data_dir: data_dir.to_owned(),
            store,
        }
    }

    /// Whether other servers find them, too.
    pub fn is_shared(&self) -> bool {
        self.store.is_some()
    }

    /// Where the component of an approval is on this machine, if it is here. Nothing is fetched.
    pub fn here(config: &Config, entry: &Entry) -> PathBuf {
        let path = entry.path(&config.plugins_dir, &config.data_dir);
        match config.cluster.is_some() && !holds(&path, &entry.sha256) {
            true => artifacts::path(&config.data_dir, &entry.sha256),
            false => path,
        }
    }

    /// Where the component of an approval is. Alone the file there may be another one. Where servers share the approvals it is
    /// the approved one: a plugins folder belongs to one server, so a file that differs is not meant.
    pub fn find(&self, entry: &Entry) -> io::Result<PathBuf> {
        let path = entry.path(&self.plugins_dir, &self.data_dir);
        match self.store.is_some() && !holds(&path, &entry.sha256) {
            true => self.staged(&entry.sha256),
            false => Ok(path),
        }
    }

    /// Where a component is that was staged, or serves or did, at any server.
    pub fn staged(&self, sha256: &str) -> io::Result<PathBuf> {
        let path = artifacts::path(&self.data_dir, sha256);
        if let Some(store) = &self.store
            && !holds(&path, sha256)
        {
            self.fetch(store, sha256, &path)?;
        }
        Ok(path)
    }

    fn fetch(&self, store: &Files, hash: &str, path: &Path) -> io::Result<()> {
        // A damaged one would be taken for what the store has.
        durable::remove_file(path)?;
        let missing = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                io::Error::new(error.kind(), "it is neither on this machine nor in the object store")
            }
            _ => error,
        };
        let stored = store.open(&name(hash)).map_err(missing)?;
        let wasm = stored.read(0, MAX_ARTIFACT_BYTES)?;
        if sha256(&wasm) != hash {
            let message = "the object store has another content under its hash";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        artifacts::write(&self.data_dir, hash, &wasm)
    }

    /// Stores a component durably, where all servers find it, and returns its hash.
    pub fn keep(&self, wasm: &[u8]) -> io::Result<String> {
        let sha256 = artifacts::keep(&self.data_dir, wasm)?;
        if let Some(store) = &self.store {
            self.put(store, &sha256, &artifacts::path(&self.data_dir, &sha256))?;
        }
        Ok(sha256)
    }

    /// Puts the component of an approval where all servers find it, if that is not here alone.
    pub fn publish(&self, entry: &Entry) -> io::Result<()> {
        match &self.store {
            Some(store) => self.put(store, &entry.sha256, &self.find(entry)?),
            None => Ok(()),
        }
    }

    /// One that is there already is fine: its name is its content.
    fn put(&self, store: &Files, sha256: &str, from: &Path) -> io::Result<()> {
        let folder = store.folder();
        durable::private_folder(folder)?;
        // Stored under its name, it is moved.
        let draft = folder.join(format!("{}.draft", new_id()));
        let put = fs::copy(from, &draft)
            .and_then(|_| fs::File::open(&draft)?.sync_all())
            .and_then(|()| store.add(&name(sha256), &draft));
        if put.is_err() {
            let _ = fs::remove_file(&draft);
        }
        put
    }

    /// Deletes what is kept here for none of `named`, as [`artifacts::sweep`] does.
    pub fn sweep_here(&self, named: &HashSet<&str>) -> usize {
        artifacts::sweep(&self.data_dir, named)
    }

    /// The hashes of the components that were stored an hour ago or earlier.
    pub fn old(&self) -> io::Result<Vec<String>> {
        let Some(store) = &self.store else {
            return Ok(Vec::new());
        };
        let listed = store.in_bucket("")?.unwrap_or_default();
        let old = listed.into_iter().filter(|(_, stored)| *stored < now_ms() - YOUNG);
        Ok(old
            .filter_map(|(name, _)| Some(name.strip_suffix(".wasm")?.to_owned()))
            .collect())
    }

    /// Deletes those that are not among `named`. Returns how many.
    pub fn remove_unnamed(&self, hashes: Vec<String>, named: &HashSet<&str>) -> io::Result<usize> {
        let Some(store) = &self.store else { return Ok(0) };
        let mut removed = 0;
        for hash in hashes.iter().filter(|hash| !named.contains(hash.as_str())) {
            store.remove(&name(hash))?;
            removed += 1;
        }
        Ok(removed)
    }
}

/// The name in the store.
fn name(sha256: &str) -> String {
    format!("{sha256}.wasm")
}

/// Whether a file is there and has this content.
fn holds(path: &Path, sha256: &str) -> bool {
    sha256_of_file(path).is_ok_and(|found| found == sha256)
}
