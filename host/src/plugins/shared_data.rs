//! Where the data of a slot are in a cluster: a database of its own, which is made when the first server needs it.

use std::time::Duration;

use galley_postgres::slot::{Approval, Bounds, Failure, Provision};

use super::entry::Entry;
use super::load_error::LoadError;
use super::manifest::{self, Manifest};
use crate::capabilities::Services;
use crate::config::ClusterConfig;
use crate::core::{CoreError, MAX_WAITING};
use crate::storage::slot_data::{self, Asked, Other, Place, Prepared, Stops};

/// The data of a slot that a plugin asks for.
pub struct Request<'r> {
    /// The plugin's approval.
    pub entry: &'r Entry,
    /// The number of the approvals that it is one of.
    pub approvals: i64,
    /// What it says of itself.
    pub manifest: &'r Manifest,
    /// What the plugin says that serves now.
    pub in_use: Option<&'r Manifest>,
    /// What the plugin says that filled the slot before the approval, where it is known.
    pub before: Option<&'r Manifest>,
}

/// The data of a slot on their way to a plugin.
pub struct Data {
    own: Place,
    wanted: galley_postgres::slot::Wanted,
    in_use: Option<Place>,
}

impl Data {
    /// Decides what the data need. Nothing is changed but that their database is made.
    pub async fn of(services: &Services, cluster: &ClusterConfig, request: &Request<'_>) -> Result<Self, LoadError> {
        let Request { entry, manifest, .. } = request;
        let (schema, slot) = (manifest::schema(manifest), entry.slot.as_str());
        let is_other = |other: &&Manifest| other.schema_version() > 0 && other.schema_name() != schema.name;
        let (in_use, before) = (request.in_use.filter(is_other), request.before.filter(is_other));
        let in_use_at = place_of(services, cluster, slot, in_use).await?;
        let before_at = place_of(services, cluster, slot, before).await?;
        let own = make(services, cluster, slot, schema.name).await?;
        let same = request.in_use.filter(|other| other.schema_name() == schema.name);
        let asked = Asked {
            approval: Approval {
                number: request.approvals,
                name: format!("{} {}", entry.sha256, entry.since.as_deref().unwrap_or_default()),
            },
            choice: entry.data,
            serving: same.map(|same| same.schema_version()),
            in_use: other(in_use_at.as_ref(), in_use),
            before: other(before_at.as_ref(), before),
            knows_before: request.before.is_some() || entry.before.is_empty(),
        };
        Ok(Self {
            wanted: slot_data::wanted(&own, &schema, &asked).await?,
            own,
            in_use: in_use_at,
        })
    }

    /// Which calls of the plugin that serves now have to wait meanwhile.
    pub async fn stops(&self) -> Result<Stops, LoadError> {
        Ok(slot_data::stops(&self.own, &self.wanted).await?)
    }

    /// Brings them to what the plugin needs, within the limit. Nothing is committed.
    pub async fn prepare(self, limit: Option<Duration>) -> Result<Prepared, LoadError> {
        let Self { own, wanted, in_use } = self;
        Ok(slot_data::prepare_on_postgres(&own, &wanted, in_use, limit).await?)
    }
}

async fn place_of(
    services: &Services,
    cluster: &ClusterConfig,
    slot: &str,
    other: Option<&Manifest>,
) -> Result<Option<Place>, LoadError> {
    match other {
        Some(other) => find(services, cluster, slot, other.schema_name()).await,
        None => Ok(None),
    }
}

fn other<'o>(place: Option<&'o Place>, manifest: Option<&'o Manifest>) -> Option<Other<'o>> {
    Some(Other {
        place: place?,
        schema: manifest::schema(manifest?),
    })
}

/// The bounds of a slot's database.
fn bounds() -> Bounds {
    Bounds {
        waiting_events: MAX_WAITING,
        ..Bounds::default()
    }
}

fn unknown(error: &CoreError) -> LoadError {
    match error.is_passing() {
        true => LoadError::Away(error.to_string()),
        false => LoadError::other(error),
    }
}

/// The database of a slot's schema, if it has one.
pub async fn find(
    services: &Services,
    cluster: &ClusterConfig,
    slot: &str,
    schema: &str,
) -> Result<Option<Place>, LoadError> {
    let found = services.core.find_slot_database(slot, schema, &services.sealer).await;
    let found = found.map_err(|error| unknown(&error))?;
    Ok(found.map(|database| Place {
        address: cluster
            .database
            .clone()
            .with_database(&database.name, &database.name, &database.password),
        bounds: bounds(),
    }))
}

/// The database of a slot's schema, which is made where it is not there.
async fn make(services: &Services, cluster: &ClusterConfig, slot: &str, schema: &str) -> Result<Place, LoadError> {
    let database = services.core.slot_database(slot, schema, &services.sealer).await;
    let database = database.map_err(|error| unknown(&error))?;
    let provision = Provision {
        address: cluster.database.clone(),
        name: database.name,
        password: database.password,
    };
    let made = provision.run().await;
    let address = made.map_err(|failure| match failure {
        Failure::Interrupted | Failure::Database(galley_postgres::Failure::Unavailable(_)) => {
            LoadError::Away(failure.to_string())
        }
        failure => LoadError::Other(format!("its database cannot be made: {failure}")),
    })?;
    Ok(Place {
        address,
        bounds: bounds(),
    })
}

/// Deletes the databases of a slot.
pub async fn delete(services: &Services, cluster: &ClusterConfig, slot: &str) -> anyhow::Result<()> {
    for name in services.core.slot_databases(slot).await? {
        let provision = Provision {
            address: cluster.database.clone(),
            name,
            password: String::new(),
        };
        provision.delete().await?;
        services.core.forget_slot_database(&provision.name).await?;
    }
    Ok(())
}
