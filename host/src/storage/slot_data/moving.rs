//! The data of a slot on their way from a file to PostgreSQL and back. The steps of their schema run at the other side first.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use galley_postgres::slot::Bounds;
use galley_postgres::{Address, Database, Session, Value};

use super::change::make;
use super::error::DataError;
use super::{Schema, labels, postgres};
use crate::storage::durable;
use crate::storage::sqlite::StorageError;
use crate::storage::transfer::{Copied, TransferError, from_postgres, open_source, open_target, to_postgres};

/// What the host keeps for itself, and makes again. Only its table of events that are to be published goes along.
fn is_hosts(table: &str) -> bool {
    table.starts_with("_galley_") && table != "_galley_events"
}

/// The bounds of what copies all rows.
const COPYING: galley_postgres::Bounds = galley_postgres::Bounds {
    connections: 1,
    statement: Duration::from_secs(600),
    connect: Duration::from_secs(5),
    commit: Duration::from_secs(600),
    settle: Duration::from_secs(30),
};

/// What is known of data before their plugin is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The schema's name; `None` in a file from before there were labels.
    pub schema: Option<String>,
    /// The last step that ran. Without one there are no data.
    pub version: u32,
}

/// What a file says of itself.
pub fn found(file: &Path) -> Result<Found, DataError> {
    let labels = labels::read(file).map_err(StorageError::from)?.unwrap_or_default();
    Ok(Found {
        schema: labels.name,
        version: labels.version,
    })
}

/// The last step that ran in a database.
pub async fn version(address: &Address) -> Result<u32, DataError> {
    let database = Database::at(address.clone(), COPYING);
    database.read(version_of).await.map_err(DataError::Moved)
}

fn version_of(session: &mut Session) -> Result<u32, TransferError> {
    let has_labels = session.query("SELECT to_regclass('public._galley_schema') IS NOT NULL", &[])?;
    if has_labels != [[Value::Integer(1)]] {
        return Ok(0);
    }
    let found = session.query("SELECT coalesce(max(version), 0) FROM public._galley_schema", &[])?;
    Ok(match found.first().and_then(|row| row.first()) {
        Some(Value::Integer(version)) => u32::try_from(*version).unwrap_or(u32::MAX),
        _ => 0,
    })
}

/// The schema without the steps behind a version.
fn until<'s>(schema: &Schema<'s>, version: u32) -> Schema<'s> {
    let steps = schema.steps.partition_point(|step| step.version <= version);
    Schema {
        steps: &schema.steps[..steps],
        compatible: schema.compatible.min(version.max(1)),
        ..*schema
    }
}

/// Copies the rows of a file, whose last step is `version`, into a database without any.
pub async fn import_rows(
    file: PathBuf,
    address: &Address,
    schema: &Schema<'_>,
    version: u32,
    told: impl Fn(u64) + Send + 'static,
) -> Result<Copied, DataError> {
    postgres::begin(address, Bounds::default(), &until(schema, version)).await?;
    let write = move |session: &mut Session| to_postgres(&open_source(&file)?, session, &is_hosts, &told);
    let database = Database::at(address.clone(), COPYING);
    database.write(write).await.map_err(DataError::Moved)
}

/// Copies the rows of a database, whose last step is `version`, into a new file, as they are at one moment. Events up to the number
/// `relayed` are published, and left out.
pub async fn export_rows(
    address: &Address,
    (file, slot): (PathBuf, &str),
    (schema, version): (&Schema<'_>, u32),
    (host_tables, relayed): (&str, i64),
    told: impl Fn(u64) + Send + 'static,
) -> Result<Copied, DataError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    durable::private_folder(folder).map_err(|error| DataError::Io(folder.to_owned(), error))?;
    make(&file, slot, &until(schema, version), host_tables)?;
    let path = file.clone();
    let read = move |session: &mut Session| {
        if version_of(session)? != version {
            return Err(TransferError::Changed);
        }
        let target = open_target(&path)?;
        let copied = from_postgres(session, &target, &is_hosts, &told)?;
        target.execute("DELETE FROM _galley_events WHERE id <= ?1", [relayed])?;
        target.close().map_err(|(_, error)| error)?;
        Ok(copied)
    };
    let database = Database::at(address.clone(), COPYING);
    let copied = database.read(read).await.map_err(DataError::Moved)?;
    let synced = File::open(&file).and_then(|opened| opened.sync_all());
    synced.map_err(|error| DataError::Io(file, error))?;
    Ok(copied)
}
