//! SQLite in memory.

use std::time::{Duration, Instant};

use galley_manifest::{Engine, Migration};
use galley_sql::{Effort, Failure, check_schema, migrating, restricted};
use rusqlite::Connection;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use crate::error::Problem;
use crate::sql::Value;
use crate::testing::problem;

/// How long a statement may run: the default deadline of a call in the real host.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a migration may run.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);

/// A database. Statements of the plugin are restricted as in the real host.
pub(super) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// An empty database after the migrations.
    pub(super) fn open(migrations: &[Migration]) -> Sqlite {
        // Not when the test has used SQLite itself before: then memory alone is not bounded.
        galley_sql::watch_memory();
        let mut connection = Connection::open_in_memory().expect("SQLite opens in memory");
        connection
            .execute_batch("PRAGMA foreign_keys = ON")
            .expect("SQLite knows foreign keys");
        galley_sql::prepare(&mut connection).expect("SQLite takes bounds");
        let database = Sqlite { connection };
        for step in migrations {
            let done = database.migrate(step.sql_on(Engine::Sqlite));
            done.unwrap_or_else(|error| panic!("migration {}: {error}", step.version));
        }
        database
    }

    /// Runs the statements of a migration.
    pub(super) fn migrate(&self, sql: &str) -> Result<(), rusqlite::Error> {
        migrating(Instant::now() + MIGRATION_TIMEOUT, || {
            self.connection.execute_batch(sql)?;
            check_schema(&self.connection)
        })
    }

    /// Runs a statement of the host.
    pub(super) fn by_host(&self, sql: &str) -> Result<(), Problem> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|error| from_failure(error.into()))
    }

    pub(super) fn has_open_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Whether a statement fits the tables, and whether it only reads.
    pub(super) fn prepare(&self, sql: &str) -> Result<bool, Problem> {
        self.run(|| Ok(self.connection.prepare(sql)?.readonly()))
    }

    /// Whether a statement fits the tables and only reads.
    pub(super) fn check(&self, sql: &str) -> Result<(), Problem> {
        match self.prepare(sql)? {
            true => Ok(()),
            false => problem("refused", "The statement must only read"),
        }
    }

    pub(super) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        self.check(sql)?;
        self.run(|| galley_sql::query(&self.connection, sql, params.iter().map(Bound)))
    }

    /// Runs one statement: how many rows it changed.
    pub(super) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        self.run(|| galley_sql::execute(&self.connection, sql, params.iter().map(Bound)))
    }

    fn run<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Problem> {
        let deadline = Instant::now() + STATEMENT_TIMEOUT;
        restricted(deadline, Effort::UntilDeadline, work).map_err(from_failure)
    }

    /// Runs one statement of a batch: its rows, and how many it changed.
    pub(super) fn step(&self, sql: &str, params: &[Value<'_>]) -> Result<(Vec<u8>, u64), Problem> {
        let before = self.connection.total_changes();
        let rows = self.run(|| galley_sql::query(&self.connection, sql, params.iter().map(Bound)))?;
        Ok((rows, self.connection.total_changes() - before))
    }

    /// The number that the next row of a table gets by itself in its column `INTEGER PRIMARY KEY`.
    #[cfg(feature = "postgres")]
    pub(super) fn next_number(&self, table: &str, column: &str) -> rusqlite::Result<i64> {
        let sql = format!("SELECT coalesce(max(\"{column}\"), 0) + 1 FROM \"{table}\"");
        self.connection.query_row(&sql, [], |row| row.get(0))
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

fn from_failure(failure: Failure) -> Problem {
    Problem {
        code: failure.code().unwrap_or("internal").into(),
        message: failure.to_string(),
    }
}
