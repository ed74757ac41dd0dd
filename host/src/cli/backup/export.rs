//! `galley backup` of a cluster, from any of its servers.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::command::{BackupCommand, report};
use super::progress::Progress;
use super::schemas::Schemas;
use super::{approvals, logs, slots};
use crate::cli::{boot, log};
use crate::config::{ClusterConfig, Config};
use crate::core::{CoreError, Export, Portable};
use crate::plugins::lock::Bundle;
use crate::storage::backup::{self, BackupError, Summary};
use crate::storage::durable;
use crate::storage::objects::{self, Bucket};
use crate::storage::seal::Sealer;

/// Objects that are files of a backup as they are.
const KINDS: [&str; 2] = ["sites", "blobs"];

/// Copies the databases, and what the bucket holds.
pub fn create(config: &Config, cluster: &ClusterConfig, command: &BackupCommand) -> anyhow::Result<()> {
    log::start(config, tracing::Level::WARN)?;
    let made = boot::runtime()?.block_on(copy(config, cluster, &command.folder))?;
    let (database, folder) = (cluster.database.shown(), command.folder.display());
    report(command.json, &made, &format!("{database} is copied to {folder}"))
}

async fn copy(config: &Config, cluster: &ClusterConfig, target: &Path) -> anyhow::Result<Summary> {
    let database = cluster.database.shown();
    let sealer = Arc::new(Sealer::with_key(cluster.key.of_secrets()));
    let export = match Export::of(&cluster.database, sealer.clone()).await {
        Err(CoreError::NotFound) => {
            bail!("{database} holds no Galley data: set SERVICE_DATABASE_URL to the database of the servers")
        }
        export => export.with_context(|| format!("{database} (SERVICE_DATABASE_URL)"))?,
    };
    let objects = config.objects.as_ref().context("SERVICE_OBJECTS_URL is not set")?;
    let bucket = objects::bucket_of(objects, export.instance())?;
    backup::begin(target)?;
    for _ in 0..backup::MAX_ATTEMPTS {
        let copied = attempt(config, cluster, &export, &bucket, target).await;
        match copied {
            Ok(Some(made)) => return Ok(made),
            Ok(None) => {}
            // What is there of it would be taken for something.
            Err(error) => {
                backup::give_up(target);
                return Err(error);
            }
        }
    }
    Err(BackupError::Busy.into())
}

/// `None` when versions were deleted meanwhile.
async fn attempt(
    config: &Config,
    cluster: &ClusterConfig,
    export: &Export,
    bucket: &Bucket,
    target: &Path,
) -> anyhow::Result<Option<Summary>> {
    // The core first, as in a backup of a server alone.
    let progress = Progress::shared("rows");
    let told = progress.clone();
    let core = target.join("core.db");
    let copied = export.copy(&core, move |rows| told.so_far(rows)).await;
    let (copied, of_slots) = copied?;
    progress.end(&format!(
        "accounts and projects: {} rows of {} tables",
        copied.rows, copied.tables
    ));
    tokio::task::block_in_place(|| {
        let core = Portable::open(&core)?;
        approvals::take_out(&core, bucket, &Bundle::read(&config.plugins_dir)?, target)?;
        logs::take_out(&core, bucket, target)?;
        Ok::<_, anyhow::Error>(core.close()?)
    })?;
    slots::export(of_slots, &Schemas::as_they_are(config, target)?, cluster, target).await?;
    let keys = target.join("keys");
    durable::private_folder(&keys)?;
    durable::write_file(&keys.join("seal.key"), &cluster.key.of_secrets())?;
    let progress = Progress::new("files");
    let told = |files| progress.so_far(files);
    Ok(tokio::task::block_in_place(|| {
        backup::finish(target, bucket, &KINDS, told)
    })?)
}
