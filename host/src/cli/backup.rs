//! `galley backup` and `galley restore`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use crate::config::Config;
use crate::storage::backup::{self, Summary};

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
    let made = backup::create(&config.data_dir, &command.folder, progress)?;
    let (data, folder) = (config.data_dir.display(), command.folder.display());
    report(command.json, &made, &format!("{data} is copied to {folder}"))
}

/// Fills the data folder.
pub fn restore(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    let made = backup::restore(&command.folder, &config.data_dir, progress)?;
    let (data, folder) = (config.data_dir.display(), command.folder.display());
    report(command.json, &made, &format!("{data} is filled from {folder}"))
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
