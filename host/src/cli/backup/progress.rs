//! How far a long command is, on standard error: a line that changes on a terminal, one line for each part elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One part of a command. Dropped, its line is ended.
pub struct Progress {
    what: &'static str,
    is_shown: bool,
    has_begun: AtomicBool,
}

impl Progress {
    /// Counts these.
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            is_shown: std::io::stderr().is_terminal(),
            has_begun: AtomicBool::new(false),
        }
    }

    /// The same for work on another thread.
    pub fn shared(what: &'static str) -> Arc<Self> {
        Arc::new(Self::new(what))
    }

    /// So many are done.
    pub fn so_far(&self, count: impl std::fmt::Display) {
        if self.is_shown {
            self.has_begun.store(true, Ordering::Relaxed);
            // A closed terminal does not stop the work.
            let _ = write!(std::io::stderr(), "\r{count} {}", self.what);
        }
    }

    /// The part is done.
    pub fn end(&self, line: &str) {
        self.end_line();
        let _ = writeln!(std::io::stderr(), "{line}");
    }

    fn end_line(&self) {
        if self.has_begun.swap(false, Ordering::Relaxed) {
            let _ = writeln!(std::io::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end_line();
    }
}
