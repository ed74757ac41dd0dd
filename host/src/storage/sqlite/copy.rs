//! Copying a database file while it is used, by SQLite's backup API.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::ffi::{self, ErrorCode};
use rusqlite::{Connection, OpenFlags};

/// How long a copy waits for another connection.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Pages of one step: the clock is looked at in between.
const PAGES: i32 = 4096;

/// Copies a database into a new file, from one snapshot: writes in the meantime do not matter. It is one file, without a
/// write-ahead log. With `until` it ends there with SQLite's "interrupted".
pub fn copy_database(from: &Path, to: &Path, until: Option<Instant>) -> rusqlite::Result<()> {
    let source = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    source.busy_timeout(BUSY_TIMEOUT)?;
    // The steps read one snapshot.
    source.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")?;
    let mut copy = Connection::open(to)?;
    run(&source, &mut copy, until)?;
    drop(source);
    copy.pragma_update(None, "journal_mode", "delete")?;
    copy.close().map_err(|(_, error)| error)
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
