//! A backup whose files are those of its list.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::BackupError;
use super::list::{List, Summary, describe, inside, read_list};

/// A backup. Each of its files is one that a backup can hold, and has the content that it had when the backup was made.
pub struct Checked {
    folder: PathBuf,
    list: List,
    id: String,
}

/// One that is still to be checked.
pub struct Unchecked(Checked);

impl Checked {
    /// Reads the list of a backup.
    pub fn list_of(backup: &Path) -> Result<Unchecked, BackupError> {
        let (list, bytes) = read_list(backup)?;
        Ok(Unchecked(Self {
            folder: backup.to_owned(),
            list,
            id: data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes)),
        }))
    }

    /// What no other backup is called.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The names of its files, relative to its folder.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.files.keys().map(String::as_str)
    }

    /// Whether it has a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.list.files.contains_key(name)
    }

    /// Where a file is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// All there is in it.
    pub fn summary(&self) -> Summary {
        self.list.summary()
    }
}

impl Unchecked {
    /// Looks at each file. `progress` is told how many were looked at.
    pub fn check(self, mut progress: impl FnMut(usize)) -> Result<Checked, BackupError> {
        let backup = self.0;
        for (done, (name, entry)) in backup.list.files.iter().enumerate() {
            let path = inside(&backup.folder, name)?;
            let found = describe(&path).map_err(|error| BackupError::Damaged(path.clone(), error.to_string()))?;
            if found != *entry {
                return Err(BackupError::Damaged(
                    path,
                    "its content differs from the backup's list".to_owned(),
                ));
            }
            progress(done + 1);
        }
        Ok(backup)
    }
}
