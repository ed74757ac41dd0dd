//! Logs that several servers write, read and follow: rows while they grow, objects when they have ended.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use super::error::LogError;
use super::rows::{self, Appended, Kept};
use super::text::{Piece, whole};
use crate::storage::blocking::blocking;
use crate::storage::engine::{Database, Rows};
use crate::storage::id::new_id;
use crate::storage::objects::{Files, Objects};
use crate::storage::sqlite::StorageError;

/// The most logs that are moved in one go.
const MAX_MOVED: u32 = 100;

/// The logs of servers that share a database.
pub(super) struct SharedLogs {
    database: Arc<Database>,
    files: Files,
}

/// What a look at a log's rows found.
enum Found {
    Missing,
    /// These bytes are the text, or a piece of it.
    Text(Vec<u8>, Option<String>),
    /// The text is in this object.
    Object(String, Option<String>),
}

impl SharedLogs {
    pub fn open(objects: &Objects, database: Arc<Database>) -> io::Result<Self> {
        let files = objects.files("logs")?;
        Ok(Self { database, files })
    }

    pub async fn create(&self, slot: &str, id: &str) -> Result<(), LogError> {
        // Most that are opened are there: a read is in nobody's way.
        if self.find(slot, id).await?.is_some() {
            return Ok(());
        }
        self.write(slot, id, rows::create).await
    }

    pub async fn find(&self, slot: &str, id: &str) -> Result<Option<Kept>, LogError> {
        let log = [slot.to_owned(), id.to_owned()];
        let read = move |rows: &mut Rows<'_>| Ok(rows::find(rows, &log[0], &log[1])?);
        self.database.read(read).await
    }

    pub async fn append(&self, slot: &str, id: &str, text: &str) -> Result<(), LogError> {
        let text = text.to_owned();
        let appended = self.write(slot, id, move |rows, slot, id| rows::append(rows, slot, id, &text));
        match appended.await? {
            Appended::To(_) => Ok(()),
            Appended::Closed => Err(LogError::Closed),
            Appended::TooLarge => Err(LogError::TooLarge),
        }
    }

    pub async fn piece(&self, slot: &str, id: &str, offset: u64, len: usize) -> Result<Piece, LogError> {
        let log = [slot.to_owned(), id.to_owned()];
        let look = move |rows: &mut Rows<'_>| {
            let Some(kept) = rows::find(rows, &log[0], &log[1])? else {
                return Ok(Found::Missing);
            };
            Ok::<_, LogError>(match kept.object {
                Some(object) => Found::Object(object, kept.status),
                None => Found::Text(rows::read(rows, &log[0], &log[1], offset, len)?, kept.status),
            })
        };
        let (bytes, status) = match self.database.read(look).await? {
            Found::Missing => (Vec::new(), None),
            Found::Text(bytes, status) => (bytes, status),
            Found::Object(object, status) => {
                let files = self.files.clone();
                let read = blocking(move || files.open(&object)?.read(offset, len));
                (read.await?, status)
            }
        };
        let text = whole(bytes);
        Ok(Piece { text, status })
    }

    pub async fn close(self: &Arc<Self>, slot: &str, id: &str, status: &str) -> Result<(), LogError> {
        let status = status.to_owned();
        self.write(slot, id, move |rows, slot, id| rows::close(rows, slot, id, &status))
            .await?;
        // It can be read meanwhile; what fails is done later.
        let (logs, slot, id) = (self.clone(), slot.to_owned(), id.to_owned());
        tokio::spawn(async move {
            if let Err(error) = logs.move_one(&slot, &id).await {
                tracing::warn!(slot, "the log {id} stays in the database for now: {error}");
            }
        });
        Ok(())
    }

    pub async fn remove(&self, slot: &str, id: &str) -> Result<(), LogError> {
        let removed = self.write(slot, id, rows::remove).await?;
        if let Some(object) = removed {
            let files = self.files.clone();
            blocking(move || files.remove(&object)).await?;
        }
        Ok(())
    }

    pub async fn remove_all(&self, slot: &str) -> Result<(), LogError> {
        self.write(slot, "", |rows, slot, _| rows::remove_all(rows, slot))
            .await?;
        let (files, slot) = (self.files.clone(), slot.to_owned());
        Ok(blocking(move || files.remove_below(&slot)).await?)
    }

    /// Moves the text of each log that ended.
    pub async fn move_ended(&self) -> Result<(), LogError> {
        loop {
            let find = |rows: &mut Rows<'_>| Ok::<_, LogError>(rows::to_move(rows, MAX_MOVED)?);
            let ended = self.database.read(find).await?;
            if ended.is_empty() {
                return Ok(());
            }
            for (slot, id) in ended {
                self.move_one(&slot, &id).await?;
            }
        }
    }

    /// Deletes the objects of no log that were stored before a time.
    pub async fn sweep(&self, before: i64) -> Result<usize, LogError> {
        // The objects first: the row of one that was stored long before is there when the rows are read.
        let files = self.files.clone();
        let stored = blocking(move || files.in_bucket("")).await?.unwrap_or_default();
        let find = |rows: &mut Rows<'_>| Ok::<_, LogError>(rows::objects(rows)?);
        let known: HashSet<String> = self.database.read(find).await?.into_iter().collect();
        let nobodys = stored
            .into_iter()
            .filter(|(name, at)| *at < before && !known.contains(name));
        let nobodys: Vec<String> = nobodys.map(|(name, _)| name).collect();
        let (files, count) = (self.files.clone(), nobodys.len());
        blocking(move || nobodys.iter().try_for_each(|name| files.remove(name))).await?;
        Ok(count)
    }

    /// Moves the text of one that ended, unless it was moved.
    async fn move_one(&self, slot: &str, id: &str) -> Result<(), LogError> {
        let log = [slot.to_owned(), id.to_owned()];
        let read = move |rows: &mut Rows<'_>| {
            let kept = rows::find(rows, &log[0], &log[1])?;
            match kept.filter(|log| log.status.is_some() && log.object.is_none()) {
                Some(kept) => Ok::<_, LogError>(Some(rows::read(rows, &log[0], &log[1], 0, kept.bytes as usize)?)),
                None => Ok(None),
            }
        };
        let Some(text) = self.database.read(read).await? else {
            return Ok(());
        };
        // A name of its own: a log that is made again after it was removed is another object, and no copy is taken for it.
        let object = format!("{slot}/{id}.{}.log", new_id());
        let (files, name) = (self.files.clone(), object.clone());
        blocking(move || files.replace(&name, &text)).await?;
        let name = object.clone();
        let moved = self.write(slot, id, move |rows, slot, id| rows::moved(rows, slot, id, &name));
        if !moved.await? {
            let files = self.files.clone();
            blocking(move || files.remove(&object)).await?;
        }
        Ok(())
    }

    async fn write<T: Send + 'static>(
        &self,
        slot: &str,
        id: &str,
        step: impl Fn(&mut Rows<'_>, &str, &str) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, LogError> {
        let (slot, id) = (slot.to_owned(), id.to_owned());
        let write = move |rows: &mut Rows<'_>| Ok(step(rows, &slot, &id)?);
        self.database.write(write).await
    }
}
