//! PostgreSQL: a schema in a transaction that is never committed, so that tests meet neither each other nor anything that was
//! there.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use galley_manifest::{Engine, Migration};
use galley_postgres::slot::{self, Checked};
use galley_postgres::{Bounds, Failure, Session, Value as Cell, connect};

use super::compare;
use super::second::{Answer, Second};
use super::sqlite::Sqlite;
use crate::error::Problem;
use crate::sql::Value;
use crate::testing::problem;

/// How long one statement may run. Endless ones were stopped by SQLite before.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// The savepoint of a transaction.
const TRANSACTION: &str = "galley_transaction";
/// That of a statement: PostgreSQL forgets the whole transaction when one fails, and SQLite the statement.
const STATEMENT: &str = "galley_statement";

/// Columns that get numbers by themselves: table, column and sequence.
const NUMBERED: &str = "SELECT tables.relname::text, columns.attname::text,
    pg_get_serial_sequence(quote_ident(tables.relname), columns.attname)
  FROM pg_class AS tables JOIN pg_attribute AS columns ON columns.attrelid = tables.oid
  WHERE tables.relnamespace = current_schema()::regnamespace AND tables.relkind = 'r' AND columns.attnum > 0
    AND NOT columns.attisdropped AND pg_get_serial_sequence(quote_ident(tables.relname), columns.attname) IS NOT NULL";

/// A connection, in the middle of its transaction.
pub(super) struct Postgres {
    session: RefCell<Session>,
    numbered: Vec<[String; 3]>,
}

impl Postgres {
    /// The plugin's tables; why there is no server.
    ///
    /// # Panics
    /// When a migration fails.
    pub(super) fn open(address: &str, migrations: &[Migration]) -> Result<Postgres, String> {
        static SCHEMAS: AtomicU32 = AtomicU32::new(0);
        let bounds = Bounds {
            statement: STATEMENT_TIMEOUT,
            connect: STATEMENT_TIMEOUT,
            ..Bounds::default()
        };
        let schema = format!(
            "galley_test_{}_{}",
            std::process::id(),
            SCHEMAS.fetch_add(1, Ordering::Relaxed)
        );
        let opened = connect(address, bounds).and_then(|mut session| {
            session.batch(&format!(
                "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; CREATE SCHEMA {schema}; SET LOCAL search_path = {schema}"
            ))?;
            Ok(session)
        });
        let mut postgres = Postgres {
            session: RefCell::new(opened.map_err(|failure| failure.to_string())?),
            numbered: Vec::new(),
        };
        for step in migrations {
            let done = postgres.migrate(step.sql_on(Engine::Postgres));
            done.unwrap_or_else(|error| panic!("migration {} {error}", step.version));
        }
        postgres.numbered = postgres.numbered_columns().map_err(|failure| failure.to_string())?;
        Ok(postgres)
    }

    fn numbered_columns(&self) -> Result<Vec<[String; 3]>, Failure> {
        let rows = self.session.borrow_mut().query(NUMBERED, &[])?;
        let text = |cell| match cell {
            Cell::Text(text) => text,
            other => panic!("{other:?} is no name"),
        };
        let columns = rows
            .into_iter()
            .map(|row| row.into_iter().map(text).collect::<Vec<_>>());
        Ok(columns.filter_map(|row| row.try_into().ok()).collect())
    }

    fn must(&self, sql: &str) {
        let done = self.session.borrow_mut().batch(sql);
        done.unwrap_or_else(|failure| panic!("on PostgreSQL: {sql}: {failure}"));
    }

    /// Runs a statement; when it fails, it has changed nothing.
    fn run(&self, sql: &str, params: &[Cell]) -> Result<(usize, Vec<Vec<Cell>>, u64), Failure> {
        self.alone(|session| match session.columns(sql)? {
            0 => Ok((0, Vec::new(), session.execute(sql, params)?)),
            columns => {
                let rows = session.query(sql, params)?;
                let changes = rows.len() as u64;
                Ok((columns, rows, changes))
            }
        })
    }

    fn alone<T>(&self, run: impl FnOnce(&mut Session) -> Result<T, Failure>) -> Result<T, Failure> {
        self.must(&format!("SAVEPOINT {STATEMENT}"));
        let done = run(&mut self.session.borrow_mut());
        if done.is_err() {
            self.must(&format!("ROLLBACK TO SAVEPOINT {STATEMENT}"));
        }
        self.must(&format!("RELEASE SAVEPOINT {STATEMENT}"));
        done
    }
}

impl Second for Postgres {
    fn begin(&self) {
        self.must(&format!("SAVEPOINT {TRANSACTION}"));
    }

    fn commit(&self) {
        self.must(&format!("RELEASE SAVEPOINT {TRANSACTION}"));
    }

    fn roll_back(&self) {
        self.must(&format!(
            "ROLLBACK TO SAVEPOINT {TRANSACTION}; RELEASE SAVEPOINT {TRANSACTION}"
        ));
    }

    fn prepare(&self, sql: &str) -> Result<(), Problem> {
        let refused = allowed(sql).err();
        match refused.or_else(|| {
            self.alone(|session| session.columns(sql))
                .err()
                .map(|failure| failure.to_string())
        }) {
            None => Ok(()),
            Some(why) => problem("sql", format!("on PostgreSQL: {why}")),
        }
    }

    fn migrate(&self, sql: &str) -> Result<(), String> {
        let done = slot::check_all(sql).map_err(|failure| failure.to_string());
        let done = done.and_then(|()| {
            self.session
                .borrow_mut()
                .batch(sql)
                .map_err(|failure| failure.to_string())
        });
        done.map_err(|why| format!("on PostgreSQL: {why}"))
    }

    fn follow_numbers(&self, sql: &str, sqlite: &Sqlite) {
        if !sql.to_ascii_lowercase().contains("insert") {
            return;
        }
        for [table, column, sequence] in &self.numbered {
            // One that was made for PostgreSQL alone has numbers of its own.
            if let Ok(next) = sqlite.next_number(table, column) {
                self.must(&format!("SELECT setval('{sequence}', {next}, false)"));
            }
        }
    }

    fn agree(&self, sql: &str, params: &[Value<'_>], answer: Result<Answer<'_>, &Problem>) {
        // What SQLite does not run changes nothing, and tells nothing of PostgreSQL but where a constraint refuses it.
        if answer.is_err_and(|problem| !problem.is("constraint")) {
            return;
        }
        let params: Vec<Cell> = params.iter().map(cell).collect();
        let differs = match (answer, self.run(sql, &params)) {
            (Ok(answer), Ok((columns, rows, changes))) => {
                let is_read = columns > 0 && answer.changes == Some(0);
                match (answer.rows, answer.changes) {
                    (Some(expected), _) if columns > 0 => compare::difference(sql, expected, columns, &rows),
                    (_, Some(expected)) if expected != changes && !is_read => {
                        Some(format!("SQLite changes {expected} rows, PostgreSQL {changes}"))
                    }
                    _ => None,
                }
            }
            (Err(_), Err(Failure::Constraint(_))) => None,
            (Err(problem), Ok(_)) => Some(format!(
                "SQLite: {}; PostgreSQL has no such constraint",
                problem.message
            )),
            (_, Err(failure)) => Some(format!("PostgreSQL: {failure}")),
        };
        let differs = differs.or_else(|| allowed(sql).err().map(|why| format!("a server on PostgreSQL: {why}")));
        if let Some(differs) = differs {
            panic!("a statement does not do the same on SQLite and on PostgreSQL\n{sql}\n{params:?}\n{differs}");
        }
    }
}

/// Whether a server lets a plugin run the statement; why not.
fn allowed(sql: &str) -> Result<(), String> {
    Checked::new(sql).map(drop).map_err(|failure| failure.to_string())
}

fn cell(value: &Value<'_>) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Integer(number) => Cell::Integer(*number),
        Value::Real(number) => Cell::Real(*number),
        Value::Text(text) => Cell::Text(text.as_ref().to_owned()),
        Value::Blob(bytes) => Cell::Blob(bytes.as_ref().to_owned()),
    }
}
