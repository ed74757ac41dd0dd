//! Why the core did not do what was asked.

use galley_postgres::{Failure, OpenError};

use crate::storage::data_folder::FolderError;
use crate::storage::outage;
use crate::storage::sqlite::StorageError;
use crate::storage::transfer::TransferError;

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
    /// The data folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Another server has taken over the work meanwhile.
    #[error("another server has taken over meanwhile")]
    Superseded,
    /// The database is not one that a server starts on, or cannot be reached.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// Another server of the database that is there has the name of this one.
    #[error(
        "another server of the cluster, at {address}, is called `{name}`, too: give this one another name (SERVICE_NODE_NAME), or stop \
         the other one"
    )]
    NameTaken {
        /// The name.
        name: String,
        /// Where the other one listens.
        address: String,
    },
    /// The database's secrets are sealed with another key.
    #[error(
        "the key in SERVICE_CLUSTER_KEY_FILE is not the one that this database began with: copy the file from a server of the \
         cluster, or name an empty database"
    )]
    OtherKey,
    /// No server has used the database, or none of a version that says what it is called.
    #[error(
        "the database has no cluster that can be told of: no `galley serve` of this version has used it yet (SERVICE_DATABASE_URL names \
         the database)"
    )]
    NoCluster,
    /// The database is being filled from a backup, or an import was interrupted.
    #[error(
        "an import into this database is under way, or was interrupted: run `galley import` with the backup (again) until it says that \
         it is done, or name another database"
    )]
    Importing,
    /// A backup cannot fill the database. Holds what it has.
    #[error(
        "the database is not empty (it has {0}), and `galley import` fills none but an empty one: name a new database in \
         SERVICE_DATABASE_URL, and a new bucket or folder of it in SERVICE_OBJECTS_URL"
    )]
    NotEmpty(&'static str),
    /// Servers run on the database that is to be filled. Holds how long one that was killed counts, in seconds.
    #[error("a server uses the database: stop all servers, wait {0} s, and import then")]
    InUseByServers(u64),
    /// The rows could not be copied from one engine to the other.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<Failure> for CoreError {
    fn from(failure: Failure) -> Self {
        StorageError::from(failure).into()
    }
}

impl CoreError {
    /// Whether the database could not do it at the moment, and changed nothing.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Storage(error) if error.is_passing())
    }

    /// Says in the log what could not be done.
    pub fn tell(&self, what: &str) {
        match self {
            Self::Storage(StorageError::Postgres(Failure::Unavailable(_))) => outage::DATABASE.away(what, self),
            _ if self.is_passing() || self.is_in_doubt() => tracing::warn!("{what}: {self}"),
            _ => tracing::error!("{what}: {self}"),
        }
    }

    /// Whether nobody knows if it was done.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self, Self::Storage(error) if error.is_in_doubt())
    }
}
