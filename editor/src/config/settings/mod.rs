//! Every key there is, with its value and what is wrong with it; and changing one in the file that owns it.

mod change;
mod table;

use serde::Serialize;
use serde_json::Value;

pub use change::{ChangeError, change, save};
pub use table::{Applies, File, SETTINGS, Setting};

use super::files::Files;
use super::key::{Key, read_file};
use super::turn::{self, Turn};
use super::{Config, Environment, Problem, design_systems, read_roots, toggles, tool};
use crate::gate::Prototype;

/// A setting as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// What it is.
    #[serde(flatten)]
    pub setting: &'static Setting,
    /// What it holds when the file says nothing.
    pub default: Value,
    /// What the file says, or else the default. A change that waits for a restart is already in it.
    pub value: Value,
    /// Whether the file says something.
    pub is_set: bool,
    /// Whether the variable of its environment switches it on, whatever the file says.
    pub by_environment: bool,
    /// Whether the running Editor still goes by another value.
    pub pending: bool,
    /// Whether it takes effect only after a restart.
    pub restart: bool,
    /// What is wrong with it, or with the file around it.
    pub problem: Option<String>,
}

/// Every setting, read from the files now. `running` is the configuration the Editor started with, if it did.
#[must_use]
pub fn list(prototype: &Prototype, running: Option<&Config>) -> Vec<Listed> {
    let now = Now::read(prototype);
    let then = running.map_or(&now.files, |running| &running.read);
    let environment = match running {
        Some(running) => running.environment.clone(),
        None => Environment::read(|name| std::env::var(name).ok()),
    };
    let listed = |setting: &'static Setting| {
        let found = now.find(setting);
        let default = setting.default_value();
        let value = found.clone().unwrap_or_else(|| default.clone());
        let restart = setting.applies != Applies::NextMessage;
        let before = match setting.file {
            File::Tool => usable(&then.tool, then_is_good(then)),
            File::Root => usable(&then.root, true),
            _ => None,
        };
        let before = before.and_then(|file| at(file, setting.key)).unwrap_or(&default);
        let pending = restart && *before != value;
        Listed {
            setting,
            value,
            is_set: found.is_some(),
            by_environment: by_environment(setting, &environment),
            pending,
            restart,
            problem: now.problem(setting),
            default,
        }
    };
    SETTINGS.iter().map(listed).collect()
}

fn then_is_good(files: &Files) -> bool {
    matches!(&files.tool, Ok(Some(value)) if tool::parse(value).is_ok())
}

fn by_environment(setting: &Setting, environment: &Environment) -> bool {
    match setting.variable {
        Some("EDITOR_CANVAS") => environment.canvas,
        Some("EDITOR_CODE_VIEW") => environment.code_view,
        Some("EDITOR_NOTES") => environment.notes,
        Some("EDITOR_VSCODE_LINK") => environment.vscode_link,
        _ => false,
    }
}

fn usable(file: &Result<Option<Value>, Problem>, good: bool) -> Option<&Value> {
    file.as_ref().ok()?.as_ref().filter(|_| good)
}

/// The value of a dotted key.
fn at<'a>(file: &'a Value, key: &str) -> Option<&'a Value> {
    key.split('.').try_fold(file, |value, part| value.get(part))
}

/// All files as they are now, checked.
struct Now {
    files: Files,
    per_message: Result<Option<Value>, Problem>,
    servers: Result<Option<Value>, Problem>,
    problems: Vec<(File, Problem)>,
}

impl Now {
    fn read(prototype: &Prototype) -> Now {
        let files = Files::read(prototype);
        let mut problems = Vec::new();
        match &files.tool {
            Ok(Some(value)) => match tool::parse(value) {
                Ok(parsed) => problems.extend(parsed.identity.map(|problem| (File::Tool, problem))),
                Err(problem) => problems.push((File::Tool, problem)),
            },
            Ok(None) => {}
            Err(problem) => problems.push((File::Tool, problem.clone())),
        }
        problems.extend(
            root_problems(&files.root, prototype)
                .into_iter()
                .map(|problem| (File::Root, problem)),
        );
        let turn = Turn::read(&prototype.git_root, &|name| std::env::var(name).ok());
        for (file, problem) in turn.problems() {
            let file = if file == turn::SERVERS {
                File::Servers
            } else {
                File::PerMessage
            };
            problems.push((file, problem.clone()));
        }
        let (name, blocks) = turn::blocks(&prototype.git_root);
        Now {
            files,
            per_message: blocks.map(|value| name.map(|_| value)),
            servers: read_file(&prototype.git_root.join(turn::SERVERS)),
            problems,
        }
    }

    fn find(&self, setting: &Setting) -> Option<Value> {
        // One mistake makes the whole of this file unusable.
        let tool_is_good = !self
            .problems
            .iter()
            .any(|(file, problem)| *file == File::Tool && !problem.concerns("project"));
        let file = match setting.file {
            File::Tool => usable(&self.files.tool, tool_is_good),
            File::Root => usable(&self.files.root, true),
            File::PerMessage => usable(&self.per_message, true),
            File::Servers => usable(&self.servers, true),
        };
        at(file?, setting.key).cloned()
    }

    fn problem(&self, setting: &Setting) -> Option<String> {
        let mine = |(file, problem): &&(File, Problem)| *file == setting.file && problem.concerns(setting.key);
        self.problems.iter().find(mine).map(|(_, problem)| problem.to_string())
    }
}

fn root_problems(file: &Result<Option<Value>, Problem>, prototype: &Prototype) -> Vec<Problem> {
    let value = match file {
        Ok(Some(value)) => value,
        Ok(None) => return Vec::new(),
        Err(problem) => return vec![problem.clone()],
    };
    let top = match Key::top(value) {
        Ok(top) => top,
        Err(problem) => return vec![problem],
    };
    let blocks = [
        read_roots::parse(&top, &prototype.root, &mut Vec::new()).err(),
        design_systems::parse(&top).err(),
        toggles::lanes(&top).err(),
        toggles::hosts(&top).err(),
    ];
    blocks.into_iter().flatten().collect()
}
