//! Running npm and git: in a group of their own that ends as a whole, for a bounded time, without anybody to ask.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Command;

/// Lines of an error that are shown.
const MAX_LINES: usize = 3;

/// Runs a program in a folder to its end.
///
/// # Errors
/// In words: it is missing, failed or took too long.
pub(super) async fn run(program: &str, arguments: &[&str], folder: &Path, limit: Duration) -> Result<(), String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("npm_config_update_notifier", "false")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let child = command
        .spawn()
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    let group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let output = tokio::time::timeout(limit, child.wait_with_output()).await;
    drop(group);
    match output {
        Ok(Ok(output)) if output.status.success() => Ok(()),
        Ok(Ok(output)) => {
            let words = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<_> = words
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .take(MAX_LINES)
                .collect();
            Err(format!("{program} failed: {}", lines.join("; ")))
        }
        Ok(Err(error)) => Err(format!("{program} cannot be waited for: {error}")),
        Err(_) => Err(format!(
            "{program} took longer than {} s and was ended",
            limit.as_secs()
        )),
    }
}

/// Ends what a program left behind.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Fails only when nobody is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
