//! A key-value store with one file for each key: `<owner>/<key>`.

use std::fs;
use std::io;
use std::path::Path;

use super::objects::{Files, Objects};

/// The largest blob, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// All blobs of the server.
pub struct BlobStore {
    files: Files,
}

/// Whether a text can be a key.
pub fn is_key(key: &str) -> bool {
    (1..=200).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_./".contains(&b))
        && key
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

impl BlobStore {
    /// Uses (and creates) `<data folder>/blobs`, and deletes what a crash left half written.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        Self::open_with(&Objects::in_folders(data_dir))
    }

    /// The same with the blobs where `objects` says.
    pub fn open_with(objects: &Objects) -> io::Result<Self> {
        let files = objects.files("blobs")?;
        sweep(files.folder())?;
        Ok(Self { files })
    }

    /// Stores or replaces, durably.
    pub fn put(&self, owner: &str, key: &str, data: &[u8]) -> io::Result<()> {
        self.files.replace(&name(owner, key), data)
    }

    /// At most `len` bytes from `offset`; `None` when there is no such key.
    pub fn get(&self, owner: &str, key: &str, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        match self.files.open_latest(&name(owner, key)) {
            Ok(blob) => blob.read(offset, len).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes; a missing key is fine.
    pub fn delete(&self, owner: &str, key: &str) -> io::Result<()> {
        self.files.remove(&name(owner, key))
    }

    /// Deletes all blobs of an owner.
    pub fn remove_all(&self, owner: &str) -> io::Result<()> {
        self.files.remove_below(owner)
    }
}

/// Owner and key are checked names: slots, and [`is_key`]. The ending keeps a key from being another one's folder.
fn name(owner: &str, key: &str) -> String {
    format!("{owner}/{key}.blob")
}

/// Deletes the files that are no blobs.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            sweep(&path)?;
        } else if path.extension().is_none_or(|ending| ending != "blob") {
            super::durable::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobStore::open(folder.path()).unwrap();
        blobs.put("hello", "a/b", b"first").unwrap();
        blobs.put("hello", "a", b"x").unwrap();
        blobs.put("hello", "a/b", b"second").unwrap();
        assert_eq!(blobs.get("hello", "a/b", 3, 100).unwrap().as_deref(), Some(&b"ond"[..]));
        assert_eq!(blobs.get("hello", "a/b", 30, 100).unwrap().as_deref(), Some(&b""[..]));
        assert_eq!(blobs.get("other", "a/b", 0, 1).unwrap(), None);
        blobs.delete("hello", "a/b").unwrap();
        blobs.delete("hello", "a/b").unwrap();
        assert_eq!(blobs.get("hello", "a/b", 0, 1).unwrap(), None);
    }

    #[test]
    fn what_a_crash_left_half_written_is_gone_after_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobStore::open(folder.path()).unwrap();
        blobs.put("hello", "a/.tmp1", b"whole").unwrap();
        let half = folder.path().join("blobs/hello/a/.tmp2");
        fs::write(&half, b"ha").unwrap();
        let blobs = BlobStore::open(folder.path()).unwrap();
        assert!(!half.exists());
        assert_eq!(
            blobs.get("hello", "a/.tmp1", 0, 9).unwrap().as_deref(),
            Some(&b"whole"[..])
        );
    }

    #[test]
    fn keys_cannot_leave_the_folder() {
        assert!(is_key("a/b.c"));
        for key in ["", "/a", "a/", "a//b", "../a", "a/../b", "a b", "."] {
            assert!(!is_key(key), "{key}");
        }
    }
}
