//! Running `galley` commands to their end.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::process::Process;
use crate::server::Server;

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// The command, for messages.
    pub command: String,
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ended {
    /// Demands an exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ended {
        if self.code != code {
            panic!(
                "`{}` ended with {}:\n{}{}",
                self.command, self.code, self.stdout, self.stderr
            );
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("`{}`: {error}: {}", self.command, self.stdout))
    }
}

/// Runs a command to its end.
///
/// # Panics
/// When it still runs after two minutes.
#[track_caller]
pub fn run(command: &mut Command) -> Ended {
    run_within(command, Duration::from_secs(120))
}

/// The same for what takes longer.
///
/// # Panics
/// When it still runs after `limit`.
#[track_caller]
pub fn run_within(command: &mut Command, limit: Duration) -> Ended {
    let name = format!("{command:?}");
    let mut process = Process::start(command);
    let status = process.wait(limit).unwrap_or_else(|| panic!("`{name}` does not end"));
    Ended {
        command: name,
        code: status.code().unwrap_or(-1),
        stdout: process.stdout(),
        stderr: process.stderr(),
    }
}

/// The same command, started by a shell with this umask.
pub fn with_umask(umask: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("umask {umask}; exec \"$0\" \"$@\""))
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

impl Server {
    /// Runs `galley ARGUMENTS` with this server's environment.
    #[track_caller]
    pub fn galley(&self, arguments: &[&str]) -> Ended {
        run(self.command().args(arguments))
    }
}
