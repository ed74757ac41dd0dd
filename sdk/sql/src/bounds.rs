//! What bounds a restricted statement: whose it is, until when it may run, how long its values may be, and how much memory
//! it may take.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rusqlite::ffi;

/// The largest value or row, in bytes. What is larger goes into a blob beside the database.
pub const MAX_LENGTH: i32 = galley_rows::MAX_VALUE as i32;

/// The longest pattern of LIKE and GLOB, in bytes.
pub const MAX_PATTERN_LENGTH: i32 = 1_000;

/// The most memory that the statements of one call of the database may hold, in bytes.
pub const MAX_MEMORY: i64 = 64 << 20;

/// Units of work between two looks at the deadline.
const UNITS: usize = 64 << 10;

/// Allocations between two looks at the deadline; a large one counts for each [`LARGE`] bytes.
const ALLOCATIONS: i64 = 16;
const LARGE: i64 = 4 << 10;

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
        match look() {
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
    /// When the statements of plugins end on this thread at the latest, whatever their own deadline.
    static CAP: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether a statement ran until the cap, and had more time by its own deadline.
    static WAS_CAPPED: Cell<bool> = const { Cell::new(false) };
    /// Bytes taken since the current restriction began. May be negative: blocks from before it are given back too.
    static TAKEN: Cell<i64> = const { Cell::new(0) };
    /// Allocations since the last look at the deadline.
    static ALLOCATED: Cell<i64> = const { Cell::new(0) };
    /// Whether allocations are not bounded for a moment.
    static IS_EXEMPT: Cell<bool> = const { Cell::new(false) };
    /// The pauses of this thread's statements; `None` where they make none.
    static PAUSES: Cell<Option<Pauses>> = const { Cell::new(None) };
}

/// When a statement pauses, and for how long.
#[derive(Clone, Copy)]
struct Pauses {
    every: Duration,
    pause: Duration,
    next: Instant,
}

/// From now on statements of plugins pause on this thread, so often and so long each time: for threads whose work may wait.
pub fn pause_here(every: Duration, pause: Duration) {
    let next = Instant::now() + every;
    PAUSES.set(Some(Pauses { every, pause, next }));
}

/// The bounds of the statement that this thread runs; `None` outside of a restricted one.
pub fn current() -> Option<Restriction> {
    CURRENT.get()
}

/// Runs `work` with this thread's statements within these bounds.
pub fn within<T>(author: Author, deadline: Instant, work: impl FnOnce() -> T) -> T {
    struct Reset(Option<Restriction>, i64);
    impl Drop for Reset {
        fn drop(&mut self) {
            CURRENT.set(self.0);
            TAKEN.set(self.1);
        }
    }
    let cap = CAP.get().filter(|cap| author == Author::Guest && *cap < deadline);
    let restriction = Restriction {
        author,
        deadline: cap.unwrap_or(deadline),
    };
    let _reset = Reset(CURRENT.replace(Some(restriction)), TAKEN.replace(0));
    let answer = work();
    if cap.is_some_and(|cap| Instant::now() >= cap) {
        WAS_CAPPED.set(true);
    }
    answer
}

/// Runs `work`, in which the statements of plugins end by `cap` even when they have more time; [`was_capped`] tells inside
/// whether one of them ran until then.
pub fn capped<T>(cap: Instant, work: impl FnOnce() -> T) -> T {
    struct Reset(Option<Instant>, bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            CAP.set(self.0);
            WAS_CAPPED.set(self.1);
        }
    }
    let _reset = Reset(CAP.replace(Some(cap)), WAS_CAPPED.replace(false));
    work()
}

/// Whether a statement ran until the cap of [`capped`] and had more time by its own deadline.
pub fn was_capped() -> bool {
    WAS_CAPPED.get()
}

/// Whether the time of this thread's statement is up.
pub fn is_out_of_time() -> bool {
    CURRENT.get().is_some_and(|current| Instant::now() >= current.deadline)
}

/// What a statement does now and then while it works: it pauses where that is due, and ends when its time is up.
pub(crate) fn look() -> bool {
    if let Some(pauses) = PAUSES.get()
        && CURRENT.get().is_some_and(|current| current.author == Author::Guest)
        && Instant::now() >= pauses.next
    {
        std::thread::sleep(pauses.pause);
        pause_here(pauses.every, pauses.pause);
    }
    is_out_of_time()
}

/// Runs `work`, in which memory of this thread is not bounded: reading one value, of which SQLite may have to make a copy.
/// rusqlite does not expect that to fail.
pub fn exempt<T>(work: impl FnOnce() -> T) -> T {
    let before = IS_EXEMPT.replace(true);
    let answer = work();
    IS_EXEMPT.set(before);
    answer
}

/// Whether this thread's statement may take so many bytes more.
pub(crate) fn may_take(bytes: i64) -> bool {
    let Some(current) = CURRENT.get() else { return true };
    if current.author == Author::Host || IS_EXEMPT.get() {
        return true;
    }
    if TAKEN.get() + bytes > MAX_MEMORY {
        return false;
    }
    let allocated = ALLOCATED.get() + 1 + bytes.max(0) / LARGE;
    if allocated < ALLOCATIONS {
        ALLOCATED.set(allocated);
        return true;
    }
    if Instant::now() < current.deadline {
        ALLOCATED.set(0);
        return true;
    }
    // The count stays, so that no later allocation passes either.
    false
}

/// Counts bytes that were taken, or given back.
pub(crate) fn note_taken(bytes: i64) {
    TAKEN.set(TAKEN.get() + bytes);
}

/// SQLite's error of this code.
pub fn failure(code: std::ffi::c_int) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_millis(1);

    /// How long a look takes once a pause is due.
    fn time_of_look(author: Author, pause: Duration) -> Duration {
        pause_here(EVERY, pause);
        std::thread::sleep(EVERY);
        let started = Instant::now();
        within(author, started + Duration::from_secs(600), || assert!(!look()));
        started.elapsed()
    }

    #[test]
    fn a_plugins_statement_pauses_where_that_is_due() {
        let pause = Duration::from_millis(30);
        assert!(time_of_look(Author::Guest, pause) >= pause);
    }

    #[test]
    fn statements_of_the_host_never_pause() {
        let pause = Duration::from_secs(60);
        for author in [Author::Host, Author::Migration] {
            assert!(time_of_look(author, pause) < pause);
        }
    }
}
