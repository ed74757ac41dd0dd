//! `core.db`: one database for what the rooms `accounts` and `projects` keep, with its schema, the outbox of events and the times
//! of jobs. What may be done with an account or a project is written in those rooms, as methods of [`Core`].
//!
//! The database is a file, `core.db`, or a PostgreSQL ([`Core::open_shared`]).
//!
//! Projects, access lists and settings are also held in memory, because every request asks for them, and so are subscriptions where
//! several servers write the database: writes go to the database first. One server uses a data folder at a time; a lock file ensures
//! that.

mod approvals;
mod changes;
mod cluster;
mod error;
mod export;
mod freshness;
mod import;
mod index;
mod jobs;
mod leases;
mod limits;
mod mark;
mod memory;
mod nodes;
pub(crate) mod outbox;
mod portable;
mod project;
mod set_aside;
mod settings;
mod slot_databases;
mod slots;
mod status;
mod subscriptions;
mod waiting;
mod wakes;

use std::iter;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use galley_postgres::{Address, Bounds};
use tokio::sync::Notify;

use crate::storage::data_folder::FolderLock;
use crate::storage::engine::{Database, Rows};
use crate::storage::id::new_id;
use crate::storage::sqlite::{Migration, StorageError};

pub use approvals::ApprovalChanges;
pub use error::CoreError;
pub use export::{Export, SlotData};
pub use freshness::Freshness;
pub use import::Import;
pub use jobs::KeptJob;
pub use leases::{LEASE_LENGTH, Lease, Work};
pub use limits::{Limits, Place, Precision};
pub use nodes::Node;
pub use outbox::{Event, MAX_WAITING, MAX_WAITING_BYTES, NewEvent};
pub use portable::{KeptLog, LogText, Portable};
pub use project::{Access, Project};
pub use set_aside::{MIN_FAILING_MS, MIN_FAILURES, SetAside};
pub use settings::Settings;
pub use slot_databases::SlotDatabase;
pub use status::{BuildRow, DatabaseRow, EventsRow, LeaseRow, NodeRow, Standby, Status};
pub use waiting::Waiting;
pub use wakes::{Topic, Wakes};

pub(crate) use changes::Subject;
pub(crate) use leases::CLOCK;
pub(crate) use project::COLUMNS as PROJECT_COLUMNS;
pub(crate) use settings::{ANONYMOUS, PUBLIC_LINKS};

use memory::Memory;

/// The tables of version 1, one file for each subject.
const SCHEMA: &str = concat!(
    include_str!("schema/accounts.sql"),
    include_str!("schema/sign_in.sql"),
    include_str!("schema/projects.sql"),
    include_str!("schema/settings.sql"),
    include_str!("schema/events.sql"),
    include_str!("schema/audit.sql"),
    include_str!("schema/builds.sql"),
    include_str!("schema/attachments.sql"),
    include_str!("schema/code_host.sql"),
    include_str!("schema/mail.sql"),
);

/// What changed since.
const UPGRADES: [&str; 12] = [
    include_str!("schema/upgrade_2.sql"),
    include_str!("schema/upgrade_3.sql"),
    include_str!("schema/upgrade_4.sql"),
    include_str!("schema/upgrade_5.sql"),
    include_str!("schema/upgrade_6.sql"),
    include_str!("schema/upgrade_7.sql"),
    include_str!("schema/upgrade_8.sql"),
    include_str!("schema/upgrade_9.sql"),
    include_str!("schema/upgrade_10.sql"),
    include_str!("schema/upgrade_11.sql"),
    include_str!("schema/upgrade_12.sql"),
    include_str!("schema/upgrade_13.sql"),
];

/// Tables that several servers agree by. What is in them is of one cluster, and no backup has it.
const OF_A_CLUSTER: [&str; 15] = [
    "galley_schema",
    "galley_receipts",
    "cluster",
    "generation",
    "changes",
    "leases",
    "slot_databases",
    "bundles",
    "manifests",
    "servers",
    "nodes",
    "uses",
    "places",
    "view_codes",
    "first_links",
];

fn is_of_a_cluster(table: &str) -> bool {
    OF_A_CLUSTER.contains(&table)
}

/// The bounds of what copies whole tables.
const COPYING: Bounds = Bounds {
    connections: 1,
    statement: Duration::from_secs(600),
    connect: Duration::from_secs(5),
    commit: Duration::from_secs(600),
    settle: Duration::from_secs(30),
};

/// The open core of one server.
pub struct Core {
    pub(crate) database: Arc<Database>,
    pub(crate) memory: Arc<Memory>,
    /// Where others write the database, too: what keeps the memory as new as it is.
    freshness: Option<Freshness>,
    /// Where others use the database, too: what they tell each other.
    wakes: Option<Arc<Wakes>>,
    /// The same: what they count together, once somebody counts.
    limits: OnceLock<Arc<Limits>>,
    /// What this start of the server is called among those of the database.
    server: String,
    /// The data folder, as long as the server lives.
    _lock: FolderLock,
}

/// The steps of the schema.
fn migrations() -> Vec<Migration> {
    let numbered = (1..).zip(iter::once(SCHEMA).chain(UPGRADES));
    let migration = |(version, sql): (u32, &'static str)| Migration {
        version,
        sql: sql.into(),
    };
    numbered.map(migration).collect()
}

impl Core {
    /// Opens or creates `core.db` in the data folder, and keeps other servers out of it.
    pub async fn open(data_dir: &Path) -> Result<Self, CoreError> {
        let lock = FolderLock::take(data_dir)?;
        let database = Database::open_file(&data_dir.join("core.db"), &migrations())?;
        Self::on(database, lock).await
    }

    /// Opens the core in a database that other servers may use, too, and keeps other servers out of the data folder.
    pub async fn open_shared(data_dir: &Path, address: &Address) -> Result<Self, CoreError> {
        let lock = FolderLock::take(data_dir)?;
        let database = Database::open_postgres(address.clone(), &migrations(), Bounds::default()).await?;
        database.read(mark::be_absent).await?;
        Self::on(database, lock).await
    }

    /// The core of a database, for the server that holds the lock.
    async fn on(database: Database, lock: FolderLock) -> Result<Self, CoreError> {
        let news = database.read(changes::all).await?;
        let generation = news.generation;
        let memory = Arc::new(Memory::default());
        memory.take(news);
        let shared = database.shared().cloned();
        let wakes = shared.as_ref().map(Wakes::start);
        if let Some(wakes) = &wakes {
            let memory = memory.clone();
            wakes.hear(Topic::Events, move |_| memory.published.notify_waiters());
        }
        Ok(Self {
            freshness: shared.map(|shared| Freshness::start(shared, memory.clone(), generation)),
            wakes,
            limits: OnceLock::new(),
            server: new_id(),
            database: Arc::new(database),
            memory,
            _lock: lock,
        })
    }

    /// What has to be waited for before anything is decided by the memory, by a request when it arrives above all; `None` where
    /// nobody else writes the database, and the memory is always as new.
    pub fn freshness(&self) -> Option<&Freshness> {
        self.freshness.as_ref()
    }

    /// Waits until what was acknowledged before this call, by any server, is in memory.
    pub async fn refresh(&self) -> Result<(), CoreError> {
        match &self.freshness {
            Some(freshness) => Ok(freshness.check().await?),
            None => Ok(()),
        }
    }

    /// What the servers of the database tell each other; `None` where there is one.
    pub fn wakes(&self) -> Option<&Arc<Wakes>> {
        self.wakes.as_ref()
    }

    /// What the servers of the database count together; `None` where there is one. From the first call on this server is one that
    /// the others know of.
    pub fn limits(&self) -> Option<&Arc<Limits>> {
        let (database, wakes) = (self.database.shared()?, self.wakes.as_ref()?);
        let start = || Limits::start(database, self.server.clone(), wakes.clone());
        Some(self.limits.get_or_init(start))
    }

    /// Rings when events were published, by any server.
    pub fn event_bell(&self) -> &Notify {
        &self.memory.published
    }

    /// Runs a write of rows that are held in memory, and `follow` when it is durable, even if the caller has gone away meanwhile:
    /// a client that hangs up in between must not leave the memory behind the database. `subject` says what the write is about:
    /// where others write the database, too, that is read again instead, at every server.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        mut write: impl FnMut(&mut Rows<'_>) -> Result<T, CoreError> + Send + 'static,
        subject: impl Fn(&T) -> Subject + Send + 'static,
        follow: impl FnOnce(&Memory, &T) + Send + 'static,
    ) -> Result<T, CoreError> {
        let memory = self.memory.clone();
        let Some(freshness) = &self.freshness else {
            return self
                .database
                .write_then(write, move |value| follow(&memory, value))
                .await;
        };
        let noting = move |rows: &mut Rows<'_>| changes::noted(rows, &mut write, &subject);
        // It may have published something.
        let wakes = self.wakes.clone();
        let ring = move |_: &T| memory.publish(wakes.as_deref());
        let value = self.database.write_then(noting, ring).await?;
        // It is durable. Who cannot see it yet is told so when they ask.
        if let Err(error) = freshness.check().await {
            CoreError::from(error).tell("a change is saved, and cannot be read yet");
        }
        Ok(value)
    }

    /// Runs a change of the approvals of plugins, which every server of the database is told of.
    pub(crate) async fn change_approvals<T, E>(
        &self,
        mut write: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + From<CoreError> + Send + 'static,
    {
        let noting = move |rows: &mut Rows<'_>| changes::noted(rows, &mut write, |_| Subject::Approvals);
        self.database.write(noting).await
    }

    /// How far this server goes by what others changed of the approvals of plugins.
    pub fn approvals(&self) -> &ApprovalChanges {
        &self.memory.approvals
    }

    /// Runs a write that publishes events, or lets one be delivered again, and rings when it is durable.
    pub(crate) async fn announce<T: Send + 'static>(
        &self,
        write: impl FnMut(&mut Rows<'_>) -> Result<T, CoreError> + Send + 'static,
    ) -> Result<T, CoreError> {
        let (memory, wakes) = (self.memory.clone(), self.wakes.clone());
        self.database
            .write_then(write, move |_| memory.publish(wakes.as_deref()))
            .await
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
