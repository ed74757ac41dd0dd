//! The statements of a transaction.

use rusqlite::{Connection, params_from_iter};

use super::parameters::Parameters;
use super::row::Row;
use super::value::Value;
use crate::storage::sqlite::StorageError;

/// A transaction under way, as its closure sees it. Each statement is prepared once for a connection and kept.
pub struct Rows<'a> {
    engine: Engine<'a>,
}

enum Engine<'a> {
    Sqlite(&'a Connection),
    Postgres(&'a mut galley_postgres::Session),
}

impl<'a> Rows<'a> {
    pub(super) fn of_sqlite(connection: &'a Connection) -> Self {
        Self {
            engine: Engine::Sqlite(connection),
        }
    }

    /// Those of a session whose transaction somebody else began.
    pub(crate) fn of_postgres(session: &'a mut galley_postgres::Session) -> Self {
        Self {
            engine: Engine::Postgres(session),
        }
    }

    /// Whether other servers may write the database, too.
    pub fn is_shared(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_))
    }

    /// Runs a statement that answers no rows. Returns how many it changed.
    pub fn execute(&mut self, sql: &str, parameters: impl Parameters) -> Result<usize, StorageError> {
        match self.engine {
            Engine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                Ok(parameters.with(|values| statement.execute(params_from_iter(values)))?)
            }
            Engine::Postgres(ref mut session) => {
                let changed = parameters.with(|values| session.execute(sql, &owned(values)))?;
                Ok(usize::try_from(changed).unwrap_or(usize::MAX))
            }
        }
    }

    /// The first row of a statement's answer; `None` when there is none.
    pub fn fetch_optional<T>(
        &mut self,
        sql: &str,
        parameters: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, StorageError>,
    ) -> Result<Option<T>, StorageError> {
        match self.engine {
            Engine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                parameters.with(|values| {
                    let mut rows = statement.query(params_from_iter(values))?;
                    rows.next()?.map(|row| read(&Row::of_sqlite(row))).transpose()
                })
            }
            Engine::Postgres(ref mut session) => {
                let rows = parameters.with(|values| session.query(sql, &owned(values)))?;
                rows.first().map(|row| read(&Row::of_postgres(row))).transpose()
            }
        }
    }

    /// The first row of a statement that always has one, such as a count. [`StorageError::NoRow`] when it has none.
    pub fn fetch_one<T>(
        &mut self,
        sql: &str,
        parameters: impl Parameters,
        read: impl FnOnce(&Row<'_>) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        self.fetch_optional(sql, parameters, read)?.ok_or(StorageError::NoRow)
    }

    /// All rows of a statement's answer.
    pub fn fetch_all<T>(
        &mut self,
        sql: &str,
        parameters: impl Parameters,
        mut read: impl FnMut(&Row<'_>) -> Result<T, StorageError>,
    ) -> Result<Vec<T>, StorageError> {
        match self.engine {
            Engine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                parameters.with(|values| {
                    let mut rows = statement.query(params_from_iter(values))?;
                    let mut all = Vec::new();
                    while let Some(row) = rows.next()? {
                        all.push(read(&Row::of_sqlite(row))?);
                    }
                    Ok(all)
                })
            }
            Engine::Postgres(ref mut session) => {
                let rows = parameters.with(|values| session.query(sql, &owned(values)))?;
                rows.iter().map(|row| read(&Row::of_postgres(row))).collect()
            }
        }
    }
}

/// The parameters of a statement for PostgreSQL.
fn owned(values: &[Value<'_>]) -> Vec<galley_postgres::Value> {
    values.iter().map(|value| value.to_postgres()).collect()
}
