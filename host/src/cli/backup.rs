//! `galley backup` and `galley restore`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::config::Config;
use crate::plugins::artifacts;
use crate::plugins::cache::sha256;
use crate::plugins::lock::Lock;
use crate::storage::backup::{self, Summary};
use crate::storage::objects::Bucket;

/// What both commands take.
#[derive(Debug, Args)]
pub struct BackupCommand {
    /// The backup's folder
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Copies the data folder.
pub fn create(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    ensure_alone(config)?;
    keep_approved(config)?;
    let bucket = config.objects.as_ref().map(Bucket::new).transpose()?;
    let made = backup::create(&config.data_dir, bucket.as_ref(), &command.folder, progress)?;
    let (data, folder) = (config.data_dir.display(), command.folder.display());
    report(command.json, &made, &format!("{data} is copied to {folder}"))
}

/// Fills the data folder.
pub fn restore(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    ensure_alone(config)?;
    let made = backup::restore(&command.folder, &config.data_dir, progress)?;
    install_approved(config)?;
    let (data, folder) = (config.data_dir.display(), command.folder.display());
    report(command.json, &made, &format!("{data} is filled from {folder}"))
}

/// The data of a cluster are not in the folder: a copy of it would look like a backup and be none.
fn ensure_alone(config: &Config) -> anyhow::Result<()> {
    ensure!(
        config.cluster.is_none(),
        "SERVICE_DATABASE_URL is set, and this command knows the data of a data folder only: back up the database with its own \
         means (pg_dump, pg_basebackup) and keep SERVICE_CLUSTER_KEY_FILE and the bucket, or unset the group \"cluster\""
    );
    Ok(())
}

/// Puts the approved files of the plugins folder beside the installed plugins: a backup holds those. What came with the program comes
/// with it elsewhere, too.
fn keep_approved(config: &Config) -> anyhow::Result<()> {
    let approved = Lock::read(&config.data_dir)?.plugins.into_iter();
    for entry in approved.filter(|entry| entry.file.is_some() && !entry.bundled) {
        // A file that is missing or was changed does not serve here either.
        if let Ok(wasm) = std::fs::read(entry.path(&config.plugins_dir, &config.data_dir))
            && sha256(&wasm) == entry.sha256
        {
            artifacts::keep(&config.data_dir, &wasm)?;
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

/// Shows the progress on the terminal.
fn progress(files: usize) {
    let mut terminal = std::io::stderr();
    if terminal.is_terminal() {
        // A closed terminal does not stop the copy.
        let _ = write!(terminal, "\r{files} files");
    }
}

fn report(json: bool, made: &Summary, done: &str) -> anyhow::Result<()> {
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    if json {
        println!("{}", serde_json::to_string(made)?);
    } else {
        println!("{done}: {} files, {:.1} MB", made.files, made.bytes as f64 / 1e6);
    }
    Ok(())
}
