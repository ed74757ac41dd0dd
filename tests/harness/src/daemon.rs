//! A server of others that a test starts: it is waited for, and ended by its id.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::process::Process;
use crate::usage::children;

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

    /// Stops it and its children where they are, as a machine that does not answer any more; or lets them go on.
    ///
    /// # Panics
    /// When a signal cannot be sent.
    pub fn freeze(&self, is_frozen: bool) {
        let signal = match is_frozen {
            true => rustix::process::Signal::STOP,
            false => rustix::process::Signal::CONT,
        };
        // First itself, so that it makes no more children.
        self.process.signal(if is_frozen { "STOP" } else { "CONT" });
        for child in children(self.id()) {
            let child = i32::try_from(child).ok().and_then(rustix::process::Pid::from_raw);
            // It may have ended meanwhile.
            let _ = child.map(|child| rustix::process::kill_process(child, signal));
        }
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
