//! The databases of a server, on either engine, for [`accounts`](crate::accounts) and [`kept`](crate::kept).

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
    /// A file of a data folder.
    pub fn file(file: &Path) -> Database {
        assert!(file.is_file(), "{} is missing", file.display());
        let connection = Connection::open(file).expect("it is a database");
        Database(Mutex::new(Engine::File(connection)))
    }

    /// One of a cluster.
    pub fn shared(address: &str) -> Database {
        let session = galley_postgres::connect(address, Bounds::default()).expect("the cluster's database answers");
        Database(Mutex::new(Engine::Shared(Box::new(session))))
    }

    /// Whether it is one of a cluster.
    pub fn is_shared(&self) -> bool {
        matches!(&*self.engine(), Engine::Shared(_))
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
            panic!("the schema changed? {error}: {sql}");
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
        let rows: Vec<Value> = rows.unwrap_or_else(|error| panic!("the schema changed? {error}: {sql}"));
        rows.into_iter().filter_map(shown).collect()
    }

    /// Every text and blob.
    pub fn dump(&self) -> String {
        let columns = match self.is_file() {
            true => {
                "SELECT printf('SELECT \"%w\" FROM \"%w\"', c.name, m.name)
                 FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
            }
            false => {
                "SELECT format('SELECT %I FROM %I.%I', column_name, table_schema, table_name) FROM information_schema.columns
                 WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND data_type NOT LIKE 'timestamp%'"
            }
        };
        let columns = self.texts(columns, &[]).into_iter();
        columns
            .map(|column| self.texts(&column, &[]).join("\n") + "\n")
            .collect()
    }

    /// How many rows have this value in a column of this name, in each table that has such a column.
    pub fn rows_with(&self, column: &str, value: &str) -> Vec<u64> {
        let tables = match self.is_file() {
            true => {
                "SELECT printf('SELECT count(*) FROM \"%w\" WHERE \"%w\" = ?1', m.name, c.name)
                 FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = ?1"
            }
            false => {
                "SELECT format('SELECT count(*) FROM %I.%I WHERE %I = ?1', table_schema, table_name, column_name)
                 FROM information_schema.columns WHERE CAST(column_name AS TEXT) = ?1"
            }
        };
        let tables = self.texts(tables, &[Value::Text(column.to_owned())]).into_iter();
        let count = |table: String| self.texts(&table, &[Value::Text(value.to_owned())])[0].parse();
        tables.map(|table| count(table).expect("a number")).collect()
    }

    fn is_file(&self) -> bool {
        matches!(*self.engine(), Engine::File(_))
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
