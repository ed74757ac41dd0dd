//! Events that wait in the database of a slot because the server that had to publish them is gone.

use std::sync::Arc;
use std::time::Duration;

use super::plugin::Plugin;
use crate::capabilities::events;
use crate::storage::slot::Database;

/// How often they are looked for: the longest time for which an event waits when its server was killed.
const PAUSE: Duration = Duration::from_secs(5);

/// Whether other servers write the slot's database. Alone, a server publishes what waits when it starts.
pub fn is_needed(plugin: &Plugin) -> bool {
    matches!(plugin.state.database, Some(Database::Postgres(_)))
}

/// Publishes what waits, until the task is aborted.
pub async fn relay(plugin: Arc<Plugin>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        // In a box: the task is small while nothing waits.
        if let Err(error) = Box::pin(events::relay(&plugin.state)).await {
            error.tell(&plugin.state.name, "events wait in the plugin's database");
        }
    }
}
