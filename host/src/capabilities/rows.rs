//! Packs rows of SQL results for a plugin, and binds its parameters.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ffi};

use super::contract::galley::sql::sql::Value;
use super::{Problem, problem};
use crate::storage::core::{MAX_WAITING, MAX_WAITING_BYTES};
use crate::storage::restrict::check_schema;
use crate::storage::sqlite::StorageError;

/// The most bytes of rows that a statement answers.
const MAX_ROWS: usize = 16 << 20;

/// Why a statement of a plugin did not run.
#[derive(Debug)]
pub enum SqlError {
    /// An error of SQLite or the storage layer.
    Storage(StorageError),
    /// The parameters do not fit.
    Parameters {
        /// Parameters in the statement.
        expected: usize,
        /// Values given.
        given: usize,
    },
    /// Too many events of the plugin wait in its database.
    Backlog,
    /// The rows exceed the size that a plugin may get at once.
    TooLarge,
    /// A statement of a batch changed a different number of rows than expected.
    Expectation {
        /// Index of the statement.
        step: usize,
        /// Rows it had to change.
        expected: u64,
        /// Rows it changed.
        changed: u64,
    },
}

impl From<StorageError> for SqlError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<rusqlite::Error> for SqlError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(error.into())
    }
}

impl SqlError {
    /// Whether the statement was stopped because it took too long.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Storage(StorageError::Sqlite(error))
            if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted))
    }

    /// The contract's code and a message.
    pub fn into_problem(self) -> Problem {
        use rusqlite::ErrorCode as Code;
        match self {
            Self::Storage(StorageError::Sqlite(error)) => {
                let code = match error.sqlite_error_code() {
                    Some(Code::OperationInterrupted) => "interrupted",
                    Some(Code::ConstraintViolation) => "constraint",
                    Some(Code::AuthorizationForStatementDenied | Code::ReadOnly) => "refused",
                    Some(Code::TooBig) => "too-large",
                    Some(Code::DiskFull | Code::SystemIoFailure | Code::CannotOpen | Code::DatabaseCorrupt) => {
                        return super::internal("a plugin's database failed", &error);
                    }
                    _ => "sql",
                };
                problem(code, error.to_string())
            }
            Self::Storage(error) => super::internal("a plugin's database failed", &error),
            Self::Parameters { expected, given } => problem(
                "sql",
                format!("The statement has {expected} parameters, {given} were given."),
            ),
            Self::Backlog => problem(
                "backlog",
                format!(
                    "More than {MAX_WAITING} events or {MAX_WAITING_BYTES} bytes of this plugin have not been delivered yet."
                ),
            ),
            Self::TooLarge => problem("too-large", format!("The rows have more than {MAX_ROWS} bytes.")),
            Self::Expectation {
                step,
                expected,
                changed,
            } => problem(
                "expectation",
                format!("Step {step} had to change {expected} rows and changed {changed}; nothing was written."),
            ),
        }
    }
}

/// Runs a statement and packs its rows (the format stands in wit/deps/sql.wit).
pub fn run(connection: &Connection, sql: &str, params: &[Value]) -> Result<Vec<u8>, SqlError> {
    let mut statement = prepare(connection, sql, params)?;
    let columns = statement.column_count();
    let mut packed = Vec::with_capacity(if columns == 0 { 4 } else { 1024 });
    packed.extend_from_slice(&(columns as u32).to_le_bytes());
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            pack(&mut packed, row.get_ref(column)?);
        }
        if packed.len() > MAX_ROWS {
            return Err(SqlError::TooLarge);
        }
    }
    drop(rows);
    check_schema(connection)?;
    Ok(packed)
}

/// The same for a statement whose rows do not matter: the number of rows it changed.
pub fn execute(connection: &Connection, sql: &str, params: &[Value]) -> Result<u64, SqlError> {
    let before = connection.total_changes();
    let mut statement = prepare(connection, sql, params)?;
    let mut rows = statement.raw_query();
    while rows.next()?.is_some() {}
    drop(rows);
    check_schema(connection)?;
    Ok(if statement.readonly() {
        0
    } else {
        connection.total_changes() - before
    })
}

fn prepare<'c>(connection: &'c Connection, sql: &str, params: &[Value]) -> Result<CachedStatement<'c>, SqlError> {
    let mut statement = connection.prepare_cached(sql)?;
    let expected = statement.parameter_count();
    if expected != params.len() {
        return Err(SqlError::Parameters {
            expected,
            given: params.len(),
        });
    }
    for (at, value) in (1..).zip(params) {
        statement.raw_bind_parameter(at, Bound(value))?;
    }
    Ok(statement)
}

struct Bound<'v>(&'v Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null => ValueRef::Null,
            Value::Integer(value) => ValueRef::Integer(*value),
            Value::Real(value) => ValueRef::Real(*value),
            Value::Text(value) => ValueRef::Text(value.as_bytes()),
            Value::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

fn pack(packed: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => packed.push(0),
        ValueRef::Integer(value) => {
            packed.push(1);
            packed.extend_from_slice(&value.to_le_bytes());
        }
        ValueRef::Real(value) => {
            packed.push(2);
            packed.extend_from_slice(&value.to_le_bytes());
        }
        ValueRef::Text(value) => pack_bytes(packed, 3, value),
        ValueRef::Blob(value) => pack_bytes(packed, 4, value),
    }
}

fn pack_bytes(packed: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    packed.push(tag);
    // SQLite's own limit keeps a value below 2^31 bytes.
    packed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    packed.extend_from_slice(bytes);
}

/// The first cell of packed rows, when it is a text.
pub fn first_text(packed: &[u8]) -> Option<&str> {
    let cell = packed.get(4..)?;
    let (&3, rest) = cell.split_first()? else { return None };
    let (length, text) = rest.split_first_chunk()?;
    std::str::from_utf8(text.get(..u32::from_le_bytes(*length) as usize)?).ok()
}

/// SQLite's error for an interrupted statement.
pub fn interrupted() -> SqlError {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_INTERRUPT), None).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_packed() {
        let connection = Connection::open_in_memory().unwrap();
        let values = [
            Value::Null,
            Value::Integer(-2),
            Value::Real(0.5),
            Value::Text("é".into()),
            Value::Blob(vec![7]),
        ];
        let packed = run(&connection, "SELECT ?1, ?2, ?3, ?4, ?5", &values).unwrap();
        let mut expected = vec![5, 0, 0, 0, 0, 1];
        expected.extend((-2i64).to_le_bytes());
        expected.push(2);
        expected.extend(0.5f64.to_le_bytes());
        expected.extend([3, 2, 0, 0, 0, 0xc3, 0xa9, 4, 1, 0, 0, 0, 7]);
        assert_eq!(packed, expected);
    }

    #[test]
    fn the_first_text_is_found() {
        let connection = Connection::open_in_memory().unwrap();
        let first = |sql| first_text(&run(&connection, sql, &[]).unwrap()).map(str::to_owned);
        assert_eq!(first("SELECT 'p1', 2").as_deref(), Some("p1"));
        assert_eq!(first("SELECT 2"), None);
        assert_eq!(first("SELECT 'x' WHERE 0"), None);
    }

    #[test]
    fn parameters_must_fit() {
        let connection = Connection::open_in_memory().unwrap();
        let answer = run(&connection, "SELECT ?1", &[]);
        assert!(matches!(answer, Err(SqlError::Parameters { expected: 1, given: 0 })));
    }

    #[test]
    fn changes_are_counted() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (n)").unwrap();
        assert_eq!(execute(&connection, "INSERT INTO t VALUES (1), (2)", &[]).unwrap(), 2);
        assert_eq!(execute(&connection, "UPDATE t SET n = 3 RETURNING n", &[]).unwrap(), 2);
        assert_eq!(execute(&connection, "SELECT * FROM t", &[]).unwrap(), 0);
    }
}
