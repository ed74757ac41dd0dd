//! Running one statement of a plugin: binding its parameters, packing its rows, and the contract's code of what went wrong.

use std::fmt;

use galley_rows::{Cell, Rows, TooLarge};
use rusqlite::types::{ToSql, ValueRef};
use rusqlite::{CachedStatement, Connection, ErrorCode, ffi};

use crate::bounds::{exempt, failure, is_out_of_time};
use crate::check_schema;

/// The longest statement, in bytes, that is kept for the next time it is run. A statement of the largest length takes some
/// megabytes, and each connection keeps 64.
const MAX_KEPT_LENGTH: usize = 8 << 10;

/// Why a statement did not run.
#[derive(Debug)]
pub enum Failure {
    /// An error of SQLite.
    Sqlite(rusqlite::Error),
    /// The parameters do not fit.
    Parameters {
        /// Parameters in the statement.
        expected: usize,
        /// Values given.
        given: usize,
    },
    /// The rows exceed [`MAX_ROWS`](galley_rows::MAX_ROWS).
    TooLarge,
}

impl Failure {
    /// A statement that was stopped at its deadline.
    pub fn interrupted() -> Self {
        Self::Sqlite(failure(ffi::SQLITE_INTERRUPT))
    }

    /// Whether the statement was stopped because it took too long.
    pub fn is_interrupted(&self) -> bool {
        self.code() == Some("interrupted")
    }

    /// The contract's code (`wit/deps/sql.wit`); `None` when the database itself failed, which is not for the plugin.
    pub fn code(&self) -> Option<&'static str> {
        let Self::Sqlite(error) = self else {
            return Some(match self {
                Self::TooLarge => "too-large",
                _ => "sql",
            });
        };
        Some(match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => "interrupted",
            Some(ErrorCode::ConstraintViolation) => "constraint",
            Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => "refused",
            Some(ErrorCode::TooBig | ErrorCode::OutOfMemory) => "too-large",
            Some(
                ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::DatabaseCorrupt,
            ) => return None,
            // SQLite has no code of its own for a function that the authorizer refuses.
            _ if error.to_string().contains("not authorized to use function") => "refused",
            _ => "sql",
        })
    }

    /// What happened when the time was up: whatever SQLite made of the memory it did not get any more.
    fn within_time(self) -> Self {
        match self {
            Self::Sqlite(_) if is_out_of_time() => Self::interrupted(),
            failure => failure,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::OutOfMemory) => {
                write!(
                    f,
                    "The statement needs more than {} MiB of memory.",
                    crate::MAX_MEMORY >> 20
                )
            }
            Self::Sqlite(error) => write!(f, "{error}"),
            Self::Parameters { expected, given } => {
                write!(f, "The statement has {expected} parameters, {given} were given.")
            }
            Self::TooLarge => write!(f, "{TooLarge}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<TooLarge> for Failure {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// Runs a statement and packs its rows (the format stands in wit/deps/sql.wit).
pub fn query<P: ToSql>(
    connection: &Connection,
    sql: &str,
    params: impl ExactSizeIterator<Item = P>,
) -> Result<Vec<u8>, Failure> {
    with_statement(connection, sql, params, pack_rows)
}

/// The same for a statement whose rows do not matter: the number of rows it changed.
pub fn execute<P: ToSql>(
    connection: &Connection,
    sql: &str,
    params: impl ExactSizeIterator<Item = P>,
) -> Result<u64, Failure> {
    let before = connection.total_changes();
    with_statement(connection, sql, params, |statement| {
        let mut rows = statement.raw_query();
        while rows.next()?.is_some() {}
        drop(rows);
        Ok(match statement.readonly() {
            true => 0,
            false => connection.total_changes() - before,
        })
    })
}

fn with_statement<P: ToSql, T>(
    connection: &Connection,
    sql: &str,
    params: impl ExactSizeIterator<Item = P>,
    run: impl FnOnce(&mut CachedStatement<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let work = || {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        let answer = run(&mut statement);
        match sql.len() > MAX_KEPT_LENGTH {
            true => statement.discard(),
            false => drop(statement),
        }
        let answer = answer?;
        check_schema(connection)?;
        Ok(answer)
    };
    work().map_err(Failure::within_time)
}

fn bind<P: ToSql>(
    statement: &mut CachedStatement<'_>,
    params: impl ExactSizeIterator<Item = P>,
) -> Result<(), Failure> {
    let expected = statement.parameter_count();
    if expected != params.len() {
        return Err(Failure::Parameters {
            expected,
            given: params.len(),
        });
    }
    for (at, value) in (1..).zip(params) {
        statement.raw_bind_parameter(at, value)?;
    }
    Ok(())
}

fn pack_rows(statement: &mut CachedStatement<'_>) -> Result<Vec<u8>, Failure> {
    let columns = statement.column_count();
    let mut packed = Rows::of(columns);
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            packed.push(cell(exempt(|| row.get_ref(column))?))?;
        }
    }
    Ok(packed.into_bytes())
}

#[inline]
fn cell(value: ValueRef<'_>) -> Cell<'_> {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Integer(value),
        ValueRef::Real(value) => Cell::Real(value),
        ValueRef::Text(value) => Cell::Text(value),
        ValueRef::Blob(value) => Cell::Blob(value),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::types::Value;

    use super::*;

    fn connection() -> Connection {
        crate::watch_memory();
        Connection::open_in_memory().unwrap()
    }

    fn none() -> std::iter::Empty<Value> {
        std::iter::empty()
    }

    #[test]
    fn every_kind_of_value_is_packed() {
        let values = [
            Value::Null,
            Value::Integer(-2),
            Value::Real(0.5),
            Value::Text("é".into()),
            Value::Blob(vec![7]),
        ];
        let packed = query(&connection(), "SELECT ?1, ?2, ?3, ?4, ?5", values.iter()).unwrap();
        let mut expected = vec![5, 0, 0, 0, 0, 1];
        expected.extend((-2i64).to_le_bytes());
        expected.push(2);
        expected.extend(0.5f64.to_le_bytes());
        expected.extend([3, 2, 0, 0, 0, 0xc3, 0xa9, 4, 1, 0, 0, 0, 7]);
        assert_eq!(packed, expected);
    }

    #[test]
    fn parameters_must_fit() {
        let answer = query(&connection(), "SELECT ?1", none());
        assert!(matches!(answer, Err(Failure::Parameters { expected: 1, given: 0 })));
    }

    #[test]
    fn changes_are_counted() {
        let connection = connection();
        connection.execute_batch("CREATE TABLE t (n)").unwrap();
        assert_eq!(
            execute(&connection, "INSERT INTO t VALUES (1), (2)", none()).unwrap(),
            2
        );
        assert_eq!(
            execute(&connection, "UPDATE t SET n = 3 RETURNING n", none()).unwrap(),
            2
        );
        assert_eq!(execute(&connection, "SELECT * FROM t", none()).unwrap(), 0);
    }

    #[test]
    fn rows_are_bounded_within_a_row_too() {
        let value = [Value::Blob(vec![0; 1 << 19])];
        let sql = format!("SELECT {}", vec!["?1"; 100].join(", "));
        let answer = query(&connection(), &sql, value.iter());
        assert!(matches!(answer, Err(Failure::TooLarge)));
    }
}
