//! The plugin's database. A plugin that is for PostgreSQL, too, has two: each statement runs on both, and what they answer must be
//! the same. The plugin gets SQLite's answer.

mod choice;
#[cfg(feature = "postgres")]
mod compare;
#[cfg(feature = "postgres")]
mod postgres;
mod second;
#[cfg(feature = "postgres")]
mod server;
mod sqlite;

use galley_manifest::{Engine, Migration};

use super::problem;
use crate::bindings::galley::sql::sql::{Step, Value as Owned};
use crate::error::Problem;
use crate::plugin::Plugin;
use crate::sql::Value;
use second::{Answer, Second};
use sqlite::Sqlite;

/// The plugin's database.
pub(crate) struct Database {
    sqlite: Sqlite,
    second: Option<Box<dyn Second>>,
}

impl Database {
    /// An empty database after the plugin's migrations.
    ///
    /// # Panics
    /// When one of them fails.
    pub(crate) fn open(plugin: &Plugin) -> Database {
        let wants_second = plugin.engines.contains(&Engine::Postgres);
        Database {
            sqlite: Sqlite::open(&plugin.migrations),
            second: wants_second.then(|| choice::open(&plugin.migrations)).flatten(),
        }
    }

    /// Begins a transaction.
    pub(crate) fn begin(&self) -> Result<(), Problem> {
        self.sqlite.by_host("BEGIN IMMEDIATE")?;
        self.on_second(|second| second.begin());
        Ok(())
    }

    /// Ends it.
    pub(crate) fn commit(&self) -> Result<(), Problem> {
        self.sqlite.by_host("COMMIT")?;
        self.on_second(|second| second.commit());
        Ok(())
    }

    /// Undoes it.
    pub(crate) fn roll_back(&self) -> Result<(), Problem> {
        self.on_second(|second| second.roll_back());
        // A statement that was stopped has rolled back already.
        match self.sqlite.has_open_transaction() {
            true => self.sqlite.by_host("ROLLBACK"),
            false => Ok(()),
        }
    }

    fn on_second(&self, run: impl FnOnce(&dyn Second)) {
        if let Some(second) = &self.second {
            run(second.as_ref());
        }
    }

    /// Whether a statement fits the tables.
    pub(crate) fn prepare(&self, sql: &str) -> Result<(), Problem> {
        self.sqlite.prepare(sql)?;
        self.second.as_ref().map_or(Ok(()), |second| second.prepare(sql))
    }

    /// Whether a statement fits the tables and only reads.
    pub(crate) fn check(&self, sql: &str) -> Result<(), Problem> {
        self.sqlite.check(sql)?;
        self.prepare(sql)
    }

    /// Undoes the last steps of the schema, as long as they say how.
    pub(crate) fn undo(&self, migrations: &[Migration]) -> Result<(), String> {
        for step in migrations.iter().rev() {
            let Some(down) = step.down_on(Engine::Sqlite) else {
                break;
            };
            let failed = |error: String| format!("the way back from migration {}: {error}", step.version);
            self.sqlite.migrate(down).map_err(|error| failed(error.to_string()))?;
            if let (Some(second), Some(down)) = (&self.second, step.down_on(Engine::Postgres)) {
                second.migrate(down).map_err(failed)?;
            }
        }
        Ok(())
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        let rows = self.sqlite.query(sql, params);
        let answer = rows.as_ref().map(|rows| Answer {
            rows: Some(rows),
            changes: None,
        });
        self.on_second(|second| second.agree(sql, params, answer));
        rows
    }

    /// Runs one statement: how many rows it changed.
    pub(crate) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        self.on_second(|second| second.follow_numbers(sql, &self.sqlite));
        let changes = self.sqlite.execute(sql, params);
        let answer = changes.as_ref().map(|changes| Answer {
            rows: None,
            changes: Some(*changes),
        });
        self.on_second(|second| second.agree(sql, params, answer));
        changes
    }

    /// Runs the steps of a batch.
    pub(crate) fn steps(&self, steps: &[Step]) -> Result<Vec<Vec<u8>>, Problem> {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> Result<Vec<u8>, Problem> {
        let params: Vec<Value<'_>> = step.params.iter().map(borrowed).collect();
        self.on_second(|second| second.follow_numbers(&step.sql, &self.sqlite));
        let ran = self.sqlite.step(&step.sql, &params);
        let answer = ran.as_ref().map(|(rows, changes)| Answer {
            rows: Some(rows),
            changes: Some(*changes),
        });
        self.on_second(|second| second.agree(&step.sql, &params, answer));
        let (rows, changes) = ran?;
        match step.expect_changes {
            Some(expected) if expected != changes => problem(
                "expectation",
                format!("{changes} rows were changed, not {expected}: {}", step.sql),
            ),
            _ => Ok(rows),
        }
    }
}

/// A parameter of a batch, as those of other statements are.
fn borrowed(value: &Owned) -> Value<'_> {
    match value {
        Owned::Null => Value::Null,
        Owned::Integer(number) => Value::Integer(*number),
        Owned::Real(number) => Value::Real(*number),
        Owned::Text(text) => Value::from(text),
        Owned::Blob(bytes) => Value::from(bytes.as_slice()),
    }
}
