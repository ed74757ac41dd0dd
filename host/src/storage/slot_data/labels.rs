//! What a file says of itself: the schema's name, the steps that ran, and the copies that were made of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use galley_manifest::Migration;
use galley_sql::by_host;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use sha2::{Digest, Sha256};

use super::Schema;

/// The tables of labels and copies. `writes` counts the transactions that changed something since the copy.
pub const HOST_TABLES: &str = "
    CREATE TABLE IF NOT EXISTS _galley_schema
        (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, compatible INTEGER NOT NULL, down TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS _galley_copies (version INTEGER PRIMARY KEY, writes INTEGER NOT NULL) STRICT;";

/// No copy has this version: its writes are those since the data were taken over from another schema.
pub const TAKEN_OVER: u32 = 0;

/// How long the host's own statements may take.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// The labels of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Its `user_version`: the last step that ran.
    pub version: u32,
    /// The schema's name; `None` in a file from before there were labels, and in an empty one.
    pub name: Option<String>,
    /// The steps that ran.
    pub steps: BTreeMap<u32, Label>,
    /// How many writes were made since the copy of a version.
    pub copies: BTreeMap<u32, u64>,
    /// The version that the data had before a copy took their place, until that is known to last ([`mark_came_from`]).
    pub came_from: Option<u32>,
}

/// One step that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Hex SHA-256 of its statements.
    pub sha256: String,
    /// The oldest version whose plugin can use the data since this step.
    pub compatible: u32,
    /// Undoes it.
    pub down: Option<String>,
}

/// Hex SHA-256 of a step's statements.
pub fn hash(sql: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(sql.as_bytes()))
}

/// The labels of a file; `None` when there is no file. Nothing is changed.
pub fn read(path: &Path) -> rusqlite::Result<Option<Labels>> {
    if !path.exists() {
        return Ok(None);
    }
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    of(&connection).map(Some)
}

/// The labels as a connection sees them.
pub fn of(connection: &Connection) -> rusqlite::Result<Labels> {
    let mut labels = Labels {
        version: connection.pragma_query_value(None, "user_version", |row| row.get(0))?,
        ..Labels::default()
    };
    let came_from: u32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    labels.came_from = Some(came_from).filter(|version| *version > 0);
    let is_table = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = '_galley_schema'";
    if connection.query_row(is_table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(labels);
    }
    let sql = "SELECT version, name, sha256, compatible, down FROM main._galley_schema ORDER BY version";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        labels.name = Some(row.get(1)?);
        let label = Label {
            sha256: row.get(2)?,
            compatible: row.get(3)?,
            down: row.get(4)?,
        };
        labels.steps.insert(row.get(0)?, label);
    }
    let mut statement = connection.prepare("SELECT version, writes FROM main._galley_copies")?;
    let copies = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    labels.copies = copies.collect::<rusqlite::Result<_>>()?;
    Ok(labels)
}

/// Labels the steps up to `version` as run: those of a file from before there were labels, or of adopted data.
pub fn fill(connection: &Connection, schema: &Schema<'_>, version: u32) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM main._galley_schema", [])?;
    for step in schema.steps.iter().filter(|step| step.version <= version) {
        ran(connection, schema, step)?;
    }
    Ok(())
}

/// Labels a step as run.
pub fn ran(connection: &Connection, schema: &Schema<'_>, step: &Migration<String>) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO main._galley_schema (version, name, sha256, compatible, down) VALUES (?1, ?2, ?3, ?4, ?5)";
    let compatible = schema.compatible.min(step.version);
    connection.execute(
        sql,
        (step.version, schema.name, hash(&step.sql), compatible, &step.down),
    )?;
    connection.pragma_update(None, "user_version", step.version)
}

/// Labels a step as undone, and forgets the copies of its version.
pub fn undone(connection: &Connection, version: u32) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM main._galley_schema WHERE version >= ?1", [version])?;
    connection.execute("DELETE FROM main._galley_copies WHERE version >= ?1", [version])?;
    connection.pragma_update(None, "user_version", version - 1)
}

/// Notes in a copy which version of the data it takes the place of; 0 once that lasts. It is a number of the file's header that
/// SQLite leaves to its users: it changes in the same moment as all the rest when the copy is put in place.
pub fn mark_came_from(path: &Path, version: u32) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "application_id", version)
}

/// Notes that the file was copied.
pub fn copied(connection: &Connection, version: u32) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO main._galley_copies (version, writes) VALUES (?1, 0)";
    connection.execute(sql, [version]).map(drop)
}

/// Counts a write for all copies of the file, in the write's own transaction.
///
/// The statement is prepared anew each time: a plugin that sends the same text would get a cached one, prepared with the
/// host's authority.
pub fn count_write(connection: &Connection) -> rusqlite::Result<()> {
    by_host(Instant::now() + HOST_TIMEOUT, || {
        let mut statement = connection.prepare("UPDATE main._galley_copies SET writes = writes + 1")?;
        statement.execute([]).map(drop)
    })
}
