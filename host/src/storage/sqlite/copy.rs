//! Copying a database file while it is used, by SQLite's backup API.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::ffi::{self, ErrorCode};
use rusqlite::{Connection, OpenFlags};

/// How long a copy waits for another connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause between two tries to be the one who writes.
const BUSY_INTERVAL: Duration = Duration::from_millis(1);
/// Pages of one step: the clock is looked at in between.
const PAGES: i32 = 4096;

/// A database as it is at one moment: writes in the meantime do not matter.
pub struct Snapshot(Connection);

impl Snapshot {
    /// As it is now.
    pub fn of(database: &Path) -> rusqlite::Result<Self> {
        let source = open(database)?;
        source.busy_timeout(BUSY_TIMEOUT)?;
        // The transaction's first read is the moment.
        source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
        Ok(Self(source))
    }

    /// Copies it into a new file, without a write-ahead log. With `until` it ends there with SQLite's "interrupted".
    pub fn copy_to(self, to: &Path, until: Option<Instant>) -> rusqlite::Result<()> {
        let mut copy = Connection::open(to)?;
        run(&self.0, &mut copy, until)?;
        drop(self);
        copy.pragma_update(None, "journal_mode", "delete")?;
        copy.close().map_err(|(_, error)| error)
    }
}

/// Keeps everybody else from writing a database, until it is dropped. It writes nothing itself.
pub struct WriteLock(Connection);

impl WriteLock {
    /// Waits so long for those who write. `None` when that was not enough.
    pub fn take(database: &Path, timeout: Duration) -> rusqlite::Result<Option<Self>> {
        let lock = open(database)?;
        // SQLite's own pauses grow so long that a busy writer would never be met between two writes.
        lock.busy_timeout(Duration::ZERO)?;
        let until = Instant::now() + timeout;
        loop {
            match lock.execute_batch("BEGIN IMMEDIATE") {
                Ok(()) => return Ok(Some(Self(lock))),
                Err(error) if !is_busy(&error) => return Err(error),
                Err(_) if Instant::now() >= until => return Ok(None),
                Err(_) => std::thread::sleep(BUSY_INTERVAL),
            }
        }
    }

    /// Lets others write again.
    pub fn release(self) -> rusqlite::Result<()> {
        self.0.execute_batch("ROLLBACK")
    }
}

/// Copies a database into a new file, as it is now. With `until` it ends there with SQLite's "interrupted".
pub fn copy_database(from: &Path, to: &Path, until: Option<Instant>) -> rusqlite::Result<()> {
    Snapshot::of(from)?.copy_to(to, until)
}

fn open(database: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Replaces the content of a database that others have open, in one transaction: they see the old content or the new.
pub fn overwrite_database(from: &Path, to: &Path) -> rusqlite::Result<()> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut target = Connection::open_with_flags(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    target.busy_timeout(BUSY_TIMEOUT)?;
    target.pragma_update(None, "synchronous", "full")?;
    run(&source, &mut target, None)
}

fn run(source: &Connection, target: &mut Connection, until: Option<Instant>) -> rusqlite::Result<()> {
    let backup = Backup::new(source, target)?;
    let give_up = Instant::now() + BUSY_TIMEOUT;
    loop {
        match backup.step(PAGES)? {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ if Instant::now() < give_up => std::thread::sleep(Duration::from_millis(5)),
            _ => return Err(failure(ffi::SQLITE_BUSY)),
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Err(failure(ffi::SQLITE_INTERRUPT));
        }
    }
}

fn failure(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}

/// Whether a statement or a copy ran until its end of time.
pub fn is_interrupted(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}
