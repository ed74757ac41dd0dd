//! The data of a slot on PostgreSQL, for a plugin. Each schema of a slot has a database of its own, in which copies from before updates are
//! tables beside the plugin's. All that is done to one is one transaction, so nothing of it has to be undone.

use std::time::Duration;

use galley_manifest::Engine;
use galley_postgres::Address;
use galley_postgres::slot::{self, Approval, Bounds, Database, Migration, Wanted};

use super::before::{Before, Place};
use super::{DataChoice, DataError, Prepared, Schema};
use crate::config::pause::{self, Step};
use crate::storage::sqlite::{MIGRATION_TIMEOUT, StorageError};

/// Data of another schema, and whose they are.
#[derive(Debug, Clone, Copy)]
pub struct Other<'o> {
    /// Where they are.
    pub place: &'o Place,
    /// The schema of the plugin that used them.
    pub schema: Schema<'o>,
}

/// Who asks for a slot's data.
#[derive(Debug, Clone)]
pub struct Asked<'o> {
    /// For which approval.
    pub approval: Approval,
    /// What the operator said.
    pub choice: Option<DataChoice>,
    /// The version of the schema that the plugin knows which serves now, if it is of the same schema.
    pub serving: Option<u32>,
    /// The data of the plugin that serves now, if they are elsewhere.
    pub in_use: Option<Other<'o>>,
    /// The data of the plugin that filled the slot before the approval, if they are elsewhere.
    pub before: Option<Other<'o>>,
    /// Whether this server knows what filled the slot before.
    pub knows_before: bool,
}

/// What a plugin with this schema wants of its data, decided without changing anything.
pub async fn wanted(own: &Place, schema: &Schema<'_>, asked: &Asked<'_>) -> Result<Wanted, DataError> {
    let labels = Database::labels(&own.address, own.bounds).await?;
    let is_new = labels.version() == 0;
    let is_done = labels.used_for.as_ref() == Some(&asked.approval.name);
    let adoption = match asked.choice {
        Some(DataChoice::Adopt) if !is_done => match asked.before {
            Some(other) => Some(adoption(schema, other).await?),
            None if !asked.knows_before => return Err(DataError::UnknownBefore),
            None if is_new => return Err(DataError::NothingToAdopt),
            None => None,
        },
        None if is_new => {
            be_asked_for(schema, asked).await?;
            None
        }
        _ => None,
    };
    Ok(Wanted {
        schema: owned(schema),
        loses_writes: asked.choice == Some(DataChoice::LoseWrites),
        approval: Some(asked.approval.clone()),
        adoption,
        replaces: asked.in_use.is_some(),
        serving: asked.serving,
    })
}

/// Data that could be taken over are a question for the operator.
async fn be_asked_for(schema: &Schema<'_>, asked: &Asked<'_>) -> Result<(), DataError> {
    let Some(other) = asked.in_use.or(asked.before) else {
        return Ok(());
    };
    match adoption(schema, other).await {
        Ok(adoption) => Err(DataError::Foreign {
            own: schema.name.to_owned(),
            theirs: other.schema.name.to_owned(),
            version: adoption.version,
        }),
        Err(DataError::NotAdopted { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// How another schema's data are taken over. [`DataError::NotAdopted`] when they are not.
async fn adoption(schema: &Schema<'_>, other: Other<'_>) -> Result<slot::Adoption, DataError> {
    let version = Database::labels(&other.place.address, other.place.bounds)
        .await?
        .version();
    let theirs = other.schema.name;
    let mut adopts = schema.adopts.iter();
    match adopts.find(|adoption| adoption.takes(theirs, version)) {
        Some(adoption) => Ok(slot::Adoption {
            source: other.place.address.clone(),
            schema: owned(&other.schema),
            version,
            sql: adoption.sql_on(Engine::Postgres).map(str::to_owned),
        }),
        None => Err(DataError::NotAdopted {
            own: schema.name.to_owned(),
            theirs: theirs.to_owned(),
            version,
        }),
    }
}

/// Which calls of the plugin that serves now have to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stops {
    /// Those that may write.
    pub writes: bool,
    /// The others, too: they would wait for tables that are changed, and the change for them.
    pub reads: bool,
}

/// Which calls have to wait for what is wanted.
pub async fn stops(own: &Place, wanted: &Wanted) -> Result<Stops, DataError> {
    let change = Database::look(&own.address, own.bounds, wanted).await?;
    let is_change = change != slot::Change::Used;
    Ok(Stops {
        writes: is_change || wanted.replaces,
        reads: is_change && !wanted.replaces,
    })
}

/// Brings a slot's data to what is wanted, within the limit. Others who write to the slot wait, on whatever server.
pub async fn prepare(
    own: &Place,
    wanted: &Wanted,
    in_use: Option<Place>,
    limit: Option<Duration>,
) -> Result<Prepared, DataError> {
    let limit = limit.unwrap_or(MIGRATION_TIMEOUT);
    let opened = Database::open_for(&own.address, own.bounds, wanted, limit).await?;
    pause::wait_at(Step::Migrate).await;
    let number = wanted.approval.as_ref().map_or(0, |approval| approval.number);
    let before = match (opened.closing, in_use) {
        (Some(closing), _) => Some(Before::Held(Box::new(closing), number)),
        (None, Some(place)) if opened.replaces => Some(Before::Open(Box::new(place), number)),
        _ => None,
    };
    Ok(Prepared::on_postgres(opened.database, before))
}

/// Runs a schema's steps in a database that has none yet, for rows that come from elsewhere.
pub async fn begin(address: &Address, bounds: Bounds, schema: &Schema<'_>) -> Result<(), DataError> {
    let (database, _) = Database::open(address, bounds, &owned(schema), MIGRATION_TIMEOUT).await?;
    let promoted = database.promote().await;
    promoted.map_err(|failure| StorageError::Commit(failure.to_string()).into())
}

/// How many writes a database has had since its data were taken over from another schema; `None` when they were not.
pub async fn writes_since(place: &Place) -> Result<Option<u64>, DataError> {
    Ok(Database::labels(&place.address, place.bounds).await?.taken_over)
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

/// The data of a plugin that nothing was before.
#[cfg(test)]
pub async fn prepare_alone(address: &Address, schema: &Schema<'_>) -> Result<Prepared, DataError> {
    let own = Place {
        address: address.clone(),
        bounds: Bounds::default(),
    };
    let asked = Asked {
        approval: Approval {
            number: 1,
            name: "an approval".to_owned(),
        },
        choice: None,
        serving: None,
        in_use: None,
        before: None,
        knows_before: true,
    };
    let wanted = wanted(&own, schema, &asked).await?;
    prepare(&own, &wanted, None, None).await
}
