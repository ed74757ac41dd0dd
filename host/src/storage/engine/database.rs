//! An open database: reads, and writes that are durable when they resolve.

use std::path::Path;

use super::rows::Rows;
use super::shared::Shared;
use crate::storage::committed;
use crate::storage::sqlite::{self, Migration, StorageError};

/// An open database. Dropping it ends it after the writes that were handed over.
pub struct Database {
    engine: Engine,
}

enum Engine {
    Sqlite(sqlite::Database),
    Postgres(super::postgres::Postgres),
}

impl Database {
    /// Opens or creates a SQLite file, and brings it to the last migration.
    pub fn open_file(path: &Path, migrations: &[Migration]) -> Result<Self, StorageError> {
        let file = sqlite::Database::open(path, migrations, |_| Ok(()))?;
        Ok(Self {
            engine: Engine::Sqlite(file),
        })
    }

    /// Opens a database of PostgreSQL at an address, and brings it to the last migration.
    pub async fn open_postgres(
        address: galley_postgres::Address,
        migrations: &[Migration],
        bounds: galley_postgres::Bounds,
    ) -> Result<Self, galley_postgres::OpenError> {
        let database = super::postgres::Postgres::open(address, migrations, bounds).await?;
        Ok(Self {
            engine: Engine::Postgres(database),
        })
    }

    /// Runs a read, which cannot write and sees one state of the database. Meant for short, indexed statements: where the
    /// database is a file they run on this thread, at once. The closure may run several times.
    pub async fn read<T, E>(&self, mut read: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        match &self.engine {
            Engine::Sqlite(file) => file.read(|connection| read(&mut Rows::of_sqlite(connection))),
            // In a box: every future with a read would have room for this one, also where the database is a file.
            Engine::Postgres(database) => Box::pin(database.shared().read(read)).await,
        }
    }

    /// What is asked of a database that others write, too; `None` for a file.
    pub fn shared(&self) -> Option<&Shared> {
        match &self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(database) => Some(database.shared()),
        }
    }

    /// Whether a database that others write, too, has acknowledged no write for long although one is to be.
    pub fn is_stuck(&self) -> bool {
        match &self.engine {
            Engine::Sqlite(_) => false,
            Engine::Postgres(database) => database.is_stuck(),
        }
    }

    /// Runs a write in a transaction of its own, durable when this resolves. The closure may run several times, so it must
    /// have no effect but on the database; an `Err` undoes what it did.
    pub async fn write<T, E>(&self, write: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.write_then(write, |_| ()).await
    }

    /// The same with a step behind it: `then` runs once, when the write is durable and before this resolves. Steps run in the
    /// order of the commits, and also when the caller has gone away meanwhile: what is held in memory beside the database can
    /// follow it. It must be short.
    pub async fn write_then<T, E>(
        &self,
        mut write: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let written = match &self.engine {
            Engine::Sqlite(file) => {
                let write = move |connection: &mut rusqlite::Connection| write(&mut Rows::of_sqlite(connection));
                file.write_then(write, then).await
            }
            Engine::Postgres(database) => database.write_then(write, then).await,
        };
        written.inspect(|_| committed::note())
    }
}
