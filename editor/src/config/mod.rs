//! The configuration: three files, each with its own keys, and the variables `EDITOR_*`.
//!
//! | File | Keys | A mistake |
//! |---|---|---|
//! | `.tool/config.json` | identity, `chat`, `conventions`, `editor`, `retention` | the whole file is not used, see [`tool`] |
//! | `tool.config.json` | `readRoots`, `designSystems`, `lanes`, `hosts` | stops the start, or the block is not used |
//! | the same, in the git root | `webFetch`, `webSearch`, `design_tool` | said in the chat, see [`turn`] |
//! | `.mcp.json`, in the git root | `mcpServers` | said in the chat |
//!
//! Each reader looks only for its own keys; whatever else a file holds is left alone. [`settings`] lists every key there is,
//! and changes single keys in the files.

mod design_systems;
mod environment;
mod files;
mod interpolate;
mod key;
mod problem;
mod read_roots;
pub mod servers;
pub mod settings;
mod toggles;
pub mod tool;
pub mod turn;
mod web;

use serde::Serialize;
use serde_json::Value;

pub use design_systems::{DesignSystem, Source};
pub use environment::{Environment, Storybook};
pub use problem::{Problem, Stop, Warning};
pub use read_roots::ReadRoot;
pub use toggles::{HOSTS, Hosts, Lanes};
pub use tool::Tool;
pub use turn::Turn;
pub use web::Web;

use crate::gate::Prototype;
use files::Files;
use key::Key;

/// What holds from the start until the end of the Editor.
#[derive(Debug, Clone)]
pub struct Config {
    /// `.tool/config.json`, or the defaults.
    pub tool: Tool,
    /// Whether there is a `.tool/config.json`.
    pub has_tool_file: bool,
    /// `readRoots`
    pub read_roots: Vec<ReadRoot>,
    /// `designSystems`; empty with a warning when the block is not usable.
    pub design_systems: Vec<DesignSystem>,
    /// `lanes`
    pub lanes: Lanes,
    /// `hosts`
    pub hosts: Hosts,
    /// The variables.
    pub environment: Environment,
    /// Everything people should know. None of it stopped the start.
    pub warnings: Vec<Warning>,
    /// The two files as they were read, for telling what changed since.
    read: Files,
}

impl Config {
    /// Reads everything that counts from now on.
    ///
    /// # Errors
    /// When `tool.config.json` cannot be parsed, or its `readRoots` hold a mistake.
    pub fn load(prototype: &Prototype) -> Result<Config, Stop> {
        Config::load_with(prototype, |name| std::env::var(name).ok())
    }

    /// The same with another environment.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load_with(prototype: &Prototype, lookup: impl Fn(&str) -> Option<String>) -> Result<Config, Stop> {
        let environment = Environment::read(&lookup);
        let mut warnings = environment.warnings.clone();
        let read = Files::read(prototype);

        let tool = match &read.tool {
            Ok(None) => Tool::default(),
            Ok(Some(value)) => match tool::parse(value) {
                Ok(parsed) => {
                    if let Some(problem) = parsed.identity {
                        let words = format!("{}: {problem}; the project's identity is not used", tool::FILE);
                        warnings.push(Warning::new("project-identity", words));
                    }
                    parsed.tool
                }
                Err(problem) => degraded(&problem, &mut warnings),
            },
            Err(problem) => degraded(problem, &mut warnings),
        };

        let stop = |problem: Problem| Stop {
            file: turn::FILE,
            problem,
        };
        let empty = Value::Object(serde_json::Map::new());
        let root = read.root.clone().map_err(stop)?.unwrap_or(empty);
        let root = Key::top(&root).map_err(stop)?;
        let read_roots = read_roots::parse(&root, &prototype.root, &mut warnings).map_err(stop)?;
        let mut ignored = |code: &'static str, problem: Problem, what: &str| {
            warnings.push(Warning::new(code, format!("{}: {problem}; {what}", turn::FILE)));
        };
        let design_systems = design_systems::parse(&root).unwrap_or_else(|problem| {
            ignored("design-systems", problem, "design systems are not set up");
            Vec::new()
        });
        let lanes = toggles::lanes(&root).unwrap_or_else(|problem| {
            ignored("lanes", problem, "the block is ignored, and both lanes stay dormant");
            Lanes::default()
        });
        let hosts = toggles::hosts(&root).unwrap_or_else(|problem| {
            ignored("hosts", problem, "the block is ignored, and the shipped defaults stand");
            Hosts::default()
        });
        Ok(Config {
            has_tool_file: !matches!(read.tool, Ok(None)),
            tool,
            read_roots,
            design_systems,
            lanes,
            hosts,
            environment,
            warnings,
            read,
        })
    }

    /// What the interface shows.
    #[must_use]
    pub fn features(&self) -> Features {
        let surfaces = self.tool.editor;
        Features {
            code_view: surfaces.code_view || self.environment.code_view,
            notes: surfaces.notes || self.environment.notes,
            canvas: surfaces.canvas || self.environment.canvas,
            vscode_link: surfaces.vscode_link || self.environment.vscode_link,
            detach: self.lanes.detach,
            swap: self.lanes.swap,
            detached_sessions: self.tool.chat.detached_sessions,
            reload_backstop: surfaces.reload_backstop,
        }
    }
}

/// `readRoots` as the file says now.
///
/// # Errors
/// With the mistake in it.
pub fn read_roots_now(prototype: &Prototype) -> Result<Vec<ReadRoot>, Problem> {
    let empty = Value::Object(serde_json::Map::new());
    let file = Files::read(prototype).root?.unwrap_or(empty);
    read_roots::parse(&Key::top(&file)?, &prototype.root, &mut Vec::new())
}

fn degraded(problem: &Problem, warnings: &mut Vec<Warning>) -> Tool {
    let words = format!(
        "{}: {problem}; none of the file is used, so the project's identity, chat, conventions and editor settings have their defaults",
        tool::FILE
    );
    warnings.push(Warning::new("tool-config", words));
    Tool::default()
}

/// Switches of the interface, each on by its key or by its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Features {
    /// The code view.
    pub code_view: bool,
    /// Notes.
    pub notes: bool,
    /// The canvas.
    pub canvas: bool,
    /// 'Open in VS Code'.
    pub vscode_link: bool,
    /// Detach a component.
    pub detach: bool,
    /// Swap a component, and pick icons.
    pub swap: bool,
    /// Chat sessions in tabs.
    pub detached_sessions: bool,
    /// Reload the preview after each edit.
    pub reload_backstop: bool,
}
