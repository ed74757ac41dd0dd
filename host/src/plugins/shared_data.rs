//! Where the data of a slot are in a cluster: a database of its own, which is made when the first server needs it.

use galley_postgres::Address;
use galley_postgres::slot::{Bounds, Failure, Provision};

use super::load_error::LoadError;
use crate::capabilities::Services;
use crate::config::ClusterConfig;
use crate::core::MAX_WAITING;

/// The bounds of a slot's database.
pub fn bounds() -> Bounds {
    Bounds {
        waiting_events: MAX_WAITING,
        ..Bounds::default()
    }
}

/// The database of a slot's schema, as the slot's role reaches it.
pub async fn address(
    services: &Services,
    cluster: &ClusterConfig,
    slot: &str,
    schema: &str,
) -> Result<Address, LoadError> {
    let database = services.core.slot_database(slot, schema, &services.sealer).await;
    let database = database.map_err(|error| match error.is_passing() {
        true => LoadError::Away(error.to_string()),
        false => LoadError::other(&error),
    })?;
    let provision = Provision {
        address: cluster.database.clone(),
        name: database.name,
        password: database.password,
    };
    let made = provision.run().await;
    made.map_err(|failure| match failure {
        Failure::Interrupted | Failure::Database(galley_postgres::Failure::Unavailable(_)) => {
            LoadError::Away(failure.to_string())
        }
        failure => LoadError::Other(format!("its database cannot be made: {failure}")),
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
