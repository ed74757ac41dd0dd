//! The core of a PostgreSQL as a file, such as a server alone has.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use galley_postgres::{Address, Database, MigrationError, OpenError, Session, Value};
use rusqlite::Connection;

use super::slot_databases::{self, SlotDatabase};
use super::{COPYING, CoreError, cluster, is_of_a_cluster, mark, migrations};
use crate::storage::durable;
use crate::storage::seal::Sealer;
use crate::storage::sqlite::{StorageError, open_alone};
use crate::storage::transfer::{Copied, from_postgres};

/// A core that is copied.
pub struct Export {
    database: Database,
    sealer: Arc<Sealer>,
    instance: String,
}

/// The data of a slot's schema, beside a core that was copied.
pub struct SlotData {
    /// The slot.
    pub slot: String,
    /// The schema.
    pub schema: String,
    /// Where they are.
    pub database: SlotDatabase,
    /// The number of the last of their events that the copy has.
    pub relayed: i64,
}

impl Export {
    /// The core at an address. Nothing is changed there: servers of this version of the schema or an earlier one may be at work.
    /// [`CoreError::OtherKey`] when its secrets are sealed with another key than this, [`CoreError::Importing`] when it is not whole.
    pub async fn of(address: &Address, sealer: Arc<Sealer>) -> Result<Self, CoreError> {
        let database = Database::at(address.clone(), COPYING);
        let key = sealer.clone();
        let read = move |session: &mut Session| {
            if version(session)? == 0 {
                return Err(CoreError::NotFound);
            }
            let mut value = |name: &str| -> Result<Option<Vec<u8>>, CoreError> {
                let rows = session.query("SELECT value FROM cluster WHERE name = ?1", &[name.into()])?;
                Ok(match rows.into_iter().next().and_then(|row| row.into_iter().next()) {
                    Some(Value::Blob(value)) => Some(value),
                    _ => None,
                })
            };
            if value(mark::NAME)?.is_some() {
                return Err(CoreError::Importing);
            }
            let (proof, id) = (value(cluster::PROOF)?, value(cluster::ID)?);
            let (proof, id) = proof.zip(id).ok_or(CoreError::NotFound)?;
            cluster::check(&key, &proof)?;
            Ok(String::from_utf8_lossy(&id).into_owned())
        };
        let instance = database.read(read).await?;
        Ok(Self {
            database,
            sealer,
            instance,
        })
    }

    /// The id of the instance, whose the objects are.
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// Copies all tables, as they are at one moment, into a new file. Its schema has the version that the database has. `told` learns
    /// the rows that were copied so far. Answers also where the data of slots are at this moment.
    pub async fn copy(
        &self,
        file: &Path,
        told: impl Fn(u64) + Send + 'static,
    ) -> Result<(Copied, Vec<SlotData>), CoreError> {
        let (file, sealer) = (file.to_owned(), self.sealer.clone());
        let read = move |session: &mut Session| {
            // When the connection was lost it begins again.
            durable::remove_file(&file).map_err(|error| unwritten(&file, &error))?;
            let connection = open_alone(&file, &migrations()[..version(session)?])?;
            connection
                .pragma_update(None, "synchronous", "off")
                .map_err(StorageError::from)?;
            let copied = from_postgres(session, &connection, &is_of_a_cluster, &told)?;
            order_events(&connection).map_err(StorageError::from)?;
            connection.close().map_err(|(_, error)| StorageError::from(error))?;
            let synced = File::open(&file).and_then(|file| file.sync_all());
            synced.map_err(|error| unwritten(&file, &error))?;
            Ok((copied, slots(session, &sealer)?))
        };
        self.database.read(read).await
    }
}

fn unwritten(file: &Path, error: &std::io::Error) -> CoreError {
    StorageError::Commit(format!("{}: {error}", file.display())).into()
}

/// How many steps of the schema ran.
fn version(session: &mut Session) -> Result<usize, CoreError> {
    let has_tables = session.query("SELECT to_regclass('galley_schema') IS NOT NULL", &[])?;
    if has_tables != [[Value::Integer(1)]] {
        return Ok(0);
    }
    let found = session.query("SELECT coalesce(max(version), 0) FROM galley_schema", &[])?;
    let found = match found.first().and_then(|row| row.first()) {
        Some(Value::Integer(version)) => usize::try_from(*version).unwrap_or_default(),
        _ => 0,
    };
    let known = migrations().len();
    match found <= known {
        true => Ok(found),
        false => Err(OpenError::Migration(MigrationError::TooNew {
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: u32::try_from(known).unwrap_or(u32::MAX),
        })
        .into()),
    }
}

/// The databases of slots that are made.
fn slots(session: &mut Session, sealer: &Sealer) -> Result<Vec<SlotData>, CoreError> {
    if session.query("SELECT to_regclass('slot_databases') IS NOT NULL", &[])? != [[Value::Integer(1)]] {
        return Ok(Vec::new());
    }
    let sql = "SELECT slot, schema, name, password, relayed FROM slot_databases
               WHERE EXISTS (SELECT 1 FROM pg_database WHERE datname = name) ORDER BY slot, schema";
    let rows = session.query(sql, &[])?.into_iter();
    let of = |row: Vec<Value>| {
        let Ok(
            [
                Value::Text(slot),
                Value::Text(schema),
                Value::Text(name),
                Value::Blob(sealed),
                Value::Integer(relayed),
            ],
        ) = <[Value; 5]>::try_from(row)
        else {
            return Err(StorageError::NoRow.into());
        };
        Ok(SlotData {
            slot,
            schema,
            database: slot_databases::opened(sealer, name, &sealed)?,
            relayed,
        })
    };
    rows.map(of).collect()
}

/// Where one server writes, events are delivered in the order of their ids. Several give ids in another order than that in which their
/// transactions end; those events get new ids, larger than any other.
fn order_events(file: &Connection) -> rusqlite::Result<()> {
    let has_order = "SELECT count(*) FROM pragma_table_info('events') WHERE name = 'xact'";
    if file.query_row(has_order, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(());
    }
    let is_ordered = "SELECT NOT EXISTS (SELECT 1 FROM (
        SELECT id, max(id) OVER (ORDER BY xact, id ROWS UNBOUNDED PRECEDING) AS top FROM events) WHERE id < top)";
    let numbers = match file.query_row(is_ordered, [], |row| row.get(0))? {
        true => "id",
        false => {
            "row_number() OVER (ORDER BY xact, id) + (SELECT max(id) FROM (
                 SELECT max(id) AS id FROM events UNION SELECT max(event_id) FROM failed_deliveries
                 UNION SELECT seq FROM sqlite_sequence WHERE name = 'events'))"
        }
    };
    file.execute_batch(&format!(
        "BEGIN;
         CREATE TEMP TABLE numbered AS SELECT id AS was, {numbers} AS becomes, xact FROM events;
         UPDATE cursors SET last_xact = 0, last_id = coalesce((SELECT becomes FROM numbered
             WHERE (xact, was) <= (cursors.last_xact, cursors.last_id) ORDER BY becomes DESC LIMIT 1), 0);
         UPDATE failed_deliveries SET event_id = (SELECT becomes FROM numbered WHERE was = event_id)
             WHERE event_id IN (SELECT was FROM numbered);
         UPDATE events SET xact = 0, id = (SELECT becomes FROM numbered WHERE was = id);
         COMMIT;
         DROP TABLE numbered"
    ))
}
