//! The logs of servers that share a database, as rows. A log that goes on is chunks of its text; the text of one that has ended is
//! an object, and its status stays here.
//!
//! These are the statements of single steps, for transactions that do more.

use super::text::MAX_BYTES;
use crate::storage::engine::Rows;
use crate::storage::sqlite::StorageError;

/// The longest chunk, in bytes.
const MAX_CHUNK: usize = 64 << 10;

/// What became of a text that was to be appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is there, and the log has so many bytes.
    To(u64),
    /// The log has its final status.
    Closed,
    /// The log is full.
    TooLarge,
}

/// A log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// How long it is.
    pub bytes: u64,
    /// Its final status, `None` while it goes on.
    pub status: Option<String>,
    /// The object that has its text; `None` while chunks have it.
    pub object: Option<String>,
}

/// Makes a log exist.
pub fn create(rows: &mut Rows<'_>, slot: &str, id: &str) -> Result<(), StorageError> {
    let sql = "INSERT INTO logs (slot, id, bytes) VALUES (?1, ?2, 0) ON CONFLICT (slot, id) DO NOTHING";
    rows.execute(sql, (slot, id))?;
    Ok(())
}

/// The log of this name.
pub fn find(rows: &mut Rows<'_>, slot: &str, id: &str) -> Result<Option<Kept>, StorageError> {
    let sql = "SELECT bytes, status, object FROM logs WHERE slot = ?1 AND id = ?2";
    rows.fetch_optional(sql, (slot, id), |row| {
        Ok(Kept {
            bytes: row.get::<i64>(0)? as u64,
            status: row.get(1)?,
            object: row.get(2)?,
        })
    })
}

/// Adds text at the end of a log, which is made when it is missing.
pub fn append(rows: &mut Rows<'_>, slot: &str, id: &str, text: &str) -> Result<Appended, StorageError> {
    let sql = "INSERT INTO logs (slot, id, bytes) VALUES (?1, ?2, ?3)
               ON CONFLICT (slot, id) DO UPDATE SET bytes = logs.bytes + excluded.bytes
                   WHERE logs.status IS NULL AND logs.bytes + excluded.bytes <= ?4
               RETURNING bytes";
    if text.len() as u64 > MAX_BYTES {
        return Ok(Appended::TooLarge);
    }
    let values = (slot, id, text.len() as i64, MAX_BYTES as i64);
    let Some(bytes) = rows.fetch_optional(sql, values, |row| row.get::<i64>(0))? else {
        let is_closed = find(rows, slot, id)?.is_some_and(|log| log.status.is_some());
        return Ok(if is_closed {
            Appended::Closed
        } else {
            Appended::TooLarge
        });
    };
    let mut first_byte = bytes - text.len() as i64;
    let sql = "INSERT INTO log_chunks (slot, id, first_byte, content) VALUES (?1, ?2, ?3, ?4)";
    for chunk in text.as_bytes().chunks(MAX_CHUNK) {
        rows.execute(sql, (slot, id, first_byte, chunk.to_vec()))?;
        first_byte += chunk.len() as i64;
    }
    Ok(Appended::To(bytes as u64))
}

/// At most `len` bytes of the chunks, from `offset` on.
pub fn read(rows: &mut Rows<'_>, slot: &str, id: &str, offset: u64, len: usize) -> Result<Vec<u8>, StorageError> {
    let from = i64::try_from(offset).unwrap_or(i64::MAX);
    let to = from.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
    let sql = "SELECT first_byte, content FROM log_chunks
               WHERE slot = ?1 AND id = ?2 AND first_byte < ?4 AND first_byte >= coalesce(
                   (SELECT max(first_byte) FROM log_chunks WHERE slot = ?1 AND id = ?2 AND first_byte <= ?3), 0)
               ORDER BY first_byte";
    let chunks: Vec<(i64, Vec<u8>)> =
        rows.fetch_all(sql, (slot, id, from, to), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut bytes = Vec::new();
    for (first_byte, content) in chunks {
        let skipped = usize::try_from(from - first_byte).unwrap_or(0);
        bytes.extend_from_slice(content.get(skipped..).unwrap_or_default());
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// Gives a log its final status, unless it has one. A missing one is made.
pub fn close(rows: &mut Rows<'_>, slot: &str, id: &str, status: &str) -> Result<(), StorageError> {
    let sql = "INSERT INTO logs (slot, id, bytes, status) VALUES (?1, ?2, 0, ?3)
               ON CONFLICT (slot, id) DO UPDATE SET status = excluded.status WHERE logs.status IS NULL";
    rows.execute(sql, (slot, id, status))?;
    Ok(())
}

/// The logs that have ended, and whose text is still in chunks.
pub fn to_move(rows: &mut Rows<'_>, most: u32) -> Result<Vec<(String, String)>, StorageError> {
    let sql = "SELECT slot, id FROM logs WHERE status IS NOT NULL AND object IS NULL ORDER BY slot, id LIMIT ?1";
    rows.fetch_all(sql, [most], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The text of a log that ended is in an object now: the chunks go. `false` when the log went meanwhile, or has an object.
pub fn moved(rows: &mut Rows<'_>, slot: &str, id: &str, object: &str) -> Result<bool, StorageError> {
    let sql = "UPDATE logs SET object = ?3 WHERE slot = ?1 AND id = ?2 AND status IS NOT NULL AND object IS NULL";
    if rows.execute(sql, (slot, id, object))? == 0 {
        return Ok(false);
    }
    rows.execute("DELETE FROM log_chunks WHERE slot = ?1 AND id = ?2", (slot, id))?;
    Ok(true)
}

/// Deletes a log; a missing one is fine. Answers the object that has its text.
pub fn remove(rows: &mut Rows<'_>, slot: &str, id: &str) -> Result<Option<String>, StorageError> {
    rows.execute("DELETE FROM log_chunks WHERE slot = ?1 AND id = ?2", (slot, id))?;
    let sql = "DELETE FROM logs WHERE slot = ?1 AND id = ?2 RETURNING object";
    let object: Option<Option<String>> = rows.fetch_optional(sql, (slot, id), |row| row.get(0))?;
    Ok(object.flatten())
}

/// Deletes all logs of a slot.
pub fn remove_all(rows: &mut Rows<'_>, slot: &str) -> Result<(), StorageError> {
    rows.execute("DELETE FROM log_chunks WHERE slot = ?1", [slot])?;
    rows.execute("DELETE FROM logs WHERE slot = ?1", [slot])?;
    Ok(())
}

/// The objects of all logs.
pub fn objects(rows: &mut Rows<'_>) -> Result<Vec<String>, StorageError> {
    rows.fetch_all("SELECT object FROM logs WHERE object IS NOT NULL", (), |row| row.get(0))
}
