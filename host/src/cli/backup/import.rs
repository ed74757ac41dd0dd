//! `galley import`: an empty cluster becomes what a backup is.
//!
//! Everything is looked at before anything is written. Then a mark goes into the database, on which no server starts; objects, slots and
//! approvals follow, and with the rows of the core the mark goes. An import that was interrupted begins anew.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use super::command::BackupCommand;
use super::progress::Progress;
use super::schemas::Schemas;
use super::slots::Arrivals;
use super::{approvals, logs};
use crate::cli::{boot, log, output};
use crate::config::pause::{self, Step};
use crate::config::{ClusterConfig, Config};
use crate::core::{Import, Portable};
use crate::storage::backup::{Checked, upload};
use crate::storage::durable;
use crate::storage::objects;
use crate::storage::seal::Sealer;

/// The file of a backup with the key that its secrets are sealed with.
const KEY: &str = "keys/seal.key";

/// What an import did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Imported {
    /// Rows of accounts and projects, and of the slots.
    rows: u64,
    /// Objects in the store.
    objects: usize,
    /// Files of the backup that a cluster has no use for, and why.
    left_out: Vec<String>,
}

/// Fills the cluster.
pub fn import(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    let Some(cluster) = &config.cluster else {
        bail!(
            "`galley import` fills a cluster: set SERVICE_DATABASE_URL, SERVICE_OBJECTS_URL and SERVICE_CLUSTER_KEY_FILE \
             (`galley restore` fills a data folder)"
        );
    };
    log::start(config, tracing::Level::WARN)?;
    let imported = boot::runtime()?.block_on(fill(config, cluster, &command.folder))?;
    output::print(&match command.json {
        true => format!("{}\n", serde_json::to_string(&imported)?),
        false => format!(
            "{} is filled from {}: {} rows, {} objects\n",
            cluster.database.shown(),
            command.folder.display(),
            imported.rows,
            imported.objects
        ),
    })
}

async fn fill(config: &Config, cluster: &ClusterConfig, folder: &Path) -> anyhow::Result<Imported> {
    let progress = Progress::new("files looked at");
    let backup = Checked::list_of(folder)?.check(|files| progress.so_far(files))?;
    let summary = backup.summary();
    progress.end(&format!(
        "the backup is whole: {} files, {:.1} MB",
        summary.files,
        summary.bytes as f64 / 1e6
    ));
    check_key(cluster, &backup)?;
    approvals::check(&backup)?;
    let schemas = Schemas::as_the_next_start_has_them(config, folder)?;
    let arrivals = Arrivals::of(&backup, &schemas)?;
    durable::private_folder(&config.data_dir)
        .with_context(|| format!("the data folder {} cannot be used", config.data_dir.display()))?;
    // What a killed import leaves there goes with the next start.
    let staging = config.data_dir.join("staging");
    durable::private_folder(&staging)?;
    let staging = tempfile::tempdir_in(staging)?;
    let core = staging.path().join("core.db");
    fs::copy(backup.path("core.db"), &core)?;
    Import::migrate(&core)?;
    let portable = Portable::open(&core)?;
    approvals::put_in(&portable, &backup, &schemas.lock)?;
    logs::put_in(&portable, &backup)?;
    portable.close()?;
    let store = config.objects.as_ref().context("SERVICE_OBJECTS_URL is not set")?;

    let sealer = Arc::new(Sealer::with_key(cluster.key.of_secrets()));
    let import = Import::begin(&cluster.database, sealer.clone(), backup.id())
        .await
        .with_context(|| format!("{} (SERVICE_DATABASE_URL)", cluster.database.shown()))?;
    pause::wait_at(Step::Objects).await;
    let bucket = objects::claimed_bucket(store, &config.data_dir, import.instance())?;
    let progress = Progress::new("objects");
    let objects = tokio::task::block_in_place(|| upload(&backup, &bucket, |count| progress.so_far(count)))?;
    progress.end(&format!("{objects} objects are in {}", bucket.url()));
    let of_slots = arrivals.fill(&import, cluster).await?;
    pause::wait_at(Step::Rows).await;
    let progress = Progress::shared("rows");
    let told = progress.clone();
    let copied = import.finish(core, move |rows| told.so_far(rows)).await?;
    progress.end(&format!("accounts and projects: {} rows", copied.rows));
    arrivals
        .left_out
        .iter()
        .for_each(|line| output::say(&format!("left out: {line}")));
    Ok(Imported {
        rows: copied.rows + of_slots,
        objects,
        left_out: arrivals.left_out,
    })
}

/// What was sealed has to open at the servers of the cluster.
fn check_key(cluster: &ClusterConfig, backup: &Checked) -> anyhow::Result<()> {
    if !backup.names().any(|name| name == KEY) {
        return Ok(());
    }
    let path = backup.path(KEY);
    let key = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    ensure!(
        key == cluster.key.of_secrets(),
        "the secrets in the backup are sealed with another key than the one in SERVICE_CLUSTER_KEY_FILE: set it to a copy of {} on \
         every server (mode 600)",
        path.display()
    );
    Ok(())
}
