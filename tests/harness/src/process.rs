//! A child process: its output is collected while it runs, and it is ended by its id.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::poll::within;

/// A running child. Dropped, it is killed.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdout: Collected,
    stderr: Collected,
}

/// What a process wrote so far.
#[derive(Debug)]
struct Collected {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Collected {
    fn from(pipe: impl Read + Send + 'static) -> Collected {
        let text = Arc::new(Mutex::new(String::new()));
        let sink = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                sink.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        Collected {
            text,
            reader: Some(reader),
        }
    }

    fn get(&self) -> String {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Process {
    /// Starts `command` with both outputs collected and nothing on its standard input.
    pub fn start(command: &mut Command) -> Process {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let stdout = Collected::from(child.stdout.take().expect("it is piped"));
        let stderr = Collected::from(child.stderr.take().expect("it is piped"));
        Process { child, stdout, stderr }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote to standard output so far.
    pub fn stdout(&self) -> String {
        self.stdout.get()
    }

    /// What it wrote to standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.get()
    }

    /// Its status, once it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be waited for")
    }

    /// Waits for its end, then for the rest of its output; `None` when it still runs after `time`.
    pub fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let status = within(time, || self.ended())?;
        // A grandchild could hold the pipes open; then what was read until here is all there is.
        let end = Instant::now() + Duration::from_secs(5);
        for output in [&mut self.stdout, &mut self.stderr] {
            let _ = within(end.saturating_duration_since(Instant::now()), || {
                output.reader.as_ref().is_none_or(JoinHandle::is_finished).then_some(())
            });
        }
        Some(status)
    }

    /// Sends a signal by name, as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &self.id().to_string()])
            .status();
        assert!(
            sent.is_ok_and(|status| status.success()),
            "cannot send {name} to {}",
            self.id()
        );
    }

    /// Ends it at once (SIGKILL).
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
