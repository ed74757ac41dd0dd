//! What the commands about backups take and print.

use std::path::PathBuf;

use clap::Args;

use crate::cli::output;
use crate::storage::backup::Summary;

/// What these commands take.
#[derive(Debug, Args)]
pub struct BackupCommand {
    /// The backup's folder
    pub folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints what was done.
pub fn report(json: bool, made: &Summary, done: &str) -> anyhow::Result<()> {
    output::print(&match json {
        true => format!("{}\n", serde_json::to_string(made)?),
        false => format!("{done}: {} files, {:.1} MB\n", made.files, made.bytes as f64 / 1e6),
    })
}
