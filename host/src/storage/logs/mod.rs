//! Append-only logs, which can be read and followed while they grow. A server alone has them in files ([`LogStore`]). Servers that
//! share a database have them there while they grow, so that each of them can read and follow each log; the text of one that ended
//! is in the object store.

mod error;
mod files;
pub mod rows;
mod shared;
mod text;

use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use error::LogError;
pub use files::LogStore;
pub use rows::Appended;
pub use text::{MAX_BYTES, Piece};

use super::blocking::blocking;
use super::engine::Database;
use super::objects::Objects;
use shared::SharedLogs;

/// How often a follower looks whether another server has written to a log.
const LOOK: Duration = Duration::from_millis(500);

/// The logs of a server. Clones are the same.
#[derive(Clone)]
pub struct Logs {
    place: Place,
}

#[derive(Clone)]
enum Place {
    Files(LogStore),
    Shared(Arc<SharedLogs>),
}

impl Logs {
    /// Those of a server alone.
    pub fn alone(files: LogStore) -> Self {
        let place = Place::Files(files);
        Self { place }
    }

    /// Those of servers that share a database and an object store.
    pub fn shared(objects: &Objects, database: Arc<Database>) -> io::Result<Self> {
        let place = Place::Shared(Arc::new(SharedLogs::open(objects, database)?));
        Ok(Self { place })
    }

    /// The files of a server alone, which are written without waiting.
    pub fn files(&self) -> Option<&LogStore> {
        match &self.place {
            Place::Files(files) => Some(files),
            Place::Shared(_) => None,
        }
    }

    /// How often a follower has to look by itself, where others write logs, too.
    pub fn look(&self) -> Option<Duration> {
        match &self.place {
            Place::Files(_) => None,
            Place::Shared(_) => Some(LOOK),
        }
    }

    /// Makes the log exist.
    pub async fn create(&self, owner: &str, id: &str) -> Result<(), LogError> {
        match &self.place {
            Place::Files(files) => Ok(files.create(owner, id)?),
            Place::Shared(logs) => logs.create(owner, id).await,
        }
    }

    /// Whether the log exists.
    pub async fn exists(&self, owner: &str, id: &str) -> Result<bool, LogError> {
        match &self.place {
            Place::Files(files) => Ok(files.exists(owner, id)),
            Place::Shared(logs) => Ok(logs.find(owner, id).await?.is_some()),
        }
    }

    /// Adds text at the end.
    pub async fn append(&self, owner: &str, id: &str, text: &str) -> Result<(), LogError> {
        match &self.place {
            Place::Files(files) => files.append(owner, id, text),
            Place::Shared(logs) => logs.append(owner, id, text).await,
        }
    }

    /// At most `len` bytes from `offset`, cut back to whole characters; empty at the end and for a missing log.
    pub async fn read(&self, owner: &str, id: &str, offset: u64, len: usize) -> Result<String, LogError> {
        match &self.place {
            Place::Files(files) => Ok(files.read_from_anywhere(owner, id, offset, len).await?),
            Place::Shared(logs) => Ok(logs.piece(owner, id, offset, len).await?.text),
        }
    }

    /// The same with the status, for who follows the log.
    pub async fn piece(&self, owner: &str, id: &str, offset: u64, len: usize) -> Result<Piece, LogError> {
        match &self.place {
            Place::Files(files) => {
                // The status before the text: a log that ends in between is read to its end with the next piece.
                let status = files.status(owner, id)?;
                let text = files.read_from_anywhere(owner, id, offset, len).await?;
                Ok(Piece { text, status })
            }
            Place::Shared(logs) => logs.piece(owner, id, offset, len).await,
        }
    }

    /// Ends the log, durably. A second end changes nothing.
    pub async fn close(&self, owner: &str, id: &str, status: &str) -> Result<(), LogError> {
        match &self.place {
            Place::Files(files) => {
                let (files, status) = (files.clone(), status.to_owned());
                let (owner, id) = (owner.to_owned(), id.to_owned());
                Ok(blocking(move || files.close(&owner, &id, &status)).await?)
            }
            Place::Shared(logs) => logs.close(owner, id, status).await,
        }
    }

    /// Deletes the log; a missing one is fine.
    pub async fn remove(&self, owner: &str, id: &str) -> Result<(), LogError> {
        match &self.place {
            Place::Files(files) => {
                let (files, owner, id) = (files.clone(), owner.to_owned(), id.to_owned());
                Ok(blocking(move || files.remove(&owner, &id)).await?)
            }
            Place::Shared(logs) => logs.remove(owner, id).await,
        }
    }

    /// Deletes all logs of an owner.
    pub async fn remove_all(&self, owner: &str) -> Result<(), LogError> {
        match &self.place {
            Place::Files(files) => {
                let (files, owner) = (files.clone(), owner.to_owned());
                Ok(blocking(move || files.remove_all(&owner)).await?)
            }
            Place::Shared(logs) => logs.remove_all(owner).await,
        }
    }

    /// Moves the texts of logs that ended to the object store, as far as a server that was killed has not. A server alone does
    /// that by itself.
    pub async fn move_ended(&self) -> Result<(), LogError> {
        match &self.place {
            Place::Files(_) => Ok(()),
            Place::Shared(logs) => logs.move_ended().await,
        }
    }

    /// Deletes the objects of no log that were stored before a time, in milliseconds since 1970. Answers how many. A server alone has
    /// none.
    pub async fn sweep(&self, before: i64) -> Result<usize, LogError> {
        match &self.place {
            Place::Files(_) => Ok(0),
            Place::Shared(logs) => logs.sweep(before).await,
        }
    }
}
