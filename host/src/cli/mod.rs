//! The command line, boot, and the log.

mod author;
mod backup;
mod boot;
mod check_config;
mod cluster;
mod control;
mod database;
mod descriptors;
mod log;
mod node;
mod output;
mod plugins;
mod running;
mod scratch;
mod signals;
mod sweeps;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use rustix::fs::Mode;

use crate::author::component::ComponentError;
use crate::builds::{package, sandbox};
use crate::config::Config;
use crate::plugins::inspect::InspectError;
use crate::plugins::operations::{Kind, Refused};
use crate::plugins::verify::VerifyError;
use crate::storage::slot_data::DataError;

/// Galley: a self-hosted review server for prototypes.
///
/// It is configured by environment variables that start with SERVICE_; `galley check-config` shows what was understood.
#[derive(Debug, Parser)]
#[command(name = "galley", version, about, long_about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server
    ///
    /// Prints `galley listening on http://ADDRESS:PORT` to standard output when it accepts connections; everything
    /// else goes to the log on standard error. SIGTERM and SIGINT let requests end, then the server exits with 0.
    Serve,
    /// Check the configuration and show what was understood; secrets are shown as `set`
    CheckConfig {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// List every variable with its default and meaning instead, as a Markdown page
        #[arg(long, conflicts_with = "json")]
        variables: bool,
    },
    /// Copy all data into an empty folder, also while the server runs
    ///
    /// The copy is of one moment, and holds everything of SERVICE_DATA_DIR that cannot be made again: databases, prototypes,
    /// logs, approvals, installed plugins, and the keys that open sealed secrets (keep it as safe as the data). Plugins that
    /// come with the program are not in it. The folder must not be inside SERVICE_DATA_DIR.
    ///
    /// In a cluster (SERVICE_DATABASE_URL) it holds the same of the whole cluster, whichever of its servers makes it, in the same
    /// files: `galley restore` makes a server alone of it, `galley import` another cluster.
    Backup(backup::BackupCommand),
    /// Fill an empty SERVICE_DATA_DIR from a backup
    ///
    /// Every file is checked before anything is copied. No server may run on that folder, and none starts on it until it is
    /// filled; a restoration that was interrupted is run again and begins anew. The backup may be a cluster's.
    Restore(backup::BackupCommand),
    /// Fill an empty cluster from a backup
    ///
    /// The database of SERVICE_DATABASE_URL and the place in the object store of SERVICE_OBJECTS_URL take over what the backup
    /// of a server alone, or of a cluster, holds: accounts and their sessions, projects, versions, comments, approvals. Both must be
    /// empty, no server may run on them, and SERVICE_CLUSTER_KEY_FILE must be a copy of the backup's keys/seal.key. Every file of
    /// the backup is checked, and every plugin in use must run on PostgreSQL, before anything is written.
    ///
    /// Until it says that it is done no server starts on the database. One that was interrupted is run again with the same
    /// backup; it begins anew and keeps the objects that are there.
    Import(backup::BackupCommand),
    /// Look at a cluster of servers
    #[command(subcommand)]
    Cluster(cluster::ClusterCommand),
    /// Run one command of a build, and end all its child processes with it
    #[command(hide = true)]
    BuildStep(sandbox::Step),
    /// Write a folder to standard output as an archive
    #[command(hide = true)]
    BuildPack {
        /// The folder, relative to the working directory
        folder: String,
    },
    /// Write the SDK that plugins are written against, and the contract, into a folder
    ///
    /// A folder that an older program wrote is brought up to date.
    Sdk {
        /// A new or empty folder, or one of an SDK
        folder: std::path::PathBuf,
    },
    /// Show plugins and decide which may run; begin and build one
    #[command(subcommand, after_help = plugins::HELP)]
    Plugins(plugins::PluginsCommand),
}

impl Command {
    /// Whether it makes files for an author of plugins, which are no secrets.
    fn is_authors(&self) -> bool {
        matches!(
            self,
            Self::Sdk { .. } | Self::Plugins(plugins::PluginsCommand::Author(_))
        )
    }
}

/// Only the user of this program may read the files it makes: accounts, keys, private prototypes, backups.
const UMASK: Mode = Mode::RWXG.union(Mode::RWXO);

/// A file that is no plugin for this server: it has to be built again, or the server to be updated.
const BAD_PLUGIN: u8 = 2;
/// A plugin that does not fit the others or the data that is there.
const CONFLICT: u8 = 3;
/// Something that somebody has to approve.
const NEEDS_APPROVAL: u8 = 4;
/// A cluster of which something is missing.
const DEGRADED: u8 = 5;

fn exit_code(error: &anyhow::Error) -> u8 {
    let code = error.chain().find_map(|cause| {
        if cause.is::<cluster::Degraded>() {
            return Some(DEGRADED);
        }
        if let Some(error) = cause.downcast_ref::<InspectError>() {
            let is_missing = matches!(error, InspectError::Unreadable(..));
            return Some(if is_missing { 1 } else { BAD_PLUGIN });
        }
        if let Some(refused) = cause.downcast_ref::<Refused>() {
            return Some(match refused.kind {
                Kind::Failed | Kind::Invalid | Kind::Unknown | Kind::Denied | Kind::Unavailable => 1,
                Kind::BadFile => BAD_PLUGIN,
                Kind::Conflict => CONFLICT,
                Kind::NeedsApproval => NEEDS_APPROVAL,
            });
        }
        if cause.is::<ComponentError>() {
            return Some(BAD_PLUGIN);
        }
        match cause.downcast_ref::<VerifyError>()? {
            VerifyError::Inspect(_) => Some(BAD_PLUGIN),
            VerifyError::Data(DataError::LosesWrites { .. }) => Some(NEEDS_APPROVAL),
            VerifyError::Claim(_) | VerifyError::Data(_) => Some(CONFLICT),
        }
    });
    code.unwrap_or(1)
}

/// Runs the program. A failure is one line on standard error and exit code 1; commands about plugins end with 2 for a bad
/// file, with 3 for one that does not fit what is there, and with 4 for one that somebody has to approve.
pub fn main() -> ExitCode {
    let command = Cli::parse().command;
    if !command.is_authors() {
        rustix::process::umask(UMASK);
    }
    let command = match command {
        // The server starts these two itself, without configuration and without its environment.
        // Printed even when the configuration is wrong, because the list helps to mend it.
        Command::CheckConfig { variables: true, .. } => {
            return match output::print(&crate::config::page()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            };
        }
        Command::BuildStep(step) => return sandbox::run(&step),
        Command::BuildPack { folder } => return package::pack_and_exit(&folder),
        command => command,
    };
    let done = Config::from_env()
        .map_err(anyhow::Error::from)
        .and_then(|config| match command {
            Command::Serve => boot::serve(config),
            Command::BuildStep(_) | Command::BuildPack { .. } => Ok(()),
            Command::Sdk { folder } => author::sdk(&folder),
            Command::CheckConfig { json, .. } => check_config::run(&config, json),
            Command::Backup(command) => backup::create(&config, &command),
            Command::Restore(command) => backup::restore(&config, &command),
            Command::Import(command) => backup::import(&config, &command),
            Command::Cluster(command) => cluster::run(&config, &command),
            // They are servers, with a server's log.
            Command::Plugins(
                command @ (plugins::PluginsCommand::Dev { .. } | plugins::PluginsCommand::Test { .. }),
            ) => plugins::run(command, config),
            Command::Plugins(command) => {
                log::start(&config, tracing::Level::WARN)?;
                plugins::run(command, config)
            }
        });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // It was said on standard output.
        Err(error) if error.is::<cluster::Degraded>() => ExitCode::from(exit_code(&error)),
        Err(error) => {
            // One line, even when a cause has several, or quotes a text that moves the cursor.
            let reason = galley_people::name::cleaned(&format!("{error:#}"));
            output::say(&format!("galley: {reason}"));
            ExitCode::from(exit_code(&error))
        }
    }
}
