//! Keeping the SQL of plugins inside its own database file, its time and its memory. The server runs their statements on
//! such connections, and the SDK's test harness does, so that what an author's test says is what the server does.
//!
//! A restricted connection carries an authorizer, a progress handler and functions of its own. They look at this thread's
//! current restriction, so that the host's own statements on the same connection (the transaction around a write) pass.
//!
//! ```
//! use std::time::{Duration, Instant};
//!
//! use galley_sql::{Effort, restricted};
//!
//! let mut connection = rusqlite::Connection::open_in_memory()?;
//! galley_sql::prepare(&mut connection)?;
//! let deadline = Instant::now() + Duration::from_secs(1);
//! let answer = restricted(deadline, Effort::UntilDeadline, || connection.execute_batch("ATTACH 'other.db' AS other"));
//! assert!(answer.is_err());
//! # Ok::<(), rusqlite::Error>(())
//! ```

mod allow;
mod bounds;
mod functions;
mod memory;
mod pattern;
mod run;
mod snippet;

use std::cell::Cell;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;

use allow::{HOST_TABLES, KNOWN_HOST_TABLES};
use bounds::{Author, current, failure, look, within};

pub use bounds::{MAX_LENGTH, MAX_MEMORY, MAX_PATTERN_LENGTH, capped, exempt, is_out_of_time, pause_here, was_capped};
pub use galley_rows::MAX_ROWS;
pub use memory::watch_memory;
pub use run::{Failure, execute, query};

/// SQLite's virtual-machine steps between two looks at the clock. One step may take some milliseconds, when it parses a
/// JSON text of [`MAX_LENGTH`]; a look takes 30 ns, about as long as two steps of an ordinary statement.
const STEPS: i32 = 50;

/// The longest text of a statement or a migration, in bytes.
pub const MAX_SQL_LENGTH: i32 = galley_rows::MAX_SQL_LENGTH as i32;

/// The most arguments of a function.
pub const MAX_ARGUMENTS: i32 = 127;

/// The largest database file: 2^20 pages of 4 KiB.
const MAX_PAGES: i64 = 1 << 20;

/// How long a statement may hold a thread that others wait for.
const LITTLE_TIMEOUT: Duration = Duration::from_millis(2);

/// How long a look at the schema may take outside of a restricted statement.
const CHECK_TIMEOUT: Duration = Duration::from_secs(10);

thread_local! {
    /// Whether a statement that changes the schema was prepared since [`check_schema`] looked.
    static CHANGES_SCHEMA: Cell<bool> = const { Cell::new(false) };
}

/// How long a restricted statement may run.
#[derive(Debug, Clone, Copy)]
pub enum Effort {
    /// Only for a moment (2 ms): for a thread that others wait for.
    Little,
    /// Until the deadline.
    UntilDeadline,
}

/// Runs `work` with this thread's statements restricted. A statement that runs past its time ends with SQLite's
/// "interrupted".
pub fn restricted<T>(deadline: Instant, effort: Effort, work: impl FnOnce() -> T) -> T {
    let deadline = match effort {
        Effort::Little => deadline.min(Instant::now() + LITTLE_TIMEOUT),
        Effort::UntilDeadline => deadline,
    };
    within(Author::Guest, deadline, work)
}

/// The same for the statements of a migration, which may make virtual tables.
pub fn migrating<T>(deadline: Instant, work: impl FnOnce() -> T) -> T {
    within(Author::Migration, deadline, work)
}

/// Runs the host's own statements on a restricted connection: they may do anything, but not for ever.
pub fn by_host<T>(deadline: Instant, work: impl FnOnce() -> T) -> T {
    within(Author::Host, deadline, work)
}

/// Prepares a connection for restricted statements.
pub fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_LENGTH)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN_LENGTH)?;
    connection.set_limit(Limit::SQLITE_LIMIT_FUNCTION_ARG, MAX_ARGUMENTS)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "max_page_count", MAX_PAGES)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    functions::replace(connection)?;
    snippet::refuse(connection)?;
    connection.progress_handler(STEPS, Some(look))?;
    connection.authorizer(Some(authorize))?;
    Ok(())
}

/// Whether the file has virtual tables. A search in one of them is a single step of SQLite's virtual machine, which looks at
/// the clock only when it takes memory.
pub fn has_virtual_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0)";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Whether a statement got at the host's tables in a way the authorizer does not see: by a foreign key, whose actions and
/// checks run with the host's statements, or by a new name. Asked behind each statement; looks only when one that changes the
/// schema was prepared on this thread.
pub fn check_schema(connection: &Connection) -> rusqlite::Result<()> {
    if !CHANGES_SCHEMA.replace(false) {
        return Ok(());
    }
    let sql =
        "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name, 'main') AS key
                   WHERE child.type = 'table' AND lower(substr(key.\"table\", 1, 8)) = ?1)
               OR EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type IN ('table', 'view')
                   AND lower(substr(name, 1, 8)) = ?1 AND lower(name) NOT IN (?2, ?3, ?4))";
    let deadline = current().map_or_else(|| Instant::now() + CHECK_TIMEOUT, |current| current.deadline);
    let [events, schema, copies] = KNOWN_HOST_TABLES;
    let names = [HOST_TABLES, events, schema, copies];
    let touched: bool = by_host(deadline, || connection.query_row(sql, names, |row| row.get(0)))?;
    match touched {
        false => Ok(()),
        true => Err(failure(rusqlite::ffi::SQLITE_AUTH)),
    }
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    let allowed = match current().map(|current| current.author) {
        None | Some(Author::Host) => true,
        Some(author) => {
            if allow::changes_schema(&context) {
                CHANGES_SCHEMA.set(true);
            }
            allow::is_allowed(&context, author == Author::Migration)
        }
    };
    match allowed {
        true => Authorization::Allow,
        false => Authorization::Deny,
    }
}

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;
