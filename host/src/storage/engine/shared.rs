//! What a server asks of a database that others write, too, beside its own reads and writes.

use galley_postgres::{Autocommit, Channel, Database, Failure, Heard, Probe, Session};

use super::rows::Rows;
use crate::storage::sqlite::StorageError;

/// A database that others write.
#[derive(Clone)]
pub struct Shared {
    database: Database,
}

/// Why a transaction did not succeed: because of the database, or because its closure said so.
pub(super) enum Undone<E> {
    Failed(Failure),
    Refused(E),
}

impl<E> From<Failure> for Undone<E> {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl<E> Undone<E> {
    /// The database's failure.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failed(failure) => Some(failure),
            Self::Refused(_) => None,
        }
    }
}

impl<E: From<StorageError>> Undone<E> {
    pub(super) fn into_error(self) -> E {
        match self {
            Self::Failed(failure) => StorageError::from(failure).into(),
            Self::Refused(error) => error,
        }
    }
}

impl Shared {
    pub(super) fn of(database: Database) -> Self {
        Self { database }
    }

    /// See [`Database::read`](super::Database::read).
    pub async fn read<T, E>(&self, mut read: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let read = move |session: &mut Session| read(&mut Rows::of_postgres(session)).map_err(Undone::Refused);
        self.database.read(read).await.map_err(Undone::into_error)
    }

    /// A statement without parameters that answers one integer, to be asked often.
    pub fn watch(&self, sql: &'static str) -> Watch {
        Watch(self.database.probe(sql))
    }

    /// A connection of its own for short statements, each a transaction of its own that waits for no other write of this server.
    pub fn autocommit(&self) -> Autocommit {
        self.database.autocommit()
    }

    /// What the servers of the database ring for each other under this name.
    pub fn channel(&self, name: &'static str, heard: impl Fn(Heard<'_>) + Send + Sync + 'static) -> Channel {
        self.database.channel(name, heard)
    }
}

/// A statement that is asked often.
pub struct Watch(Probe);

impl Watch {
    /// What it answers now. An answer takes no longer than 1.5 s.
    pub async fn ask(&mut self) -> Result<i64, StorageError> {
        Ok(self.0.ask().await?)
    }
}

/// The database does not answer.
pub fn away(reason: &str) -> StorageError {
    Failure::Unavailable(reason.to_owned()).into()
}
