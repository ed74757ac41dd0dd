//! The server's own database, on either engine, for [`accounts`](crate::accounts).

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use galley_postgres::{Bounds, Session, Value};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// An open database.
#[derive(Debug)]
pub(crate) struct Database(Mutex<Engine>);

enum Engine {
    File(Connection),
    Shared(Box<Session>),
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Engine::File(_) => "a file",
            Engine::Shared(_) => "PostgreSQL",
        })
    }
}

impl Database {
    /// The file of a data folder.
    pub fn file(file: &Path) -> Database {
        assert!(file.is_file(), "{} is missing", file.display());
        let connection = Connection::open(file).expect("core.db is a database");
        Database(Mutex::new(Engine::File(connection)))
    }

    /// That of a cluster.
    pub fn shared(address: &str) -> Database {
        let session = galley_postgres::connect(address, Bounds::default()).expect("the cluster's database answers");
        Database(Mutex::new(Engine::Shared(Box::new(session))))
    }

    /// Runs a statement.
    #[track_caller]
    pub fn run(&self, sql: &str, values: &[Value]) {
        let ran = match &mut *self.engine() {
            Engine::File(connection) => {
                let values = rusqlite::params_from_iter(values.iter().map(bound));
                connection.execute(sql, values).map_err(|error| error.to_string())
            }
            Engine::Shared(session) => match session.execute(sql, values) {
                Ok(changed) => Ok(usize::try_from(changed).unwrap_or(usize::MAX)),
                Err(failure) => Err(failure.to_string()),
            },
        };
        if let Err(error) = ran {
            panic!("the schema of the core changed? {error}: {sql}");
        }
    }

    /// The first column of the rows of a statement, as texts.
    #[track_caller]
    pub fn texts(&self, sql: &str, values: &[Value]) -> Vec<String> {
        let rows = match &mut *self.engine() {
            Engine::File(connection) => rows_of_file(connection, sql, values).map_err(|error| error.to_string()),
            Engine::Shared(session) => match session.query(sql, values) {
                Ok(rows) => Ok(rows.into_iter().filter_map(|row| row.into_iter().next()).collect()),
                Err(failure) => Err(failure.to_string()),
            },
        };
        let rows: Vec<Value> = rows.unwrap_or_else(|error| panic!("the schema of the core changed? {error}: {sql}"));
        rows.into_iter().filter_map(shown).collect()
    }

    /// Every text and blob.
    pub fn dump(&self) -> String {
        let is_file = matches!(*self.engine(), Engine::File(_));
        let (tables, columns) = match is_file {
            true => (
                "SELECT name FROM sqlite_master WHERE type = 'table'",
                "SELECT name FROM pragma_table_info(?1)",
            ),
            false => (
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public'",
                "SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                 WHERE CAST(table_name AS TEXT) = ?1 AND data_type NOT LIKE 'timestamp%'",
            ),
        };
        let mut dump = String::new();
        for table in self.texts(tables, &[]) {
            for column in self.texts(columns, &[Value::Text(table.clone())]) {
                let rows = self.texts(&format!("SELECT \"{column}\" FROM \"{table}\""), &[]);
                dump.push_str(&rows.join("\n"));
                dump.push('\n');
            }
        }
        dump
    }

    fn engine(&self) -> std::sync::MutexGuard<'_, Engine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn rows_of_file(connection: &Connection, sql: &str, values: &[Value]) -> rusqlite::Result<Vec<Value>> {
    let mut statement = connection.prepare(sql)?;
    let values = rusqlite::params_from_iter(values.iter().map(bound));
    let rows = statement.query_map(values, |row| {
        Ok(match row.get_ref(0)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(value) => Value::Integer(value),
            ValueRef::Real(value) => Value::Real(value),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_owned()),
        })
    })?;
    rows.collect()
}

fn bound(value: &Value) -> rusqlite::types::Value {
    use rusqlite::types::Value as Bound;
    match value {
        Value::Null => Bound::Null,
        Value::Integer(value) => Bound::Integer(*value),
        Value::Real(value) => Bound::Real(*value),
        Value::Text(text) => Bound::Text(text.clone()),
        Value::Blob(bytes) => Bound::Blob(bytes.clone()),
    }
}

fn shown(value: Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        Value::Text(text) => text,
        Value::Blob(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
    })
}
