//! Where the program is, and how it is started: without tools and settings of its own, in an empty folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::models::{Access, Provider};

/// Names the program when it is not on PATH.
pub const VARIABLE: &str = "EDITOR_VENDOR_CLI";
/// What it is called on PATH.
const NAME: &str = "claude";
/// Variables that it gets: where it finds its own sign-in, and no key, which would be billed instead.
const PASSED_ON: [&str; 5] = ["PATH", "HOME", "LANG", "TMPDIR", "CLAUDE_CONFIG_DIR"];

/// Where the program is.
#[must_use]
pub fn find(lookup: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(named) = lookup(VARIABLE).filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        return path.is_file().then_some(path);
    }
    let folders = lookup("PATH")?;
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(NAME));
    places.find(|place| place.is_absolute() && place.is_file())
}

/// Whether the program is asked instead of a provider: it was asked for, and is of the provider that is chosen.
#[must_use]
pub fn is_used(use_subscription: bool, access: &Access) -> bool {
    use_subscription && access.provider == Provider::Anthropic
}

/// Why nothing can be asked where it should be used and is not there.
#[must_use]
pub fn missing() -> String {
    format!(
        "EDITOR_USE_SUBSCRIPTION is set, but the vendor's program is not there: install it, or name it in {VARIABLE}"
    )
}

/// The running program. Dropped, everything in its group is killed.
#[derive(Debug)]
pub(super) struct Running {
    _child: Child,
    group: Option<Pid>,
    /// It runs in an empty folder: nothing there tells it anything.
    _folder: tempfile::TempDir,
}

/// How it is started.
#[derive(Debug, Clone, PartialEq)]
pub struct Start<'s> {
    /// Who the model is and how it works.
    pub system: &'s str,
    /// The model, where the user named one.
    pub model: Option<&'s str>,
    /// What the turn may cost.
    pub budget: Option<f64>,
}

impl Start<'_> {
    fn arguments(&self) -> Vec<String> {
        let servers = json!({ "mcpServers": { "editor": { "type": "sdk", "name": "editor" } } }).to_string();
        let mut arguments: Vec<String> = [
            "-p",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--tools",
            "",
            "--strict-mcp-config",
            "--setting-sources=",
            "--no-session-persistence",
            "--permission-prompt-tool",
            "stdio",
            "--system-prompt",
            self.system,
            "--mcp-config",
            &servers,
        ]
        .map(str::to_owned)
        .into();
        if let Some(budget) = self.budget {
            arguments.extend(["--max-budget-usd".to_owned(), format!("{budget:.4}")]);
        }
        if let Some(model) = self.model {
            arguments.extend(["--model".to_owned(), model.to_owned()]);
        }
        arguments
    }
}

impl Running {
    /// Starts the program. Within a runtime only.
    ///
    /// # Errors
    /// When that fails.
    pub(super) fn start(program: &Path, start: &Start<'_>) -> std::io::Result<(Running, ChildStdin, ChildStdout)> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(start.arguments()).current_dir(folder.path()).env_clear();
        for name in PASSED_ON {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let mut child = command
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What it writes for people may hold anything.
            .stderr(Stdio::null())
            .spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let pipes = child.stdin.take().zip(child.stdout.take());
        let running = Running {
            _child: child,
            group,
            _folder: folder,
        };
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("its pipes are missing"))?;
        Ok((running, stdin, stdout))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // Fails only when nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_by_its_variable_or_on_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(NAME);
        let lookup = |named: Option<&Path>| {
            let named = named.map(|path| path.as_os_str().to_owned());
            let path = folder.path().as_os_str().to_owned();
            move |name: &str| match name {
                VARIABLE => named.clone(),
                "PATH" => Some(path.clone()),
                _ => None,
            }
        };
        assert_eq!(find(lookup(None)), None);
        std::fs::write(&program, "").unwrap();
        assert_eq!(find(lookup(None)), Some(program.clone()));
        assert_eq!(find(lookup(Some(&program))), Some(program.clone()));
        // What was named and is missing is not replaced by another one.
        assert_eq!(find(lookup(Some(&folder.path().join("gone")))), None);
    }

    #[test]
    fn it_gets_no_tools_and_no_settings() {
        let start = Start {
            system: "You are",
            model: None,
            budget: Some(0.5),
        };
        let line = start.arguments().join("|");
        for wanted in [
            "|--tools||",
            "|--strict-mcp-config|",
            "|--setting-sources=|",
            "--max-budget-usd|0.5000",
        ] {
            assert!(line.contains(wanted), "{wanted} in {line}");
        }
        assert!(!line.contains("--model"));
    }
}
