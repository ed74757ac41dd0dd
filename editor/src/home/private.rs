//! A file of JSON for its owner's eyes alone. It is read each time it is needed, because another Editor may have changed it.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::workspace::write_private;

/// A file of more bytes than this is not ours.
const MAX_BYTES: u64 = 1 << 20;

/// Why a file cannot be used. Nothing is written over it then.
#[derive(Debug, thiserror::Error)]
pub enum PrivateError {
    /// It is no JSON, or not of this form.
    #[error("{0} cannot be read: correct it, or delete it and enter again what it held")]
    Malformed(PathBuf),
    /// Others than its owner can read it.
    #[error("{0} can be read by others, so it is not used: make it yours alone with `chmod 600`")]
    Open(PathBuf),
    /// It belongs to another user, or is no file.
    #[error("{0} is no file of yours, so it is not used")]
    Foreign(PathBuf),
    /// The operating system refuses.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

/// Reads a file; empty when there is none.
///
/// # Errors
/// When the file is broken, or not for its owner alone.
pub fn load<T: Default + Serialize + DeserializeOwned>(path: &Path) -> Result<T, PrivateError> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(failed(path, error)),
    };
    if !found.is_file() || found.uid() != rustix::process::geteuid().as_raw() {
        return Err(PrivateError::Foreign(path.to_owned()));
    }
    if found.mode() & 0o077 != 0 {
        return Err(PrivateError::Open(path.to_owned()));
    }
    let malformed = || PrivateError::Malformed(path.to_owned());
    if found.len() > MAX_BYTES {
        return Err(malformed());
    }
    let content = fs::read(path).map_err(|error| failed(path, error))?;
    let value: serde_json::Value = serde_json::from_slice(&content).map_err(|_| malformed())?;
    // A list would be read as the fields of an object in their order.
    let empty = serde_json::to_value(T::default()).map_err(|_| malformed())?;
    if value.is_object() != empty.is_object() {
        return Err(malformed());
    }
    serde_json::from_value(value).map_err(|_| malformed())
}

/// Changes a file. What another Editor changed meanwhile stays.
///
/// # Errors
/// As [`load`]; nothing is written then.
pub fn change<T>(path: &Path, change: impl FnOnce(&mut T)) -> Result<T, PrivateError>
where
    T: Default + Clone + PartialEq + Serialize + DeserializeOwned,
{
    if let Some(folder) = path.parent() {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.map_err(|error| failed(path, error))?;
    }
    let lock = fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path.with_extension("lock"))
        .map_err(|error| failed(path, error))?;
    // Some network file systems know no locks: then the last one who writes wins.
    let _ = lock.lock();
    let mut content: T = load(path)?;
    let before = content.clone();
    change(&mut content);
    if content != before {
        let bytes = serde_json::to_vec_pretty(&content).map_err(|error| failed(path, error.into()))?;
        write_private(path, &bytes).map_err(|error| failed(path, error))?;
    }
    Ok(content)
}

fn failed(path: &Path, error: io::Error) -> PrivateError {
    PrivateError::Io {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    type Map = BTreeMap<String, u32>;

    fn put(path: &Path, name: &str) {
        change(path, |map: &mut Map| {
            map.insert(name.to_owned(), 1);
        })
        .unwrap();
    }

    #[test]
    fn a_file_is_for_its_owner_alone_and_changes_join() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config/tool/some.json");
        assert_eq!(load::<Map>(&path).unwrap(), Map::new());
        put(&path, "a");
        put(&path, "b");
        assert_eq!(load::<Map>(&path).unwrap().len(), 2);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(path.parent().unwrap()), mode(&path)), (0o700, 0o600));
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.json");
        std::thread::scope(|scope| {
            for name in 0..8 {
                let path = &path;
                scope.spawn(move || put(path, &name.to_string()));
            }
        });
        assert_eq!(load::<Map>(&path).unwrap().len(), 8);
    }

    #[test]
    fn what_is_broken_open_or_no_file_is_neither_used_nor_overwritten() {
        for (content, mode) in [("{", 0o600), ("[]", 0o600), ("{}", 0o644), ("{}", 0o620)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("some.json");
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(load::<Map>(&path).is_err(), "{content} {mode:o}");
            assert!(change(&path, |map: &mut Map| map.clear()).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        let folder = tempfile::tempdir().unwrap();
        let error = load::<BTreeSet<String>>(folder.path()).unwrap_err();
        assert!(matches!(error, PrivateError::Foreign(_)), "{error}");
    }
}
