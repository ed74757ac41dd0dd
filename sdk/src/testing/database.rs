//! The plugin's database: SQLite in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use galley_manifest::Migration;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::{Value as Sqlite, ValueRef};
use rusqlite::{Connection, ErrorCode, Statement, params_from_iter};

use super::problem;
use crate::bindings::galley::sql::sql::Step;
use crate::error::Problem;
use crate::sql::Value;

/// The plugin's database.
pub(crate) struct Database {
    connection: Connection,
    /// Set while the host itself runs a statement.
    host: Arc<AtomicBool>,
}

impl Database {
    /// An empty database after the migrations.
    pub(crate) fn open(migrations: &[Migration]) -> Database {
        let host = Arc::new(AtomicBool::new(false));
        let mut connection = Connection::open_in_memory().expect("SQLite opens in memory");
        let by_host = host.clone();
        let allow = move |context: AuthContext<'_>| match context.action {
            _ if by_host.load(Ordering::Relaxed) => Authorization::Allow,
            AuthAction::Attach { .. }
            | AuthAction::Detach { .. }
            | AuthAction::Pragma { .. }
            | AuthAction::Transaction { .. }
            | AuthAction::Savepoint { .. } => Authorization::Deny,
            _ => Authorization::Allow,
        };
        connection.authorizer(Some(allow)).expect("SQLite takes an authorizer");
        let database = Database { connection, host };
        database
            .by_host("PRAGMA foreign_keys = ON")
            .expect("SQLite knows foreign keys");
        for Migration { version, sql } in migrations {
            let done = database.connection.execute_batch(sql);
            done.unwrap_or_else(|error| panic!("migration {version}: {error}"));
        }
        database
    }

    pub(crate) fn by_host(&self, sql: &str) -> Result<(), Problem> {
        self.host.store(true, Ordering::Relaxed);
        let done = self.connection.execute_batch(sql).map_err(from_sqlite);
        self.host.store(false, Ordering::Relaxed);
        done
    }

    pub(crate) fn has_open_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Whether a statement compiles and only reads.
    pub(crate) fn check(&self, sql: &str) -> Result<(), Problem> {
        let statement = self.connection.prepare(sql).map_err(from_sqlite)?;
        if statement.readonly() {
            Ok(())
        } else {
            problem("refused", "The statement must only read")
        }
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<u8>, Problem> {
        self.check(sql)?;
        self.run(sql, params).map(|(rows, _)| rows)
    }

    /// Runs one statement: its rows, and how many it changed.
    pub(crate) fn run(&self, sql: &str, params: &[Value]) -> Result<(Vec<u8>, u64), Problem> {
        let mut statement = self.connection.prepare(sql).map_err(from_sqlite)?;
        let rows = rows(&mut statement, params).map_err(from_sqlite)?;
        let changes = if statement.readonly() {
            0
        } else {
            self.connection.changes()
        };
        Ok((rows, changes))
    }

    pub(crate) fn steps(&self, steps: &[Step]) -> Result<Vec<Vec<u8>>, Problem> {
        let step = |step: &Step| {
            let (rows, changes) = self.run(&step.sql, &step.params)?;
            match step.expect_changes {
                Some(expected) if expected != changes => problem(
                    "expectation",
                    format!("{changes} rows were changed, not {expected}: {}", step.sql),
                ),
                _ => Ok(rows),
            }
        };
        steps.iter().map(step).collect()
    }
}

/// Packs what a statement answers.
fn rows(statement: &mut Statement<'_>, params: &[Value]) -> rusqlite::Result<Vec<u8>> {
    let columns = statement.column_count();
    let mut packed = (columns as u32).to_le_bytes().to_vec();
    let params = params_from_iter(params.iter().map(|value| match value {
        Value::Null => Sqlite::Null,
        Value::Integer(number) => Sqlite::Integer(*number),
        Value::Real(number) => Sqlite::Real(*number),
        Value::Text(text) => Sqlite::Text(text.clone()),
        Value::Blob(bytes) => Sqlite::Blob(bytes.clone()),
    }));
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        for column in 0..columns {
            let (tag, length, bytes): (u8, Option<usize>, &[u8]) = match row.get_ref(column)? {
                ValueRef::Null => (0, None, &[]),
                ValueRef::Integer(number) => (1, None, &number.to_le_bytes()),
                ValueRef::Real(number) => (2, None, &number.to_le_bytes()),
                ValueRef::Text(text) => (3, Some(text.len()), text),
                ValueRef::Blob(bytes) => (4, Some(bytes.len()), bytes),
            };
            packed.push(tag);
            packed.extend(length.map(|length| (length as u32).to_le_bytes()).iter().flatten());
            packed.extend_from_slice(bytes);
        }
    }
    Ok(packed)
}

fn from_sqlite(error: rusqlite::Error) -> Problem {
    let code = match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => "constraint",
        Some(ErrorCode::AuthorizationForStatementDenied) => "refused",
        _ => "sql",
    };
    Problem {
        code: code.into(),
        message: error.to_string(),
    }
}
