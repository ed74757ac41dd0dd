//! `core.db`: accounts, sign-in, sessions, tokens, projects, access lists, settings and the event outbox, with their invariants.
//!
//! Projects, access lists and settings are also held in memory, because every request asks for them: writes go to the
//! database first. One server uses a data folder at a time; a lock file ensures that.

mod access_list;
mod accounts;
mod admit;
mod attachments;
mod audit;
mod builds;
mod code_host;
mod domain_rules;
mod identities;
mod index;
mod invites;
mod links;
mod mail;
mod outbox;
mod project;
mod sessions;
mod settings;
mod tokens;
mod versions;
mod waiting;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use rusqlite::Connection;
use tokio::sync::Notify;

use super::sqlite::{Database, Migration, StorageError};

pub use accounts::{Account, NewAccount, Role};
pub use admit::{Admission, Verified};
pub use audit::{Actor, AuditEntry};
pub use builds::{BuildEnd, Enqueued, QueuedBuild};
pub use domain_rules::Domain;
pub use identities::Identity;
pub use invites::{INVITE_LENGTH, Invite, InviteState};
pub use links::{MAGIC_LINK_LENGTH, SIGN_IN_LINK_LENGTH};
pub use mail::{MailKind, MailOutcome, NewMail, StoredMailServer, WaitingMail};
pub use outbox::{Event, HOST_TOPICS, MAX_WAITING, MAX_WAITING_BYTES, NewEvent};
pub use project::{Access, NewProject, Project, ProjectChange};
pub use sessions::SESSION_LENGTH;
pub use settings::{Settings, SettingsChange};
pub use tokens::{NewToken, Token};
pub use versions::SiteVersion;
pub use waiting::Waiting;

use index::Index;

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
const UPGRADE_2: &str = include_str!("schema/upgrade_2.sql");

/// How long a start waits for the lock. A server that was killed lets go of it a moment later: a process that it was
/// about to start may still hold a copy.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two tries.
const LOCK_INTERVAL: Duration = Duration::from_millis(50);

/// Why the core did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CoreError {
    /// The named object does not exist.
    #[error("it does not exist")]
    NotFound,
    /// It exists already.
    #[error("it exists already")]
    Exists,
    /// The address has an active account.
    #[error("the address has an account")]
    HasAccount,
    /// The account was removed, and can be restored.
    #[error("the account was removed")]
    Removed,
    /// The invite was used or revoked, and cannot change any more.
    #[error("the invite was used or revoked")]
    Settled,
    /// The version is the live one.
    #[error("the version is live")]
    Live,
    /// The change would leave the instance without an active admin.
    #[error("the instance needs at least one active admin")]
    LastAdmin,
    /// The actor may not (or no longer) administer the instance.
    #[error("the caller may not administer the instance")]
    Denied,
    /// A build of the project is queued or running.
    #[error("a build is queued or running")]
    Building,
    /// A bound is reached.
    #[error("there are too many")]
    TooMany,
    /// No mail can be sent, because no mail server is set.
    #[error("no mail server is set: set one on the instance's settings page, or with SERVICE_SMTP_HOST and its group")]
    NoMailServer,
    /// Another server uses the data folder.
    #[error("another server is using the data folder {}: stop it, or set SERVICE_DATA_DIR to another folder", .0.display())]
    InUse(PathBuf),
    /// The data folder cannot be used.
    #[error("the data folder {} cannot be used: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<rusqlite::Error> for CoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// The open core of one server.
pub struct Core {
    database: Database,
    memory: Arc<Memory>,
    /// Held as long as the server lives.
    _lock: File,
}

/// Takes the lock of a data folder; whoever holds it gets [`LOCK_TIMEOUT`] to let go.
fn take(lock: &File) -> Result<(), TryLockError> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match lock.try_lock() {
            Err(_) if Instant::now() < until => std::thread::sleep(LOCK_INTERVAL),
            taken => return taken,
        }
    }
}

/// The state in memory beside the database. Only the steps after commits change it, in the order of the commits.
struct Memory {
    index: RwLock<Index>,
    settings: RwLock<Settings>,
    published: Notify,
}

impl Core {
    /// Opens or creates `core.db` in the data folder, and keeps other servers out of it.
    pub fn open(data_dir: &Path) -> Result<Self, CoreError> {
        let unusable = |source| CoreError::Folder {
            path: data_dir.to_owned(),
            source,
        };
        std::fs::create_dir_all(data_dir).map_err(unusable)?;
        let lock = File::create(data_dir.join("lock")).map_err(unusable)?;
        take(&lock).map_err(|_| CoreError::InUse(data_dir.to_owned()))?;
        let migrations = [(1, SCHEMA), (2, UPGRADE_2)].map(|(version, sql)| Migration {
            version,
            sql: sql.into(),
        });
        let database = Database::open(&data_dir.join("core.db"), &migrations, |_| Ok(()))?;
        let index = database.read(|connection| Index::load(connection))?;
        let settings = database.read(|connection| Settings::load(connection))?;
        let memory = Memory {
            index: RwLock::new(index),
            settings: RwLock::new(settings),
            published: Notify::new(),
        };
        Ok(Self {
            database,
            memory: Arc::new(memory),
            _lock: lock,
        })
    }

    /// Rings when events were published.
    pub fn event_bell(&self) -> &Notify {
        &self.memory.published
    }

    /// Runs a write, and `follow` when it is durable, even if the caller has gone away meanwhile: a client that hangs up in
    /// between must not leave the memory behind the database.
    async fn change<T: Send + 'static>(
        &self,
        write: impl FnMut(&mut Connection) -> Result<T, CoreError> + Send + 'static,
        follow: impl FnOnce(&Memory, &T) + Send + 'static,
    ) -> Result<T, CoreError> {
        let memory = self.memory.clone();
        self.database
            .write_then(write, move |value| follow(&memory, value))
            .await
    }
}

/// Whether SQLite refused a write for a unique key.
fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
}

#[cfg(test)]
mod tests;
