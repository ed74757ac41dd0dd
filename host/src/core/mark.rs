//! The mark of a database that is being filled from a backup. No server starts on it.

use super::error::CoreError;
use crate::storage::engine::Rows;

/// The row of the table `cluster`.
pub(super) const NAME: &str = "import";

/// [`CoreError::Importing`] while the database is being filled, or was by half.
pub(super) fn be_absent(rows: &mut Rows<'_>) -> Result<(), CoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM cluster WHERE name = ?1)";
    match rows.fetch_one(sql, [NAME], |row| row.get(0))? {
        true => Err(CoreError::Importing),
        false => Ok(()),
    }
}

/// Notes that the database is being filled from a backup, which is named.
pub(super) fn put(rows: &mut Rows<'_>, backup: &str) -> Result<(), CoreError> {
    rows.execute("DELETE FROM cluster WHERE name = ?1", [NAME])?;
    let sql = "INSERT INTO cluster (name, value) VALUES (?1, ?2)";
    rows.execute(sql, (NAME, backup.as_bytes().to_owned()))?;
    Ok(())
}
