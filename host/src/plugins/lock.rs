//! The approvals: the operator's in `plugins.lock`, and the build's in `bundled.json` beside the plugins.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use galley_manifest::HostRule;
use serde::{Deserialize, Serialize};

use super::contract::WASI;
use super::entry::Entry;
use super::manifest::Manifest;
use crate::core::CoreError;
use crate::storage::durable;
use crate::storage::objects::is_away;
use crate::storage::sqlite::StorageError;

/// The format this program writes. It reads all earlier ones.
const FORMAT: u32 = 2;
/// The mode of `bundled.json`.
const READABLE: u32 = 0o644;

/// Why the approvals could not be read or written. The text names the file.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file has invalid content.
    #[error("{} is not valid: {reason}. Mend it, or delete it to start from the bundled plugins", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// What the servers of a database share is not what this program knows.
    #[error(
        "the approvals in the database cannot be used: {0}. A newer program may have written them: update this server"
    )]
    Unknown(String),
    /// Others changed the approvals since they were looked at.
    #[error(
        "the plugins were changed at another server meanwhile, and nothing was changed here: look at them, and try again"
    )]
    Superseded,
    /// The components of the approvals are not where all servers find them.
    #[error("{what}: {source}")]
    Components {
        /// What was not done.
        what: String,
        /// The reason.
        source: io::Error,
    },
    /// Work on a thread ended badly.
    #[error("{0}")]
    Ended(String),
    /// The database of the servers failed.
    #[error(transparent)]
    Core(#[from] CoreError),
}

impl LockError {
    /// Whether it may be otherwise in a moment, without any doing of the server. Nothing was changed.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Core(error) => error.is_passing(),
            Self::Components { source, .. } => is_away(source),
            _ => false,
        }
    }
}

impl From<StorageError> for LockError {
    fn from(error: StorageError) -> Self {
        Self::Core(error.into())
    }
}

/// The approvals of one server.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Format of the file: 2. Format 1 had neither sources nor histories, and is read as it is.
    pub version: u32,
    /// One entry for each slot.
    #[serde(default, rename = "plugin")]
    pub plugins: Vec<Entry>,
}

impl Default for Lock {
    fn default() -> Self {
        Self {
            version: FORMAT,
            plugins: Vec::new(),
        }
    }
}

/// The right to change the approvals; see [`Lock::hold`].
#[derive(Debug)]
pub struct Held {
    _folder: fs::File,
}

impl Lock {
    /// Where the file is.
    pub fn path(data_dir: &Path) -> PathBuf {
        data_dir.join("plugins.lock")
    }

    /// Waits until no other program changes the approvals, and keeps them from being changed while the answer lives. A program
    /// that reads, changes and writes them holds this meanwhile.
    pub fn hold(data_dir: &Path) -> Result<Held, LockError> {
        let held = fs::File::open(data_dir).and_then(|folder| {
            folder.lock()?;
            Ok(Held { _folder: folder })
        });
        held.map_err(|source| LockError::Io {
            path: data_dir.to_owned(),
            source,
        })
    }

    /// The file as it is; `None` when there is none.
    pub fn text(data_dir: &Path) -> Result<Option<String>, LockError> {
        let path = Self::path(data_dir);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(LockError::Io { path, source }),
        }
    }

    /// Reads the file; an absent one is empty.
    pub fn read(data_dir: &Path) -> Result<Self, LockError> {
        match Self::text(data_dir)? {
            None => Ok(Self::default()),
            Some(text) => Self::parse(&text).map_err(|reason| LockError::Invalid {
                path: Self::path(data_dir),
                reason,
            }),
        }
    }

    /// What a text says; `Err` is what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lock: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        if !(1..=FORMAT).contains(&lock.version) {
            return Err(format!(
                "it has version {}, this program writes version {FORMAT}",
                lock.version
            ));
        }
        let mut slots = HashSet::new();
        for entry in &lock.plugins {
            if !slots.insert(&entry.slot) {
                return Err(format!("the slot `{}` is there twice", entry.slot));
            }
            let checked = entry.limits.check();
            checked.map_err(|error| format!("the slot `{}`: {error}", entry.slot))?;
        }
        lock.version = FORMAT;
        Ok(lock)
    }

    /// The text that says this.
    pub fn to_text(&self) -> Result<String, String> {
        let body = toml::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!(
            "# Which plugin fills which slot, and what it may do. `galley plugins --help` changes it.\n{body}"
        ))
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, data_dir: &Path) -> Result<(), LockError> {
        let path = Self::path(data_dir);
        let text = self.to_text().map_err(|reason| LockError::Invalid {
            path: path.clone(),
            reason,
        })?;
        fs::create_dir_all(data_dir)
            .and_then(|()| durable::write_file(&path, text.as_bytes()))
            .map_err(|source| LockError::Io { path, source })
    }

    /// Puts an entry in the place of the slot's, or takes that out.
    pub fn put(&mut self, slot: &str, entry: Option<Entry>) {
        self.plugins.retain(|other| other.slot != slot);
        self.plugins.extend(entry);
        self.plugins.sort_by(|a, b| a.slot.cmp(&b.slot));
    }

    /// The artifacts that the slots and their histories name.
    pub fn artifacts(&self) -> HashSet<&str> {
        self.plugins.iter().flat_map(Entry::artifacts).collect()
    }

    /// The entry of a slot.
    pub fn entry(&mut self, slot: &str) -> Option<&mut Entry> {
        self.plugins.iter_mut().find(|entry| entry.slot == slot)
    }

    /// Applies the build's approvals: new slots are added and enabled, bundled ones get the build's new files. Plugins that the
    /// operator chose stay. Answers whether anything changed.
    pub fn follow(&mut self, bundle: &Bundle) -> bool {
        let before = self.clone();
        for built in &bundle.plugins {
            match self.entry(&built.manifest.slot) {
                Some(entry) if entry.bundled => built.refresh(entry),
                Some(_) => {}
                None => self.plugins.push(built.entry(true)),
            }
        }
        self.plugins.sort_by(|a, b| a.slot.cmp(&b.slot));
        *self != before
    }
}

/// The plugins that came with the program.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Bundle {
    /// One for each slot.
    pub plugins: Vec<Built>,
}

/// One artifact as it was built.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Built {
    /// Its file in the plugins folder.
    pub file: String,
    /// Hex SHA-256 of the file.
    pub sha256: String,
    /// Interfaces it imports, without their versions.
    pub imports: Vec<String>,
    /// Its manifest.
    pub manifest: Manifest,
}

impl Built {
    /// An approval of this artifact with everything it asks for.
    pub fn entry(&self, bundled: bool) -> Entry {
        Entry {
            id: self.manifest.id.clone(),
            file: Some(self.file.clone()),
            version: self.manifest.version.clone(),
            sha256: self.sha256.clone(),
            bundled,
            imports: self.imports.iter().filter(|import| *import != WASI).cloned().collect(),
            hosts: self.manifest.hosts.iter().map(HostRule::approval).collect(),
            ..Entry::empty(&self.manifest.slot)
        }
    }

    /// Points an approval at this artifact; the operator's choices stay.
    pub fn refresh(&self, entry: &mut Entry) {
        *entry = Entry {
            enabled: entry.enabled,
            isolation: entry.isolation,
            limits: entry.limits,
            settings: std::mem::take(&mut entry.settings),
            secrets: std::mem::take(&mut entry.secrets),
            before: std::mem::take(&mut entry.before),
            ..self.entry(entry.bundled)
        };
    }
}

impl Bundle {
    /// Where the file is.
    pub fn path(plugins_dir: &Path) -> PathBuf {
        plugins_dir.join("bundled.json")
    }

    /// Reads the file; an absent one is empty.
    pub fn read(plugins_dir: &Path) -> Result<Self, LockError> {
        let path = Self::path(plugins_dir);
        match fs::read(&path) {
            Ok(json) => serde_json::from_slice(&json).map_err(|error| LockError::Invalid {
                path,
                reason: error.to_string(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(LockError::Io { path, source }),
        }
    }

    /// Writes the file, whole or not at all, only when it changes. Everybody may read it: a program is often installed by
    /// one user and run by another.
    pub fn write(&self, plugins_dir: &Path) -> Result<(), LockError> {
        let path = Self::path(plugins_dir);
        let json = serde_json::to_vec_pretty(self).map_err(|error| LockError::Invalid {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let is_current = fs::read(&path).is_ok_and(|old| old == json)
            && fs::metadata(&path).is_ok_and(|file| file.permissions().mode() & 0o777 == READABLE);
        if is_current {
            return Ok(());
        }
        durable::write_file_with_mode(&path, &json, READABLE).map_err(|source| LockError::Io { path, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(sha256: &str) -> Built {
        let manifest = crate::plugins::manifest::parse(br#"{"slot":"hello","version":"1"}"#).unwrap();
        let imports = vec!["galley:sql/sql".to_owned()];
        Built {
            file: "hello.wasm".into(),
            sha256: sha256.into(),
            imports,
            manifest,
        }
    }

    #[test]
    fn bundled_plugins_follow_the_build_and_keep_the_operators_choices() {
        let folder = tempfile::tempdir().unwrap();
        let mut lock = Lock::read(folder.path()).unwrap();
        assert!(lock.follow(&Bundle {
            plugins: vec![built("a")]
        }));
        let entry = lock.entry("hello").unwrap();
        entry.enabled = false;
        entry.limits.deadline_ms = 7;
        lock.write(folder.path()).unwrap();

        let mut lock = Lock::read(folder.path()).unwrap();
        assert!(!lock.follow(&Bundle {
            plugins: vec![built("a")]
        }));
        assert!(lock.follow(&Bundle {
            plugins: vec![built("b")]
        }));
        let entry = lock.entry("hello").unwrap();
        assert_eq!(
            (entry.sha256.as_str(), entry.enabled, entry.limits.deadline_ms),
            ("b", false, 7)
        );
    }

    #[test]
    fn what_the_operator_put_in_a_slot_stays() {
        let mut lock = Lock {
            plugins: vec![built("own").entry(false)],
            ..Lock::default()
        };
        assert!(!lock.follow(&Bundle {
            plugins: vec![built("build")]
        }));
        assert_eq!(lock.entry("hello").unwrap().sha256, "own");
    }

    #[test]
    fn a_broken_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(Lock::path(folder.path()), "version = 1\nplugin = 3").unwrap();
        let error = Lock::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("plugins.lock"), "{error}");
    }

    #[test]
    fn a_slot_that_is_there_twice_is_named() {
        let mut lock = Lock {
            plugins: vec![built("a").entry(false)],
            ..Lock::default()
        };
        assert_eq!(Lock::parse(&lock.to_text().unwrap()), Ok(lock.clone()));
        lock.plugins.push(built("b").entry(false));
        let error = Lock::parse(&lock.to_text().unwrap()).unwrap_err();
        assert_eq!(error, "the slot `hello` is there twice");
    }
}
