//! The plugin's database: SQLite in memory.

use std::time::{Duration, Instant};

use galley_manifest::Migration;
use galley_sql::{Effort, Failure, check_schema, migrating, restricted};
use rusqlite::Connection;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::problem;
use crate::bindings::galley::sql::sql::{Step, Value as Owned};
use crate::error::Problem;
use crate::sql::Value;

/// How long a statement may run: the default deadline of a call in the real host.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a migration may run.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);

/// The plugin's database. Its statements are restricted as in the real host.
pub(crate) struct Database {
    connection: Connection,
}

impl Database {
    /// An empty database after the migrations.
    pub(crate) fn open(migrations: &[Migration]) -> Database {
        // Not when the test has used SQLite itself before: then memory alone is not bounded.
        galley_sql::watch_memory();
        let mut connection = Connection::open_in_memory().expect("SQLite opens in memory");
        connection
            .execute_batch("PRAGMA foreign_keys = ON")
            .expect("SQLite knows foreign keys");
        galley_sql::prepare(&mut connection).expect("SQLite takes bounds");
        let database = Database { connection };
        for Migration { version, sql, .. } in migrations {
            let run = || {
                database.connection.execute_batch(sql)?;
                check_schema(&database.connection)
            };
            let done = migrating(Instant::now() + MIGRATION_TIMEOUT, run);
            done.unwrap_or_else(|error| panic!("migration {version}: {error}"));
        }
        database
    }

    /// Runs a statement of the host.
    pub(crate) fn by_host(&self, sql: &str) -> Result<(), Problem> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| from_failure(error.into()))
    }

    pub(crate) fn has_open_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Whether a statement fits the tables, and whether it only reads.
    pub(crate) fn prepare(&self, sql: &str) -> Result<bool, Problem> {
        self.run(|| Ok(self.connection.prepare(sql)?.readonly()))
    }

    /// Whether a statement fits the tables and only reads.
    pub(crate) fn check(&self, sql: &str) -> Result<(), Problem> {
        match self.prepare(sql)? {
            true => Ok(()),
            false => problem("refused", "The statement must only read"),
        }
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        self.check(sql)?;
        self.run(|| galley_sql::query(&self.connection, sql, params.iter().map(Bound)))
    }

    /// Runs one statement: how many rows it changed.
    pub(crate) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        self.run(|| galley_sql::execute(&self.connection, sql, params.iter().map(Bound)))
    }

    fn run<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Problem> {
        let deadline = Instant::now() + STATEMENT_TIMEOUT;
        restricted(deadline, Effort::UntilDeadline, work).map_err(from_failure)
    }

    pub(crate) fn steps(&self, steps: &[Step]) -> Result<Vec<Vec<u8>>, Problem> {
        let step = |step: &Step| {
            let before = self.connection.total_changes();
            let params = step.params.iter().map(Kept);
            let rows = self.run(|| galley_sql::query(&self.connection, &step.sql, params))?;
            let changes = self.connection.total_changes() - before;
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

/// A parameter of a statement.
struct Bound<'v>(&'v Value<'v>);

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

/// A parameter of a batch.
struct Kept<'v>(&'v Owned);

impl ToSql for Kept<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Owned::Null => ValueRef::Null,
            Owned::Integer(value) => ValueRef::Integer(*value),
            Owned::Real(value) => ValueRef::Real(*value),
            Owned::Text(value) => ValueRef::Text(value.as_bytes()),
            Owned::Blob(value) => ValueRef::Blob(value),
        }))
    }
}

fn from_failure(failure: Failure) -> Problem {
    Problem {
        code: failure.code().unwrap_or("internal").into(),
        message: failure.to_string(),
    }
}
