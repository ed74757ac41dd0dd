//! What the doctor found, as its JSON says it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

use serde::Serialize;

use crate::config::settings::Listed;
use crate::config::tool::Project;
use crate::config::{DesignSystem, Features, ReadRoot, Warning};
use crate::gate::{Framework, MissingModule};
use crate::models::{KeySource, Provider};

/// Everything.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether nothing is in the way.
    pub ok: bool,
    /// What the start would end with, if something is in the way.
    pub exit_code: u8,
    /// What is in the way, the first thing first.
    pub obstacles: Vec<Obstacle>,
    /// The Editor's.
    pub version: &'static str,
    /// As it was asked for.
    pub path: PathBuf,
    /// Node's version.
    pub node: Option<String>,
    /// Where the files lie that the Editor serves.
    pub bundles: Bundles,
    /// Which ports would be used.
    pub ports: Ports,
    /// The prototype; nothing when the gate refuses it.
    pub found: Option<Found>,
}

/// Something that keeps the Editor from starting.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Obstacle {
    /// What the start would end with.
    pub exit_code: u8,
    /// What the start would say.
    pub words: String,
}

impl Obstacle {
    pub fn new(exit_code: u8, words: &impl Display) -> Obstacle {
        Obstacle {
            exit_code,
            words: words.to_string(),
        }
    }
}

/// Places; nothing for what is missing.
#[derive(Debug, Serialize)]
pub struct Bundles {
    /// The interface's folder.
    pub ui: Option<PathBuf>,
    /// The bridge's file.
    pub bridge: Option<PathBuf>,
}

/// Ports; nothing stands for any free one.
#[derive(Debug, Serialize)]
pub struct Ports {
    /// The interface's.
    pub interface: Option<u16>,
    /// The dev server's.
    pub host: Option<u16>,
}

/// The prototype.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub root: PathBuf,
    pub git_root: PathBuf,
    pub name: String,
    pub framework: Framework,
    /// The installed version.
    pub framework_version: Option<String>,
    pub is_installed: bool,
    /// What the bundler's configuration imports in vain.
    pub missing_modules: Vec<MissingModule>,
    pub git: Git,
    pub host: Host,
    /// What `.tool/config.json` links to.
    pub project: Option<Project>,
    pub has_tool_file: bool,
    /// Nothing when the configuration stops the start.
    pub features: Option<Features>,
    pub read_roots: Vec<ReadRoot>,
    pub design_systems: Vec<DesignSystem>,
    /// MCP servers of the chat.
    pub servers: Vec<Server>,
    /// Variables that are set.
    pub environment: BTreeMap<&'static str, String>,
    /// Whose models would be asked.
    pub models: Models,
    /// The Chromium that would read pages.
    pub browser: Option<PathBuf>,
    pub settings: Vec<Listed>,
    pub warnings: Vec<Warning>,
}

/// The state of the repository.
#[derive(Debug, Serialize)]
pub struct Git {
    /// Nothing when the head is detached.
    pub branch: Option<String>,
    pub commit: Option<String>,
    /// How many files differ from the last commit.
    pub changed: usize,
    /// Git's own version.
    pub version: Option<String>,
}

/// The dev server.
#[derive(Debug, Serialize)]
pub struct Host {
    pub kind: Option<&'static str>,
    /// Its configuration file.
    pub config: Option<String>,
    /// Whether the Editor would start it.
    pub starts: bool,
    pub words: String,
}

/// An MCP server, without its arguments and environment: they may be secret.
#[derive(Debug, Serialize)]
pub struct Server {
    pub id: String,
    pub command: String,
}

/// Whose models would be asked, and whether there is a key; never the key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Models {
    /// The provider.
    pub provider: Provider,
    /// Which model.
    pub model: Option<String>,
    /// Where its key comes from.
    pub key: Option<KeySource>,
    /// The variable that would hold it.
    pub variable: String,
    /// Where it is asked.
    pub base_url: Option<String>,
    /// Whether the vendor's program is asked instead of the provider.
    pub subscription: bool,
    /// Where that program is, also when it is not asked.
    pub vendor_program: Option<PathBuf>,
    /// Why the file of keys, or the address that somebody named, is not used.
    pub problem: Option<String>,
}
