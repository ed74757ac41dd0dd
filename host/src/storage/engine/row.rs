//! A row, while it is read.

use super::value::{FromValue, Value};
use crate::storage::sqlite::StorageError;

/// One row of an answer. Its columns are read by their index, in any order.
pub struct Row<'a> {
    engine: Engine<'a>,
}

enum Engine<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a [galley_postgres::Value]),
}

impl<'a> Row<'a> {
    pub(super) fn of_sqlite(row: &'a rusqlite::Row<'a>) -> Self {
        Self {
            engine: Engine::Sqlite(row),
        }
    }

    pub(super) fn of_postgres(columns: &'a [galley_postgres::Value]) -> Self {
        Self {
            engine: Engine::Postgres(columns),
        }
    }

    /// The column at this index, 0 for the first. [`StorageError::Column`] when it does not hold such a value.
    pub fn get<T: FromValue>(&self, at: usize) -> Result<T, StorageError> {
        let value = match self.engine {
            Engine::Sqlite(row) => Value::of_sqlite(row.get_ref(at)?),
            Engine::Postgres(columns) => columns.get(at).and_then(Value::of_postgres),
        };
        value.and_then(T::from_value).ok_or(StorageError::Column(at))
    }
}
