//! The core of a server: in a file of the data folder, or in the database that the servers of a cluster share.

use std::time::Duration;

use anyhow::Context;

use crate::config::Config;
use crate::core::{Core, CoreError};

/// The pause between two tries to reach the database.
const PAUSE: Duration = Duration::from_millis(500);
/// After so many tries in vain the log says again what is waited for.
const TRIES_OF_A_LINE: u32 = 20;

/// Opens the core, at once or not at all.
pub async fn open(config: &Config) -> anyhow::Result<Core> {
    match &config.cluster {
        None => Ok(Core::open(&config.data_dir).await?),
        Some(cluster) => Core::open_shared(&config.data_dir, &cluster.database)
            .await
            .with_context(|| place(config)),
    }
}

/// The same for a server's start, which waits for a database that does not answer: after a failure of power a database may take
/// longer than its servers. What waiting does not mend is an error.
pub async fn wait(config: &Config) -> anyhow::Result<Core> {
    let Some(cluster) = &config.cluster else {
        return open(config).await;
    };
    for (file, what) in [
        ("core.db", "accounts and projects"),
        ("plugins.lock", "the approvals of plugins"),
    ] {
        if config.data_dir.join(file).exists() {
            tracing::warn!(
                "{} is not used while SERVICE_DATABASE_URL is set: {what} are those of the database",
                config.data_dir.join(file).display()
            );
        }
    }
    let mut tries = 0;
    loop {
        match Core::open_shared(&config.data_dir, &cluster.database).await {
            Err(CoreError::Database(error)) if error.is_passing() => {
                if tries % TRIES_OF_A_LINE == 0 {
                    tracing::warn!("waiting for {}: {error}", place(config));
                }
                tries += 1;
                tokio::time::sleep(PAUSE).await;
            }
            opened => return opened.with_context(|| place(config)),
        }
    }
}

/// Which database it is, for messages.
fn place(config: &Config) -> String {
    let shown = config.cluster.as_ref().map(|cluster| cluster.database.shown());
    format!("{} (SERVICE_DATABASE_URL)", shown.unwrap_or_default())
}
