//! `galley plugins`: shows plugins and decides which may run.
//!
//! A command that changes something asks the running server over its control socket, and ends when the outcome is known.
//! Without a server it does the same itself.

mod approve;
mod args;
mod change;
mod data_folder;
mod dev;
mod fetched;
mod folder;
mod inspect;
mod list;
mod oci;
mod redirects;
mod seal;
mod source;
mod target;
mod test;
mod verify;

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use self::args::{ArtifactArgs, DataArgs, OptionalArtifactArgs};
use super::author::{self, AuthorCommand};
use crate::config::Config;
use crate::plugins::operations::{EventDeed, Request};

/// The subcommands of `galley plugins`.
#[derive(Debug, Subcommand)]
pub enum PluginsCommand {
    /// List the slots, what fills them and how it does, and files that are not approved
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a plugin's routes, guards, imports and migrations
    Inspect {
        /// A slot, or a file in the plugins folder; without it, all approved plugins
        plugin: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check that each enabled plugin's file is the approved one and loads; exit code 1 when one does not
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Put a plugin into the slot it names, once its permissions are approved
    Install {
        #[command(flatten)]
        artifact: ArtifactArgs,
        /// The slot whose plugin it replaces
        #[arg(long, value_name = "SLOT")]
        replaces: Option<String>,
    },
    /// Put another version of the same plugin into its slot, without a request lost
    Update {
        /// The slot
        slot: String,
        #[command(flatten)]
        artifact: OptionalArtifactArgs,
    },
    /// Put back what filled a slot before, with data that fit it
    Rollback {
        /// The slot
        slot: String,
        /// Back to the plugin that came with the program
        #[arg(long)]
        bundled: bool,
        /// Go back even when writes since then are lost
        #[arg(long)]
        lose_writes: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take a plugin out of its slot for good; its data stays
    Remove {
        /// The slot
        slot: String,
        /// Delete its data as well
        #[arg(long)]
        purge: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Let the plugin of a slot serve
    Enable {
        /// The slot
        slot: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take the plugin of a slot out of service; its data stays
    Disable {
        /// The slot
        slot: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the events that a slot did not take and that were set aside, deliver one once more, or forget it
    Events {
        /// The slot
        slot: String,
        /// What becomes of one event
        #[arg(value_enum, requires = "id")]
        deed: Option<Deed>,
        /// Its number
        id: Option<i64>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what fills a slot, and what did before
    History {
        /// The slot
        slot: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show or change the bounds of a slot, such as `memory=128MiB deadline=10s`; in force at once
    #[command(after_help = crate::capabilities::limits_help())]
    Limits {
        /// The slot
        slot: String,
        /// The bounds to change; `key=default` takes one back
        #[arg(value_name = "KEY=VALUE")]
        changes: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show or change the settings of a slot, as its plugin declares them; in force at once
    Config {
        /// The slot
        slot: String,
        /// The settings to change; `key=` takes one out
        #[arg(value_name = "KEY=VALUE")]
        changes: Vec<String>,
        /// A secret to set: its value is the next line of standard input, and nothing shows it again; an empty line takes it
        /// out
        #[arg(long, value_name = "KEY")]
        secret: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Approve a file of the plugins folder (SERVICE_PLUGINS_DIR), with the imports and hosts it asks for, for the slot it names
    ///
    /// A running server follows within a second. `install` needs no plugins folder, and says whether the plugin serves.
    Approve {
        /// The file's name in the plugins folder, or the slot whose file changed
        plugin: String,
        /// Replace the plugin that fills the slot now
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        data: DataArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Serve a plugin that is being worked on: built, swapped and tried again at each change
    ///
    /// A server of its own runs on a folder below the plugin's target/, with the plugins of SERVICE_PLUGINS_DIR beside. When a
    /// migration that ran is edited, the plugin's data begin anew.
    Dev {
        /// The plugin's folder
        #[arg(default_value = ".")]
        path: PathBuf,
        /// Where the server listens
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4320")]
        listen: std::net::SocketAddr,
    },
    /// Run requests of a file on a plugin, in a server of its own that is gone afterwards; exit code 1 when an answer differs
    #[command(after_help = TEST_HELP)]
    Test {
        /// The file with the requests
        file: PathBuf,
        /// The component; without it, the one that the file names, or the plugin in the file's folder, which is built
        #[arg(long, value_name = "FILE")]
        plugin: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    #[command(flatten)]
    Author(AuthorCommand),
    /// Write bundled.json, which approves every plugin of a folder as part of the program (used by the build)
    Seal {
        /// The folder with the .wasm files
        folder: PathBuf,
    },
}

/// What all commands about plugins have in common.
pub const HELP: &str = "\
Commands that show or change slots ask the server that runs on SERVICE_DATA_DIR, and end when the outcome is known; without a
server they do the same themselves.

They end with
  0  when it is done
  1  when something is missing or fails that is not about the plugin: the server, the folder, a network
  2  for a file that is no plugin for this server, and for arguments that cannot be read
  3  for a plugin that does not fit what is there; the one before serves on
  4  when somebody has to approve it: add --yes, or --lose-writes";

const TEST_HELP: &str = r#"The file is JSON:

  {
    "projects": { "shop": "all-members" },
    "config": { "settings": { "greeting": "Hi" }, "secrets": { "token": "t0ken" } },
    "steps": [
      { "request": "POST /api/v1/projects/{shop}/x/hello", "as": "editor", "json": { "name": "Ann" },
        "expect": { "status": 200, "json": { "times": 1 } }, "save": { "said": "/greeting" } },
      { "event": { "topic": "project-deleted", "data": { "projectId": "{shop}" } } },
      { "job": "tidy" },
      { "config": { "settings": { "greeting": "" } } },
      { "request": "POST /api/v1/x/hello/upload", "archive": { "index.html": "<h1>Hi</h1>" } },
      { "request": "GET /api/v1/x/hello/stream", "stream": "watch" },
      { "next": "watch", "expect": { "json": { "type": "connected" } } }
    ]
  }

A step asks as nobody, viewer, editor or admin. Its body is `json`, `text`, a `file` (relative to this one) or an `archive`: a
folder, or files with their texts. A `job` runs at once. An empty setting or secret is taken out. `stream` keeps the answer's stream
of events open under a name, and `next` takes the next event of it. What is expected of JSON may leave keys of objects out; without a status, any from
200 to 299 will do. `{shop}` is the id of that project, `{editor}` that of that account, `{said}` what a step saved. sdk/README.md
lists the rest."#;

/// What becomes of an event that was set aside.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Deed {
    /// It is delivered once more
    Retry,
    /// It is forgotten
    Drop,
}

/// Runs one subcommand; its output goes to standard output.
pub fn run(command: PluginsCommand, config: Config) -> anyhow::Result<()> {
    match command {
        PluginsCommand::List { json } => list::list(&config, json),
        PluginsCommand::Inspect { plugin, json } => inspect::show(&config, plugin.as_deref(), json),
        PluginsCommand::Verify { json } => verify::verify(&config, json),
        PluginsCommand::Approve {
            plugin,
            replace,
            data,
            json,
        } => approve::approve(&config, &plugin, replace, data.choice(), json),
        PluginsCommand::Dev { path, listen } => dev::run(config, &path, listen),
        PluginsCommand::Test { file, plugin, json } => test::run(&config, &file, plugin, json),
        PluginsCommand::Author(command) => author::run(command),
        PluginsCommand::Seal { folder } => seal::seal(&folder),
        PluginsCommand::Install { artifact, replaces } => change::install(config, artifact, replaces),
        PluginsCommand::Update { slot, artifact } => change::update(config, slot, artifact),
        PluginsCommand::Rollback {
            slot,
            bundled,
            lose_writes,
            json,
        } => {
            let request = Request::Rollback {
                slot,
                bundled,
                lose_writes,
            };
            change::run(config, request, json)
        }
        PluginsCommand::Remove { slot, purge, json } => change::run(config, Request::Remove { slot, purge }, json),
        PluginsCommand::Enable { slot, json } => change::run(config, Request::Enable { slot }, json),
        PluginsCommand::Disable { slot, json } => change::run(config, Request::Disable { slot }, json),
        PluginsCommand::Events { slot, deed, id, json } => {
            let deed = deed.zip(id).map(|(deed, id)| match deed {
                Deed::Retry => EventDeed::Retry { id },
                Deed::Drop => EventDeed::Drop { id },
            });
            change::run(config, Request::Events { slot, deed }, json)
        }
        PluginsCommand::History { slot, json } => change::run(config, Request::History { slot }, json),
        PluginsCommand::Limits { slot, changes, json } => change::run(config, Request::Limits { slot, changes }, json),
        PluginsCommand::Config {
            slot,
            changes,
            secret,
            json,
        } => {
            let secrets = change::read_secrets(secret)?;
            let request = Request::Config { slot, changes, secrets };
            change::run(config, request, json)
        }
    }
}
