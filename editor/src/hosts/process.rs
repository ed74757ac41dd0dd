//! A dev server's process: leader of its own process group, which ends as a whole. Its runner waits for a line on the standard
//! input, the task, before it does anything.
//!
//! Three things end it. [`Running::end`] asks it politely and then insists. Dropping [`Running`], as a panic does, kills the
//! group. And when the Editor itself is killed, its end of the standard input closes, which the runner notices, after its first
//! seconds in a thread of its own (`shims/watchdog.cjs`). The kernel's own "signal me when my parent dies" is not used: it means
//! the parent's *thread*, and threads of a pool come and go.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;

use super::log::read_lines;

/// How long a dev server may take to end by itself.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// A running dev server.
#[derive(Debug)]
pub struct Running {
    child: Child,
    group: Option<Pid>,
    /// Held open for as long as the dev server shall live.
    stdin: Option<ChildStdin>,
}

/// Starts `command`, whose outputs wait to be read. Dropped, it ends.
pub fn spawn(command: &mut Command) -> io::Result<Child> {
    command
        .process_group(0)
        .kill_on_drop(true)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

impl Running {
    /// A process that [`spawn`] started; the lines of both its outputs go to `lines`.
    pub fn of(mut child: Child, lines: &mpsc::Sender<String>) -> Running {
        if let Some(pipe) = child.stdout.take() {
            tokio::spawn(read_lines(pipe, lines.clone()));
        }
        if let Some(pipe) = child.stderr.take() {
            tokio::spawn(read_lines(pipe, lines.clone()));
        }
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let stdin = child.stdin.take();
        Running { child, group, stdin }
    }

    /// Hands a line to its standard input. One that has ended does not take it, which its end tells.
    pub async fn tell(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes()).await;
        }
    }

    /// Waits until it ended by itself, and ends what it left behind.
    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        self.signal(Signal::KILL);
        self.group = None;
        status
    }

    /// Ends it: everything in its group is gone when this returns.
    pub async fn end(mut self) {
        self.signal(Signal::TERM);
        if tokio::time::timeout(END_TIMEOUT, self.child.wait()).await.is_err() {
            self.signal(Signal::KILL);
            let _ = self.child.wait().await;
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // Fails only when nobody is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
