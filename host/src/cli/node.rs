//! The name of a server among those of its cluster.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::config::{ClusterConfig, Config, default_node_name};
use crate::core::{Core, CoreError, LEASE_LENGTH, Node};
use crate::storage::durable;
use crate::storage::id::new_id;

/// The file of the data folder with its id.
const ID_FILE: &str = "node";
/// How long a name is waited for: a server that was killed, on a machine that is gone with its folder, counts as there no longer.
const NAME_TIMEOUT: Duration = LEASE_LENGTH.saturating_add(Duration::from_secs(2));
/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// Enters this server among those of the cluster, under its name.
pub async fn enter(core: &Core, config: &Config, cluster: &ClusterConfig) -> anyhow::Result<()> {
    let named = cluster.node_name.clone();
    let node = Node {
        name: named.unwrap_or_else(|| default_node_name(config.listen.port())),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        address: config.listen.to_string(),
        folder: folder_id(&config.data_dir)?,
    };
    let until = Instant::now() + NAME_TIMEOUT;
    loop {
        match core.enter(node.clone()).await {
            Err(error @ CoreError::NameTaken { .. }) if Instant::now() < until => {
                tracing::debug!("waiting for a name: {error}");
                tokio::time::sleep(PAUSE).await;
            }
            entered => {
                entered?;
                // From now on it says again and again that it is there.
                core.limits();
                tracing::info!("this server is `{}` in the cluster", node.name);
                return Ok(());
            }
        }
    }
}

/// The id of a data folder, which it gets the first time.
fn folder_id(data: &Path) -> anyhow::Result<String> {
    let path = data.join(ID_FILE);
    let unusable = || format!("{} cannot be used", path.display());
    match std::fs::read_to_string(&path) {
        Ok(id) if !id.trim().is_empty() => return Ok(id.trim().to_owned()),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error).with_context(unusable),
        _ => {}
    }
    let id = new_id();
    durable::write_file(&path, id.as_bytes()).with_context(unusable)?;
    Ok(id)
}
