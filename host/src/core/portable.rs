//! What a cluster keeps in the core and a server alone in files: approvals and logs. Copies of a cluster's core are made like those
//! of a server alone, and the other way round.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::CoreError;
use crate::storage::sqlite::StorageError;

/// The longest piece of a log that is one row, in bytes.
const MAX_CHUNK: usize = 64 << 10;

/// A log of a core's copy.
pub struct KeptLog {
    /// The slot.
    pub slot: String,
    /// Its id.
    pub id: String,
    /// Its final status, `None` while it went on.
    pub status: Option<String>,
    /// Its text.
    pub text: LogText,
}

/// Where a log's text is.
pub enum LogText {
    /// In the object of this name, among the logs.
    Object(String),
    /// Here.
    Bytes(Vec<u8>),
}

/// The core's file of a backup.
pub struct Portable(Connection);

impl Portable {
    /// Opens it. Nobody else uses it.
    pub fn open(core: &Path) -> Result<Self, CoreError> {
        let file = Connection::open(core).map_err(StorageError::from)?;
        file.pragma_update(None, "trusted_schema", false)
            .map_err(StorageError::from)?;
        Ok(Self(file))
    }

    /// Takes the approvals out: the text of a `plugins.lock`.
    pub fn take_approvals(&self) -> Result<Option<String>, CoreError> {
        if !self.has("approvals")? {
            return Ok(None);
        }
        let take = || {
            let text = self
                .0
                .query_row("SELECT document FROM approvals", [], |row| row.get(0))
                .optional()?;
            self.0.execute("DELETE FROM approvals", [])?;
            Ok::<_, StorageError>(text)
        };
        Ok(take()?)
    }

    /// Puts them in.
    pub fn put_approvals(&self, text: &str) -> Result<(), CoreError> {
        let sql = "INSERT INTO approvals (\"only\", number, document) VALUES (1, 1, ?1)";
        self.0.execute(sql, [text]).map_err(StorageError::from)?;
        Ok(())
    }

    /// Takes the logs out, one after the other, and forgets who ran builds.
    pub fn take_logs<E: From<CoreError>>(&self, mut take: impl FnMut(KeptLog) -> Result<(), E>) -> Result<(), E> {
        if !self.has("logs")? {
            return Ok(());
        }
        for (slot, id, status, object) in self.logs()? {
            let text = match object {
                Some(object) => LogText::Object(object),
                None => LogText::Bytes(self.text(&slot, &id)?),
            };
            take(KeptLog { slot, id, status, text })?;
        }
        let forget = "DELETE FROM logs; DELETE FROM log_chunks;
                      UPDATE builds SET holder = NULL, ends_at = 0, cancelled = NULL, tree = NULL";
        let forgotten = self.0.execute_batch(forget).map_err(StorageError::from);
        Ok(forgotten.map_err(CoreError::from)?)
    }

    /// Puts a log in.
    pub fn put_log(&self, log: &KeptLog, bytes: u64) -> Result<(), CoreError> {
        let put = || {
            let object = match &log.text {
                LogText::Object(object) => Some(object),
                LogText::Bytes(_) => None,
            };
            let sql = "INSERT INTO logs (slot, id, bytes, status, object) VALUES (?1, ?2, ?3, ?4, ?5)";
            let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
            self.0.execute(sql, (&log.slot, &log.id, bytes, &log.status, object))?;
            if let LogText::Bytes(text) = &log.text {
                let sql = "INSERT INTO log_chunks (slot, id, first_byte, content) VALUES (?1, ?2, ?3, ?4)";
                let mut first_byte = 0;
                for chunk in text.chunks(MAX_CHUNK) {
                    self.0.execute(sql, (&log.slot, &log.id, first_byte, chunk))?;
                    first_byte += i64::try_from(chunk.len()).unwrap_or(i64::MAX);
                }
            }
            Ok::<_, StorageError>(())
        };
        Ok(put()?)
    }

    /// Ends the work on it.
    pub fn close(self) -> Result<(), CoreError> {
        Ok(self.0.close().map_err(|(_, error)| StorageError::from(error))?)
    }

    /// Whether its version of the schema has a table.
    fn has(&self, table: &str) -> Result<bool, CoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
        let has = self.0.query_row(sql, [table], |row| row.get(0));
        Ok(has.map_err(StorageError::from)?)
    }

    /// Slot, id, status and object of each log.
    #[expect(clippy::type_complexity, reason = "the columns of a row")]
    fn logs(&self) -> Result<Vec<(String, String, Option<String>, Option<String>)>, CoreError> {
        let read = || {
            let mut statement = self
                .0
                .prepare("SELECT slot, id, status, object FROM logs ORDER BY slot, id")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        Ok(read().map_err(StorageError::from)?)
    }

    fn text(&self, slot: &str, id: &str) -> Result<Vec<u8>, CoreError> {
        let read = || {
            let sql = "SELECT content FROM log_chunks WHERE slot = ?1 AND id = ?2 ORDER BY first_byte";
            let mut statement = self.0.prepare(sql)?;
            let rows = statement.query_map([slot, id], |row| row.get::<_, Vec<u8>>(0))?;
            Ok::<_, rusqlite::Error>(rows.collect::<rusqlite::Result<Vec<_>>>()?.concat())
        };
        Ok(read().map_err(StorageError::from)?)
    }
}
