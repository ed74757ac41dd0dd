//! An open database of a slot, whatever engine has it. What runs a plugin's statements there (`capabilities/statements`) knows the
//! engines; who opens a slot and bounds it does not.

use std::sync::Arc;

use super::sqlite::{self, StorageError};

/// An open database of a slot. Clones are the same one.
#[derive(Clone)]
pub enum Database {
    /// A file of this server's.
    Sqlite(Arc<sqlite::Database>),
    /// A database that the servers of a cluster use.
    Postgres(Arc<galley_postgres::slot::Database>),
}

impl Database {
    /// Bounds its size, from the next writes on. One that is larger stays as it is and does not grow.
    pub fn set_max_bytes(&self, bytes: u64) -> Result<(), StorageError> {
        match self {
            Self::Sqlite(file) => file.set_max_bytes(bytes),
            Self::Postgres(database) => {
                database.set_max_bytes(bytes);
                Ok(())
            }
        }
    }

    /// Whether a write that found no room found none because of [`set_max_bytes`](Self::set_max_bytes).
    pub fn is_bounded(&self) -> bool {
        match self {
            Self::Sqlite(file) => file.is_bounded(),
            Self::Postgres(_) => true,
        }
    }
    /// Whether another server changed the data in such a way that they have to be opened anew. Only a cluster's are.
    pub fn is_superseded(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(database) => database.is_superseded(),
        }
    }
}

impl Database {
    /// Commits what is staged; the database is an ordinary one then. It may wait, so it is not for threads that others wait for.
    pub fn promote(&self) -> Result<(), StorageError> {
        match self {
            Self::Sqlite(file) => file.promote(),
            Self::Postgres(database) => {
                let promoted = tokio::runtime::Handle::current().block_on(database.promote());
                promoted.map_err(|failure| StorageError::Commit(failure.to_string()))
            }
        }
    }

    /// Rolls back what is staged: from now on the database refuses reads and writes.
    pub fn abandon(&self) {
        match self {
            Self::Sqlite(file) => file.abandon(),
            Self::Postgres(database) => database.abandon(),
        }
    }
}

impl From<sqlite::Database> for Database {
    fn from(file: sqlite::Database) -> Self {
        Self::Sqlite(Arc::new(file))
    }
}

impl From<galley_postgres::slot::Database> for Database {
    fn from(database: galley_postgres::slot::Database) -> Self {
        Self::Postgres(Arc::new(database))
    }
}
