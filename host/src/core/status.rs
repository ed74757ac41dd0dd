//! How a cluster does, as its database knows it: for `galley cluster status` and the metrics. Nothing is changed, and no server has to
//! run.

use galley_postgres::{Address, Bounds, Database, Session};
use serde::{Serialize, Serializer};

use super::limits::PRESENCE;
use super::outbox::awaited;
use super::{CLOCK, Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::rfc3339;
use crate::storage::sqlite::StorageError;

/// How a cluster does. Times are milliseconds since 1970, by the clock of the database; in JSON they are texts of RFC 3339.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// When it was looked at.
    #[serde(serialize_with = "time")]
    pub at: i64,
    /// The database.
    pub database: DatabaseRow,
    /// The servers, those that were killed within a day included.
    pub nodes: Vec<NodeRow>,
    /// Who does what one server at a time does.
    pub leases: Vec<LeaseRow>,
    /// The events that wait, for each slot that awaits any.
    pub events: Vec<EventsRow>,
    /// Mails that are not sent yet.
    pub mails: u32,
    /// Builds that wait for a place.
    pub queued_builds: u32,
    /// Builds that run.
    pub builds: Vec<BuildRow>,
}

/// The database.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseRow {
    /// Its version.
    pub version: String,
    /// The address and port of the server that leads, as it knows them; `None` on a socket.
    pub leader: Option<String>,
    /// The version of the core's schema.
    pub schema: u32,
    /// What it has on disk, with the databases of slots.
    pub bytes: i64,
    /// `synchronous_standby_names`: empty when it waits for no standby.
    pub synchronous_standby_names: String,
    /// The standbys that follow it.
    pub standbys: Vec<Standby>,
}

/// A standby. Its name and state are told to roles with `pg_monitor` only.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standby {
    /// Its name.
    pub name: Option<String>,
    /// `streaming`, or what it does instead.
    pub state: Option<String>,
    /// `sync` and `quorum` are waited for, `potential` and `async` are not.
    pub sync_state: Option<String>,
}

/// A server.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeRow {
    /// Its name.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// Where it listens.
    pub address: String,
    /// When it started.
    #[serde(serialize_with = "time")]
    pub since: i64,
    /// When it said last that it is there.
    #[serde(serialize_with = "time")]
    pub seen_at: i64,
    /// Whether that is not long ago.
    pub is_there: bool,
}

/// A lease that is held.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseRow {
    /// The work.
    pub name: String,
    /// The name of the server that has it; `None` for one that is told of no more.
    pub node: Option<String>,
    /// Whether that is the server that asks.
    #[serde(skip)]
    pub is_own: bool,
    /// Grows with each other holder.
    pub epoch: i64,
    /// When it ends unless it is renewed.
    #[serde(serialize_with = "time")]
    pub ends_at: i64,
}

/// The events that a slot has not taken.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventsRow {
    /// The slot.
    pub slot: String,
    /// How many.
    pub waiting: u32,
    /// When the first of them was published.
    #[serde(serialize_with = "time_or_none")]
    pub oldest: Option<i64>,
}

/// A build that runs.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildRow {
    /// The slot that wants it.
    pub slot: String,
    /// The build.
    pub id: String,
    /// The project.
    pub project: String,
    /// The name of the server that runs it.
    pub node: Option<String>,
    /// Whether that is the server that asks.
    #[serde(skip)]
    pub is_own: bool,
    /// When its claim ends unless it is renewed.
    #[serde(serialize_with = "time")]
    pub ends_at: i64,
}

fn time<S: Serializer>(ms: &i64, to: S) -> Result<S::Ok, S::Error> {
    rfc3339(*ms).serialize(to)
}

fn time_or_none<S: Serializer>(ms: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    ms.map(rfc3339).serialize(to)
}

impl Status {
    /// Asks the database of a cluster. [`CoreError::NoCluster`] when no server has used it yet.
    pub async fn of(address: &Address) -> Result<Self, CoreError> {
        let bounds = Bounds {
            connections: 1,
            ..Bounds::default()
        };
        let database = Database::at(address.clone(), bounds);
        let ask = |session: &mut Session| read(&mut Rows::of_postgres(session), "");
        database.read(ask).await
    }
}

impl Core {
    /// How the cluster does; `None` for a server alone.
    pub async fn status(&self) -> Result<Option<Status>, CoreError> {
        if !self.is_shared() {
            return Ok(None);
        }
        let server = self.server.clone();
        self.database.read(move |rows| read(rows, &server)).await.map(Some)
    }
}

fn read(rows: &mut Rows<'_>, server: &str) -> Result<Status, CoreError> {
    let is_there = "SELECT to_regclass('nodes') IS NOT NULL";
    if !rows.fetch_one(is_there, (), |row| row.get::<bool>(0))? {
        return Err(CoreError::NoCluster);
    }
    Ok(Status {
        at: rows.fetch_one(&format!("SELECT {CLOCK}"), (), |row| row.get(0))?,
        database: database(rows)?,
        nodes: nodes(rows)?,
        leases: leases(rows, server)?,
        events: events(rows)?,
        mails: rows.fetch_one("SELECT count(*) FROM mails WHERE state = 'waiting'", (), |row| {
            row.get(0)
        })?,
        queued_builds: rows.fetch_one("SELECT count(*) FROM builds WHERE state = 'queued'", (), |row| {
            row.get(0)
        })?,
        builds: builds(rows, server)?,
    })
}

fn database(rows: &mut Rows<'_>) -> Result<DatabaseRow, StorageError> {
    let sql = "SELECT current_setting('server_version'), host(inet_server_addr()) || ':' || inet_server_port(),
                   (SELECT CAST(max(version) AS BIGINT) FROM galley_schema),
                   CAST(pg_database_size(current_database()) + coalesce((SELECT sum(pg_database_size(pg_database.oid))
                       FROM slot_databases JOIN pg_database ON pg_database.datname = slot_databases.name
                       WHERE has_database_privilege(pg_database.oid, 'CONNECT')), 0) AS BIGINT),
                   current_setting('synchronous_standby_names')";
    let mut found = rows.fetch_one(sql, (), |row| {
        Ok(DatabaseRow {
            version: row.get(0)?,
            leader: row.get(1)?,
            schema: row.get(2)?,
            bytes: row.get(3)?,
            synchronous_standby_names: row.get(4)?,
            standbys: Vec::new(),
        })
    })?;
    // A backup that is being taken is no standby.
    let sql = "SELECT application_name, state, sync_state FROM pg_stat_replication
               WHERE coalesce(state, '') <> 'backup' ORDER BY application_name";
    found.standbys = rows.fetch_all(sql, (), |row| {
        Ok(Standby {
            name: row.get(0)?,
            state: row.get(1)?,
            sync_state: row.get(2)?,
        })
    })?;
    Ok(found)
}

fn nodes(rows: &mut Rows<'_>) -> Result<Vec<NodeRow>, StorageError> {
    let sql = format!(
        "SELECT name, version, address, since, coalesce(servers.ends_at - ?1, seen_at), coalesce(servers.ends_at > {CLOCK}, false)
         FROM nodes LEFT JOIN servers ON servers.id = nodes.server ORDER BY name"
    );
    rows.fetch_all(&sql, [PRESENCE], |row| {
        Ok(NodeRow {
            name: row.get(0)?,
            version: row.get(1)?,
            address: row.get(2)?,
            since: row.get(3)?,
            seen_at: row.get(4)?,
            is_there: row.get(5)?,
        })
    })
}

fn leases(rows: &mut Rows<'_>, server: &str) -> Result<Vec<LeaseRow>, StorageError> {
    let sql = format!(
        "SELECT leases.name, nodes.name, holder = ?1, epoch, ends_at FROM leases LEFT JOIN nodes ON nodes.server = holder
         WHERE ends_at > {CLOCK} ORDER BY leases.name"
    );
    rows.fetch_all(&sql, [server], |row| {
        Ok(LeaseRow {
            name: row.get(0)?,
            node: row.get(1)?,
            is_own: row.get(2)?,
            epoch: row.get(3)?,
            ends_at: row.get(4)?,
        })
    })
}

fn events(rows: &mut Rows<'_>) -> Result<Vec<EventsRow>, StorageError> {
    let sql = format!(
        "SELECT slot, count(events.id), min(events.created_at) FROM cursors LEFT JOIN events
             ON (last_xact, last_id) < (events.xact, events.id) AND {}
         WHERE topics <> '[]' GROUP BY slot ORDER BY slot",
        awaited()
    );
    rows.fetch_all(&sql, (), |row: &Row<'_>| {
        Ok(EventsRow {
            slot: row.get(0)?,
            waiting: row.get(1)?,
            oldest: row.get(2)?,
        })
    })
}

fn builds(rows: &mut Rows<'_>, server: &str) -> Result<Vec<BuildRow>, StorageError> {
    let sql = "SELECT slot, id, project_id, nodes.name, coalesce(holder, '') = ?1, ends_at
               FROM builds LEFT JOIN nodes ON nodes.server = holder WHERE state = 'running' ORDER BY seq";
    rows.fetch_all(sql, [server], |row| {
        Ok(BuildRow {
            slot: row.get(0)?,
            id: row.get(1)?,
            project: row.get(2)?,
            node: row.get(3)?,
            is_own: row.get(4)?,
            ends_at: row.get(5)?,
        })
    })
}
