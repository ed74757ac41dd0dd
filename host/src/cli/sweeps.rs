//! What servers tidy up that share a database and an object store: one of them at a time, and nothing that was stored within the
//! last hour. That may be part of what another server is doing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::capabilities::Services;
use crate::core::Work;
use crate::storage::id::now_ms;
use crate::storage::objects::YOUNG;

/// The name of the work.
const WORK: &str = "sweep";
/// How often logs are looked for that ended at a server which was killed before it had stored their text.
const LOOK: Duration = Duration::from_secs(60);
/// How often what nothing refers to is deleted.
const SWEEP: Duration = Duration::from_secs(3600);

/// Tidies up until the task is aborted.
pub async fn run(services: Arc<Services>) {
    let mut work = Work::new(services.core.clone(), WORK.to_owned());
    let mut swept: Option<Instant> = None;
    loop {
        match work.lease().await {
            Ok(Some(_)) => {
                let is_due = swept.is_none_or(|at| at.elapsed() >= SWEEP);
                match work.during(round(&services, is_due)).await {
                    Ok(()) if is_due => swept = Some(Instant::now()),
                    Ok(()) => {}
                    Err(error) => tracing::warn!("what nothing refers to is left for the next sweep: {error:#}"),
                }
                // It stays this server's.
                work.during(tokio::time::sleep(LOOK)).await;
            }
            // Another server's, or nobody's while the database is away.
            Ok(None) | Err(_) => tokio::time::sleep(LOOK).await,
        }
    }
}

async fn round(services: &Arc<Services>, is_due: bool) -> anyhow::Result<()> {
    services.logs.move_ended().await.context("logs cannot be moved")?;
    if !is_due {
        return Ok(());
    }
    let before = now_ms() - YOUNG;
    let known: HashSet<(String, String)> = services.core.all_versions().await?.into_iter().collect();
    let sites = services.sites.clone();
    let sweep = move || {
        let keep = |project: &str, version: &str| known.contains(&(project.to_owned(), version.to_owned()));
        sites.sweep_bucket(&keep, before);
    };
    tokio::task::spawn_blocking(sweep).await?;
    let trees = services
        .builds
        .sweep_trees(before)
        .await
        .context("built trees cannot be swept")?;
    let logs = services.logs.sweep(before).await.context("logs cannot be swept")?;
    if trees + logs > 0 {
        tracing::info!("deleted {trees} built trees and {logs} logs that nothing refers to");
    }
    Ok(())
}
