//! `galley backup`, `galley restore` and `galley import`: one format for a server alone and for a cluster.

mod approvals;
mod command;
mod export;
mod import;
mod logs;
mod progress;
mod schemas;
mod slots;

use std::path::Path;

use anyhow::ensure;

use crate::cli::log;
use crate::config::Config;
use crate::plugins::artifacts;
use crate::plugins::cache::sha256;
use crate::plugins::lock::Lock;
use crate::storage::backup;
use crate::storage::objects::Bucket;

use command::report;
use progress::Progress;

pub use command::BackupCommand;
pub use import::import;

/// Copies the data folder, or the cluster.
pub fn create(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    if let Some(cluster) = &config.cluster {
        return export::create(config, cluster, command);
    }
    log::start(config, tracing::Level::WARN)?;
    let bucket = config.objects.as_ref().map(Bucket::new).transpose()?;
    let progress = Progress::new("files");
    let (data, target) = (&config.data_dir, &command.folder);
    let made = backup::create(
        data,
        bucket.as_ref(),
        target,
        || keep_approved(config, target),
        |files| progress.so_far(files),
    )?;
    drop(progress);
    report(
        command.json,
        &made,
        &format!("{} is copied to {}", data.display(), target.display()),
    )
}

/// Fills the data folder.
pub fn restore(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    ensure!(
        config.cluster.is_none(),
        "SERVICE_DATABASE_URL is set, and `galley restore` fills a data folder: `galley import` fills a cluster; to make a server alone \
         of the backup, unset the group \"cluster\""
    );
    log::start(config, tracing::Level::WARN)?;
    let progress = Progress::new("files");
    let (folder, data) = (&command.folder, &config.data_dir);
    let made = backup::restore(
        folder,
        data,
        || install_approved(config),
        |files| progress.so_far(files),
    )?;
    drop(progress);
    report(
        command.json,
        &made,
        &format!("{} is filled from {}", data.display(), folder.display()),
    )
}

/// Puts the approved files of the plugins folder into a backup, beside the installed plugins. What came with the program comes with it
/// elsewhere, too.
fn keep_approved(config: &Config, backup: &Path) -> anyhow::Result<()> {
    let approved = Lock::read(backup)?.plugins.into_iter();
    for entry in approved.filter(|entry| entry.file.is_some() && !entry.bundled) {
        // A file that is missing or was changed does not serve here either.
        if let Ok(wasm) = std::fs::read(entry.path(&config.plugins_dir, &config.data_dir))
            && sha256(&wasm) == entry.sha256
        {
            artifacts::write(backup, &entry.sha256, &wasm)?;
        }
    }
    Ok(())
}

/// Makes installed plugins of the approved files that are not in this machine's plugins folder.
fn install_approved(config: &Config) -> anyhow::Result<()> {
    let mut lock = Lock::read(&config.data_dir)?;
    let before = lock.clone();
    for entry in lock.plugins.iter_mut().filter(|entry| !entry.bundled) {
        let is_here = entry.path(&config.plugins_dir, &config.data_dir).is_file();
        if !is_here && artifacts::path(&config.data_dir, &entry.sha256).is_file() {
            entry.source = entry.file.take().or(entry.source.take());
        }
    }
    if lock != before {
        lock.write(&config.data_dir)?;
    }
    Ok(())
}
