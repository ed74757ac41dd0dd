//! What bounds a restricted statement: whose it is, until when it may run, how long its values may be.

use std::cell::Cell;
use std::time::Instant;

use rusqlite::ffi;

/// The largest value or row, in bytes. What is larger goes into a blob beside the database.
pub const MAX_LENGTH: i32 = 1 << 20;

/// The longest pattern of LIKE and GLOB, in bytes.
pub const MAX_PATTERN_LENGTH: i32 = 1_000;

/// Units of work between two looks at the deadline.
const UNITS: usize = 64 << 10;

/// Looks at the deadline after each [`UNITS`] of work.
#[derive(Debug, Default)]
pub struct Clock {
    units: usize,
}

impl Clock {
    /// Counts work that was done; `Err` when there is no time left.
    pub fn tick(&mut self, units: usize) -> rusqlite::Result<()> {
        self.units += units;
        if self.units < UNITS {
            return Ok(());
        }
        self.units = 0;
        match is_out_of_time() {
            false => Ok(()),
            true => Err(failure(ffi::SQLITE_INTERRUPT)),
        }
    }
}

/// Whose statements a thread is running.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// A plugin's.
    Guest,
    /// A plugin's migration.
    Migration,
    /// The host's own.
    Host,
}

/// The bounds of one statement.
#[derive(Clone, Copy)]
pub struct Restriction {
    /// Whose it is.
    pub author: Author,
    /// When it has to have ended.
    pub deadline: Instant,
}

thread_local! {
    static CURRENT: Cell<Option<Restriction>> = const { Cell::new(None) };
}

/// The bounds of the statement that this thread runs; `None` outside of a restricted one.
pub fn current() -> Option<Restriction> {
    CURRENT.get()
}

/// Runs `work` with this thread's statements within these bounds.
pub fn within<T>(author: Author, deadline: Instant, work: impl FnOnce() -> T) -> T {
    struct Reset(Option<Restriction>);
    impl Drop for Reset {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _reset = Reset(CURRENT.replace(Some(Restriction { author, deadline })));
    work()
}

/// Whether the time of this thread's statement is up.
pub fn is_out_of_time() -> bool {
    CURRENT.get().is_some_and(|current| Instant::now() >= current.deadline)
}

/// SQLite's error of this code.
pub fn failure(code: std::ffi::c_int) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)
}
