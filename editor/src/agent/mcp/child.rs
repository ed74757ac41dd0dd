//! A server's process: leader of its own group, which ends as a whole.

use std::collections::VecDeque;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufRead, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::agent::lines::line;
use crate::config::servers::Server;

/// Variables of the Editor's environment that children get. Others may hold secrets, and are declared where they are needed.
const PASSED_ON: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];
/// Lines of standard error that are kept, and bytes of each.
const MAX_SAID: usize = 5;
const MAX_SAID_LINE: usize = 300;

/// A running server. Dropped, everything in its group is killed.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    group: Option<Pid>,
    said: Arc<Mutex<VecDeque<String>>>,
}

impl Running {
    /// Starts it in a folder.
    pub(super) fn start(server: &Server, folder: &Path) -> std::io::Result<(Running, ChildStdin, ChildStdout)> {
        let mut command = Command::new(&server.command);
        command.args(&server.args).current_dir(folder).env_clear();
        for name in PASSED_ON {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(&server.env);
        let mut child = command
            .process_group(0)
            .kill_on_drop(true)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let said = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(keep(BufReader::new(stderr), Arc::clone(&said)));
        }
        let pipes = child.stdin.take().zip(child.stdout.take());
        let running = Running { child, group, said };
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("its pipes are missing"))?;
        Ok((running, stdin, stdout))
    }

    /// Whether it ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// The last lines it wrote for people.
    pub(super) fn said(&self) -> String {
        let said = self.said.lock();
        said.iter().map(String::as_str).collect::<Vec<_>>().join(" / ")
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

async fn keep(mut lines: impl AsyncBufRead + Unpin, said: Arc<Mutex<VecDeque<String>>>) {
    while let Ok(Some(found)) = line(&mut lines, 64 << 10).await {
        let text = String::from_utf8_lossy(&found);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let mut said = said.lock();
        if said.len() == MAX_SAID {
            said.pop_front();
        }
        said.push_back(text[..text.floor_char_boundary(MAX_SAID_LINE.min(text.len()))].to_owned());
    }
}
