//! `backup.json`: the files of a backup, and which names they can have.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::BackupError;
use crate::storage::data_folder;
use crate::storage::durable;
use crate::storage::id::{now_ms, rfc3339};
use crate::storage::objects;

/// The core's database. Every data folder and every backup has it.
pub const CORE: &str = "core.db";
/// The list of a backup's files.
pub const LIST: &str = "backup.json";
/// Parts that can be made again, belong to the running process, or are uploads in progress.
const LEFT_OUT: [&str; 9] = [
    "staging",
    "plugins",
    "builds",
    data_folder::LOCK,
    data_folder::RESTORING,
    "control.sock",
    objects::CACHE,
    objects::MARKER,
    LIST,
];
/// Endings of the files that SQLite keeps beside an open database. Beside another database SQLite would apply them to it.
const BESIDE_DATABASES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// The version of the list's format.
const FORMAT: u32 = 1;

/// What was copied.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Number of files, databases included.
    pub files: usize,
    /// Bytes of all together.
    pub bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    format: u32,
    created_at: String,
    /// The version of the program that made it.
    version: String,
    pub files: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Entry {
    size: u64,
    sha256: String,
}

impl List {
    /// Of these files.
    pub fn of(files: BTreeMap<String, Entry>) -> Self {
        Self {
            format: FORMAT,
            created_at: rfc3339(now_ms()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files,
        }
    }

    /// Puts it into the folder: the backup is complete then.
    pub fn write(&self, target: &Path) -> Result<(), BackupError> {
        let json = serde_json::to_vec_pretty(self).unwrap_or_default();
        let path = target.join(LIST);
        durable::write_file(&path, &json).map_err(|error| BackupError::File(path, error))
    }

    pub fn summary(&self) -> Summary {
        Summary {
            files: self.files.len(),
            bytes: self.files.values().map(|entry| entry.size).sum(),
        }
    }
}

/// The list of a backup, and its bytes.
pub fn read_list(backup: &Path) -> Result<(List, Vec<u8>), BackupError> {
    let path = backup.join(LIST);
    let bytes = fs::read(&path).map_err(|_| {
        BackupError::NoData(
            backup.to_owned(),
            "it has no backup.json, so it is no backup or not a complete one",
        )
    })?;
    let list: List =
        serde_json::from_slice(&bytes).map_err(|error| BackupError::Damaged(path.clone(), error.to_string()))?;
    if list.format != FORMAT || !list.files.contains_key(CORE) {
        return Err(BackupError::Damaged(
            path,
            "it was made by another version of the program".to_owned(),
        ));
    }
    Ok((list, bytes))
}

/// The path of a listed file, when a backup could have written it.
pub fn inside(folder: &Path, name: &str) -> Result<PathBuf, BackupError> {
    if is_plain(name) && belongs(name) {
        return Ok(folder.join(name));
    }
    Err(BackupError::Foreign(folder.join(LIST), name.to_owned()))
}

/// Whether a name is a relative path without `.` and `..` parts, spelled as a backup spells it.
pub fn is_plain(name: &str) -> bool {
    let parts = Path::new(name).components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let parts: Option<Vec<&str>> = parts.collect();
    !name.contains('\0') && parts.is_some_and(|parts| !parts.is_empty() && parts.join("/") == name)
}

/// Whether a backup contains files of this name, relative to the data folder. Checked when copying and when restoring.
pub fn belongs(name: &str) -> bool {
    let top = name.split('/').next().unwrap_or_default();
    !LEFT_OUT.iter().any(|left_out| left_out.eq_ignore_ascii_case(top))
        && !BESIDE_DATABASES.iter().any(|ending| name.ends_with(ending))
}

/// Size and hash of a file.
pub fn describe(path: &Path) -> io::Result<Entry> {
    // A link in a backup would copy what it leads to.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut digest = Sha256::new();
    let size = io::copy(&mut File::open(path)?, &mut Hashing(&mut digest))?;
    let sha256 = data_encoding::HEXLOWER.encode(&digest.finalize());
    Ok(Entry { size, sha256 })
}

struct Hashing<'d>(&'d mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
