//! The data of a slot on PostgreSQL, for a plugin. Only tests prepare them as yet.
//!
//! Deliberately absent: copies from before an update, and taking over another schema's data.

use std::time::Duration;

use galley_manifest::Engine;
use galley_postgres::slot::{self, Address, Bounds, Database, Migration};

use super::{DataError, Prepared, Schema};
use crate::storage::sqlite::MIGRATION_TIMEOUT;

/// Brings a slot's data to what the schema needs, within the limit. Others who write to the slot wait, on whatever server.
pub async fn prepare(
    address: &Address,
    bounds: Bounds,
    schema: &Schema<'_>,
    limit: Option<Duration>,
) -> Result<Prepared, DataError> {
    let limit = limit.unwrap_or(MIGRATION_TIMEOUT);
    let (database, _) = Database::open(address, bounds, &owned(schema), limit).await?;
    Ok(Prepared::on_postgres(database))
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
