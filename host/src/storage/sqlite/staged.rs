//! A database whose changes are not committed yet: new steps ran in an open transaction, and what a plugin's start reads and
//! writes is a part of it.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;

use super::error::StorageError;
use super::writer::Job;

/// The connection with the open transaction.
#[derive(Default)]
pub(super) enum Stage {
    /// Nothing is staged: reads and writes take the ordinary way.
    #[default]
    Over,
    /// It waits for the next statement.
    Here(Box<Connection>),
    /// A transaction of the plugin has it.
    Lent,
    /// SQLite rolled the transaction back: its steps did not happen.
    Lost,
}

/// A connection inside a transaction. Dropping it rolls back.
pub struct Transaction {
    connection: Option<Box<Connection>>,
    /// Where a staged connection goes back to.
    home: Option<Arc<Mutex<Stage>>>,
}

impl Transaction {
    /// Begins on a connection of its own, and waits for the file's writers.
    pub(super) fn begin(connection: Connection, wait: Duration) -> Result<Self, StorageError> {
        connection.busy_timeout(wait)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self {
            connection: Some(Box::new(connection)),
            home: None,
        })
    }

    /// Begins inside a staged transaction. `None` when nothing is staged.
    pub(super) fn inside(stage: &Arc<Mutex<Stage>>) -> Result<Option<Self>, StorageError> {
        let mut guard = stage.lock();
        match std::mem::replace(&mut *guard, Stage::Lent) {
            Stage::Over => {
                *guard = Stage::Over;
                Ok(None)
            }
            Stage::Here(connection) => {
                let begun = connection.execute_batch("SAVEPOINT inner");
                if let Err(error) = begun {
                    *guard = Stage::Here(connection);
                    return Err(error.into());
                }
                Ok(Some(Self {
                    connection: Some(connection),
                    home: Some(stage.clone()),
                }))
            }
            gone => {
                *guard = gone;
                Err(StorageError::Gone)
            }
        }
    }

    /// Ends it and keeps its changes.
    pub fn commit(mut self) -> rusqlite::Result<()> {
        self.end(match self.home {
            Some(_) => "RELEASE inner",
            None => "COMMIT",
        })
    }

    fn end(&mut self, how: &str) -> rusqlite::Result<()> {
        let Some(connection) = self.connection.take() else {
            return Ok(());
        };
        let ended = connection.execute_batch(how);
        if let Some(home) = &self.home {
            let mut stage = home.lock();
            if matches!(*stage, Stage::Lent) {
                *stage = kept(connection);
            }
        }
        ended
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        // It is only taken by what consumes or drops the transaction.
        self.connection.as_deref().expect("the transaction has not ended")
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.home.is_some() {
            let _ = self.end("ROLLBACK TO inner; RELEASE inner");
        }
    }
}

/// The connection, unless SQLite rolled its transaction back.
fn kept(connection: Box<Connection>) -> Stage {
    match connection.is_autocommit() {
        true => Stage::Lost,
        false => Stage::Here(connection),
    }
}

impl Stage {
    /// Reads what the transaction has done so far. `None` when nothing is staged.
    pub fn read<T>(&mut self, read: impl FnOnce(&mut Connection) -> T) -> Option<Result<T, StorageError>> {
        match self {
            Stage::Over => None,
            Stage::Here(connection) => Some((|| {
                connection.pragma_update(None, "query_only", true)?;
                let answer = read(connection);
                connection.pragma_update(None, "query_only", false)?;
                Ok(answer)
            })()),
            Stage::Lent | Stage::Lost => Some(Err(StorageError::Gone)),
        }
    }

    /// Runs a write as a part of the transaction. Gives it back when nothing is staged.
    pub fn write(&mut self, mut job: Box<dyn Job>) -> Option<Box<dyn Job>> {
        match std::mem::replace(self, Stage::Lent) {
            Stage::Over => {
                *self = Stage::Over;
                Some(job)
            }
            Stage::Here(mut connection) => {
                let begun = connection.execute_batch("SAVEPOINT job");
                let stays = begun.is_ok() && job.run(&mut connection);
                let end = match stays {
                    true => "RELEASE job",
                    false => "ROLLBACK TO job; RELEASE job",
                };
                let ended = begun.and_then(|()| connection.execute_batch(end));
                *self = kept(connection);
                job.finish(ended.map_err(|error| error.to_string()));
                None
            }
            gone => {
                *self = gone;
                job.finish(Err(StorageError::Gone.to_string()));
                None
            }
        }
    }
}
