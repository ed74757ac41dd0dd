//! The schema of a database: numbered steps, each run once, by whoever starts first.

use std::time::Duration;

use thiserror::Error;

use crate::database::Database;
use crate::failure::Failure;
use crate::receipt;
use crate::session::{RECEIPTS, Session};
use crate::value::Value;

/// How long one step may take, and how long a server waits for another one that runs them.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(600);

/// The lock of those who change the schema: "galley", as a number.
const LOCK: i64 = 0x6761_6c6c_6579;

/// One step of a schema. Versions run 1, 2, 3 …; a released one is never changed.
#[derive(Debug, Clone)]
pub struct Step {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements, as PostgreSQL reads them.
    pub sql: String,
}

/// Why a schema was not brought up to date. The database is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MigrationError {
    /// The database holds a later schema than this program knows.
    #[error(
        "the database has schema version {found}, this program knows {known}: start the newer program, or restore a backup"
    )]
    TooNew {
        /// The version of the database.
        found: u32,
        /// The last version known here.
        known: u32,
    },
    /// A step failed.
    #[error("migration {version} of the database failed: {source}")]
    Step {
        /// Its version.
        version: u32,
        /// Why.
        source: Failure,
    },
    /// The schema's version could not be read, or the steps not be committed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Database {
    /// Runs the steps that the database does not have yet, all in one transaction. Of several servers that start at once one
    /// runs them, and the others wait for it.
    pub async fn migrate(&self, steps: Vec<Step>) -> Result<(), MigrationError> {
        self.on_thread(move |session| Ok(run(session, &steps).map_err(|error| undo(session, error))))
            .await?
    }
}

fn run(session: &mut Session, steps: &[Step]) -> Result<(), MigrationError> {
    // Each statement sees what was committed before it: the first one that runs after the lock sees what another server did.
    // A step may take long, and so may the wait for the lock.
    session.batch("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = 0")?;
    session.batch_within(MIGRATION_TIMEOUT, &format!("SELECT pg_advisory_xact_lock({LOCK})"))?;
    session.batch("CREATE TABLE IF NOT EXISTS galley_schema (version int8 PRIMARY KEY)")?;
    session.batch(&receipt::table(RECEIPTS))?;
    let found = version(session)?;
    let known = steps.last().map_or(0, |last| last.version);
    if found > known {
        return Err(MigrationError::TooNew { found, known });
    }
    for step in steps.iter().filter(|step| step.version > found) {
        let failed = |source| MigrationError::Step {
            version: step.version,
            source,
        };
        session.batch_within(MIGRATION_TIMEOUT, &step.sql).map_err(failed)?;
        let sql = "INSERT INTO galley_schema (version) VALUES (?1)";
        session.execute(sql, &[i64::from(step.version).into()])?;
    }
    Ok(session.commit()?)
}

fn version(session: &mut Session) -> Result<u32, Failure> {
    let rows = session.query("SELECT coalesce(max(version), 0) FROM galley_schema", &[])?;
    let found = rows.first().and_then(|row| match row.first()? {
        Value::Integer(version) => u32::try_from(*version).ok(),
        _ => None,
    });
    found.ok_or_else(|| Failure::Statement("the version of the schema is none".to_owned()))
}

fn undo(session: &mut Session, error: MigrationError) -> MigrationError {
    // Without an answer it is undone when the connection ends.
    let _ = session.batch("ROLLBACK");
    error
}
