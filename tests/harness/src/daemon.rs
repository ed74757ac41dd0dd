//! A server of others that a test starts: it is waited for, and ended by its id.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::process::Process;

/// How long a server may take to start beside other tests.
const START_TIMEOUT: Duration = Duration::from_secs(90);
/// How long it may take to end when it is asked to.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

/// A running server. Dropped, it is killed.
#[derive(Debug)]
pub struct Daemon {
    name: &'static str,
    process: Process,
}

impl Daemon {
    /// Starts it. `name` stands in messages.
    pub fn start(name: &'static str, command: &mut Command) -> Daemon {
        let process = Process::start(command);
        Daemon { name, process }
    }

    /// Waits until `is_ready`.
    ///
    /// # Panics
    /// When the server ends before, or takes too long: with what it wrote.
    #[track_caller]
    pub fn wait_until_ready(mut self, mut is_ready: impl FnMut() -> bool) -> Daemon {
        let started = Instant::now();
        while !is_ready() {
            let ended = self.process.ended();
            if ended.is_some() || started.elapsed() > START_TIMEOUT {
                let what = ended.map_or("is not ready".to_owned(), |status| format!("ended ({status})"));
                panic!(
                    "{} {what}:\n{}{}",
                    self.name,
                    self.process.stdout(),
                    self.process.stderr()
                );
            }
            std::thread::sleep(PAUSE);
        }
        self
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it by a signal, as `TERM`.
    ///
    /// # Panics
    /// When it does not end.
    #[track_caller]
    pub fn stop(mut self, signal: &str) -> ExitStatus {
        self.process.signal(signal);
        let ended = self.process.wait(STOP_TIMEOUT);
        ended.unwrap_or_else(|| panic!("{} does not end at {signal}", self.name))
    }
}
