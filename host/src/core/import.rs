//! Filling the empty core of a PostgreSQL from the file of a backup.
//!
//! From [`Import::begin`] to the end of [`Import::finish`] the database has a mark on which no server starts. All rows and the end of the
//! mark are one transaction; what belongs to them elsewhere (objects, slots) is written in between, and is written again when
//! the import was interrupted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use galley_postgres::{Address, Database, Hold, Session, Value};

use super::slot_databases::{self, SlotDatabase};
use super::{COPYING, CoreError, cluster, is_of_a_cluster, leases, mark, migrations};
use crate::storage::engine;
use crate::storage::seal::Sealer;
use crate::storage::sqlite::{StorageError, open_alone};
use crate::storage::transfer::{Copied, open_source, to_postgres};

/// The lock of those who import: "galley", as a number, and two.
const LOCK: i64 = 0x6761_6c6c_6579 + 2;

/// Tables that have rows as soon as somebody uses an instance.
const SIGNS: [(&str, &str); 4] = [
    ("accounts", "accounts"),
    ("projects", "projects"),
    ("invites", "invites"),
    ("audit", "an audit log"),
];

/// An import under way.
pub struct Import {
    database: Database,
    /// The same for single rows.
    rows: engine::Database,
    sealer: Arc<Sealer>,
    instance: String,
    _only: Hold,
}

impl Import {
    /// Begins, or begins anew. [`CoreError::NotEmpty`], [`CoreError::InUseByServers`] and [`CoreError::OtherKey`] before
    /// anything is changed.
    pub async fn begin(address: &Address, sealer: Arc<Sealer>, backup: &str) -> Result<Self, CoreError> {
        let database = Database::at(address.clone(), COPYING);
        database.read(be_empty).await?;
        let only = database.hold(LOCK).await?.ok_or(CoreError::Importing)?;
        let opened = engine::Database::open_postgres(address.clone(), &migrations(), COPYING).await?;
        let (backup, key) = (backup.to_owned(), sealer.clone());
        let mark = move |rows: &mut engine::Rows<'_>| {
            let instance = cluster::join(rows, &key)?;
            mark::put(rows, &backup)?;
            Ok::<_, CoreError>(instance)
        };
        let instance = opened.write(mark).await?;
        Ok(Self {
            database,
            rows: opened,
            sealer,
            instance,
            _only: only,
        })
    }

    /// The id of the instance, whose the objects are.
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// The names of the databases of slots that are there: an earlier attempt's, or those of servers that nobody used.
    pub async fn slot_databases(&self) -> Result<Vec<String>, CoreError> {
        let all = |rows: &mut engine::Rows<'_>| {
            Ok(rows.fetch_all("SELECT name FROM slot_databases ORDER BY name", (), |row| row.get(0))?)
        };
        self.rows.read(all).await
    }

    /// Forgets one that was deleted.
    pub async fn forget_slot_database(&self, name: &str) -> Result<(), CoreError> {
        slot_databases::forget(&self.rows, name).await
    }

    /// The database that a slot's schema gets. It is still to be made.
    pub async fn slot_database(&self, slot: &str, schema: &str) -> Result<SlotDatabase, CoreError> {
        slot_databases::of(&self.rows, slot, schema, &self.sealer).await
    }

    /// Brings the core's file of a backup to the present version of the schema.
    pub fn migrate(core: &Path) -> Result<(), CoreError> {
        let connection = open_alone(core, &migrations())?;
        Ok(connection.close().map_err(|(_, error)| StorageError::from(error))?)
    }

    /// Copies the rows of a core at the present version of the schema, and ends the import.
    pub async fn finish(self, core: PathBuf, told: impl Fn(u64) + Send + 'static) -> Result<Copied, CoreError> {
        let write = move |session: &mut Session| {
            be_empty(session)?;
            let source = open_source(&core).map_err(StorageError::from)?;
            let copied = to_postgres(&source, session, &is_of_a_cluster, &told)?;
            // Before all that is published from now on.
            session.execute("UPDATE events SET xact = 0", &[])?;
            session.execute("UPDATE cursors SET last_xact = 0", &[])?;
            // What made the first account of an empty cluster is nobody's right any more.
            session.execute("DELETE FROM first_links", &[])?;
            session.execute("DELETE FROM manifests", &[])?;
            session.execute("DELETE FROM bundles", &[])?;
            session.execute("UPDATE generation SET value = value + 1", &[])?;
            session.execute("DELETE FROM cluster WHERE name = ?1", &[mark::NAME.into()])?;
            Ok::<_, CoreError>(copied)
        };
        self.database.write(write).await
    }
}

/// Makes sure that nobody uses the database yet, whatever version its schema has.
fn be_empty(session: &mut Session) -> Result<(), CoreError> {
    let mut is = |sql: String| -> Result<bool, CoreError> {
        let found = session.query(&sql, &[])?;
        Ok(matches!(
            found.first().and_then(|row| row.first()),
            Some(Value::Integer(1))
        ))
    };
    let mut has = |table: &str, condition: &str| -> Result<bool, CoreError> {
        Ok(is(format!("SELECT to_regclass('{table}') IS NOT NULL"))?
            && is(format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE {condition})"))?)
    };
    for (table, words) in SIGNS {
        if has(table, "true")? {
            return Err(CoreError::NotEmpty(words));
        }
    }
    // One that answers says so again and again; one that works has leases.
    let is_held = format!("ends_at > {}", leases::CLOCK);
    match has("servers", &is_held)? || has("leases", &is_held)? {
        true => Err(CoreError::InUseByServers(leases::LEASE_LENGTH.as_secs())),
        false => Ok(()),
    }
}
