//! The schema of a file: numbered migrations, each run once.

use std::borrow::Cow;
use std::path::Path;

use rusqlite::Connection;

use super::error::StorageError;

/// One step of a schema. Versions run 1, 2, 3 …; a released one is never changed.
#[derive(Debug, Clone)]
pub struct Migration {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements.
    pub sql: Cow<'static, str>,
}

/// Runs the migrations that the file does not have yet, each in a transaction. `run` runs the statements of one.
pub(super) fn migrate(
    path: &Path,
    connection: &mut Connection,
    migrations: &[Migration],
    run: impl Fn(&Connection, &str) -> rusqlite::Result<()>,
) -> Result<(), StorageError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = migrations.last().map_or(0, |last| last.version);
    if found > known {
        return Err(StorageError::TooNew {
            path: path.to_owned(),
            found,
            known,
        });
    }
    for migration in migrations.iter().filter(|migration| migration.version > found) {
        let step = (|| {
            let transaction = connection.transaction()?;
            run(&transaction, &migration.sql)?;
            transaction.pragma_update(None, "user_version", migration.version)?;
            transaction.commit()
        })();
        step.map_err(|source| StorageError::Migration {
            path: path.to_owned(),
            version: migration.version,
            source,
        })?;
    }
    Ok(())
}

/// A connection to a file that nobody else has open, at the last of these migrations, for copying rows: what refers to others is not
/// checked on it.
pub fn open_alone(path: &Path, migrations: &[Migration]) -> Result<Connection, StorageError> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrate(path, &mut connection, migrations, Connection::execute_batch)?;
    connection.pragma_update(None, "foreign_keys", false)?;
    Ok(connection)
}
