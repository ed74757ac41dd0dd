//! The data of a slot on PostgreSQL, for a plugin. Each schema of a slot has a database of its own.
//!
//! Deliberately absent: copies from before an update, and taking over another schema's data. A step is undone by its way back.

use std::time::Duration;

use galley_manifest::Engine;
use galley_postgres::Address;
use galley_postgres::slot::{self, Bounds, Change, Database, Migration};

use super::{DataChoice, DataError, Of, Prepared, Schema};
use crate::config::pause::{self, Step};
use crate::storage::sqlite::{MIGRATION_TIMEOUT, StorageError};

/// What the data need for a plugin with this schema. Nothing is changed.
pub async fn look(of: Of<'_>, address: &Address, bounds: Bounds, schema: &Schema<'_>) -> Result<Change, DataError> {
    let change = Database::look(address, bounds, &owned(schema)).await?;
    let is_new = matches!(change, Change::Migrated(0, _));
    let theirs = of.in_use.filter(|theirs| *theirs != schema.name);
    let takes = |theirs: &&str| schema.adopts.iter().any(|adoption| adoption.is_of(theirs));
    let refused = match of.choice {
        Some(DataChoice::Adopt) => Some(theirs.unwrap_or_default()),
        Some(DataChoice::Fresh | DataChoice::LoseWrites) => None,
        None => theirs.filter(takes).filter(|_| is_new),
    };
    match refused {
        None => Ok(change),
        Some(theirs) => Err(DataError::NotInCluster {
            own: schema.name.to_owned(),
            theirs: theirs.to_owned(),
        }),
    }
}

/// Brings a slot's data to what the schema needs, within the limit. Others who write to the slot wait, on whatever server.
pub async fn prepare(
    address: &Address,
    bounds: Bounds,
    schema: &Schema<'_>,
    limit: Option<Duration>,
) -> Result<Prepared, DataError> {
    let limit = limit.unwrap_or(MIGRATION_TIMEOUT);
    let (database, _) = Database::open(address, bounds, &owned(schema), limit).await?;
    pause::wait_at(Step::Migrate).await;
    Ok(Prepared::on_postgres(database))
}

/// Runs a schema's steps in a database that has none yet, for rows that come from elsewhere.
pub async fn begin(address: &Address, bounds: Bounds, schema: &Schema<'_>) -> Result<(), DataError> {
    let (database, _) = Database::open(address, bounds, &owned(schema), MIGRATION_TIMEOUT).await?;
    let promoted = database.promote().await;
    promoted.map_err(|failure| StorageError::Commit(failure.to_string()).into())
}

fn owned(schema: &Schema<'_>) -> slot::Schema {
    let steps = schema.steps.iter().map(|step| Migration {
        version: step.version,
        sql: step.sql_on(Engine::Postgres).to_owned(),
        down: step.down_on(Engine::Postgres).map(str::to_owned),
    });
    slot::Schema {
        name: schema.name.to_owned(),
        steps: steps.collect(),
        compatible: schema.compatible,
    }
}
