//! The logs of a server alone. Each is a file `<owner>/<id>.log` and, once it has ended, `<owner>/<id>.status`. With an object
//! store the text of a log that ended is moved there; its status stays.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::LogError;
use super::text::{MAX_BYTES, whole};
use crate::storage::durable;
use crate::storage::objects::{Files, Objects};

/// The name of one of a log's files.
fn name(owner: &str, id: &str, ending: &str) -> String {
    format!("{owner}/{id}.{ending}")
}

/// All logs of a server. Clones are the same store.
#[derive(Clone)]
pub struct LogStore {
    files: Files,
}

impl LogStore {
    /// Uses (and creates) `<data folder>/logs`.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        Self::open_with(&Objects::in_folders(data_dir))
    }

    /// The same with the logs that ended where `objects` says.
    pub fn open_with(objects: &Objects) -> io::Result<Self> {
        let files = objects.files("logs")?;
        Ok(Self { files })
    }

    /// Makes the log exist.
    pub fn create(&self, owner: &str, id: &str) -> io::Result<()> {
        if self.has_ended(owner, id) {
            return Ok(());
        }
        fs::create_dir_all(self.files.folder().join(owner))?;
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.file(owner, id, "log"))
            .map(|_| ())
    }

    /// Whether the log exists.
    pub fn exists(&self, owner: &str, id: &str) -> bool {
        self.file(owner, id, "log").exists() || self.has_ended(owner, id)
    }

    /// [`read`](Self::read) for asynchronous code: it does not block where the log is in the object store.
    pub async fn read_from_anywhere(&self, owner: &str, id: &str, offset: u64, len: usize) -> io::Result<String> {
        if !self.files.is_remote() || self.file(owner, id, "log").exists() {
            return self.read(owner, id, offset, len);
        }
        let (logs, owner, id) = (self.clone(), owner.to_owned(), id.to_owned());
        let read = tokio::task::spawn_blocking(move || logs.read(&owner, &id, offset, len)).await;
        read.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    fn has_ended(&self, owner: &str, id: &str) -> bool {
        self.file(owner, id, "status").exists()
    }

    /// Adds text at the end.
    pub fn append(&self, owner: &str, id: &str, text: &str) -> Result<(), LogError> {
        if self.has_ended(owner, id) {
            return Err(LogError::Closed);
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.file(owner, id, "log"))?;
        if file.metadata()?.len() + text.len() as u64 > MAX_BYTES {
            return Err(LogError::TooLarge);
        }
        Ok(file.write_all(text.as_bytes())?)
    }

    /// At most `len` bytes from `offset`, cut back to whole characters; empty at the end and for a missing log.
    pub fn read(&self, owner: &str, id: &str, offset: u64, len: usize) -> io::Result<String> {
        match self.files.open(&name(owner, id, "log")) {
            Ok(log) => Ok(whole(log.read(offset, len)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(error),
        }
    }

    /// The final status, `None` while the log goes on.
    pub fn status(&self, owner: &str, id: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.file(owner, id, "status")) {
            Ok(status) => Ok(Some(status)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Ends the log, durably. A second end changes nothing.
    pub fn close(&self, owner: &str, id: &str, status: &str) -> io::Result<()> {
        if self.status(owner, id)?.is_some() {
            return Ok(());
        }
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.file(owner, id, "log"))?
            .sync_data()?;
        durable::write_file(&self.file(owner, id, "status"), status.as_bytes())?;
        self.files.move_later(&name(owner, id, "log"));
        Ok(())
    }

    /// Deletes the log; a missing one is fine.
    pub fn remove(&self, owner: &str, id: &str) -> io::Result<()> {
        self.files.remove(&name(owner, id, "log"))?;
        durable::remove_file(&self.file(owner, id, "status"))
    }

    /// Deletes all logs of an owner.
    pub fn remove_all(&self, owner: &str) -> io::Result<()> {
        self.files.remove_below(owner)
    }

    /// Owner and id are checked names: slots, and [`is_id`].
    fn file(&self, owner: &str, id: &str, ending: &str) -> PathBuf {
        self.files.folder().join(name(owner, id, ending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_grows_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let logs = LogStore::open(folder.path()).unwrap();
        logs.create("hello", "a1").unwrap();
        logs.append("hello", "a1", "één\n").unwrap();
        assert_eq!(logs.read("hello", "a1", 0, 1).unwrap(), "");
        assert_eq!(logs.read("hello", "a1", 0, 2).unwrap(), "é");
        assert_eq!(logs.read("hello", "a1", 2, 100).unwrap(), "én\n");
        logs.close("hello", "a1", "ready").unwrap();
        logs.close("hello", "a1", "failed").unwrap();
        assert_eq!(logs.status("hello", "a1").unwrap().as_deref(), Some("ready"));
        assert!(matches!(logs.append("hello", "a1", "x"), Err(LogError::Closed)));
        logs.remove("hello", "a1").unwrap();
        logs.remove("hello", "a1").unwrap();
        assert!(!logs.exists("hello", "a1"));
    }
}
