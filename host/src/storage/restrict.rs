//! Keeping SQL that is not ours inside its own database file and its time.
//!
//! A restricted connection carries an authorizer and a progress handler. Both look at this thread's current
//! restriction, so that the host's own statements on the same connection (the transaction around a write) pass.

use std::cell::Cell;
use std::time::Instant;

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

/// Tables with this prefix belong to the host.
pub const HOST_TABLES: &str = "_galley_";

/// SQLite's virtual-machine steps between two looks at the clock.
const STEPS: i32 = 1_000;

/// The largest value or row, and with it the largest result, in bytes.
pub const MAX_LENGTH: i32 = 16 << 20;

/// The largest database file: 2^20 pages of 4 KiB.
const MAX_PAGES: i64 = 1 << 20;

#[derive(Clone, Copy)]
struct Restriction {
    deadline: Instant,
    /// Looks at the clock left before the statement is stopped although there is time; `u32::MAX` for no such bound.
    looks: u32,
}

thread_local! {
    static CURRENT: Cell<Option<Restriction>> = const { Cell::new(None) };
}

/// How much a restricted statement may do.
#[derive(Debug, Clone, Copy)]
pub enum Effort {
    /// Only a little (about a millisecond): for a thread that others wait for.
    Little,
    /// Whatever fits before the deadline.
    UntilDeadline,
}

/// Runs `work` with this thread's statements restricted. A statement that runs past its time ends with SQLite's
/// "interrupted".
pub fn restricted<T>(deadline: Instant, effort: Effort, work: impl FnOnce() -> T) -> T {
    struct Reset(Option<Restriction>);
    impl Drop for Reset {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let looks = match effort {
        Effort::Little => 30,
        Effort::UntilDeadline => u32::MAX,
    };
    let _reset = Reset(CURRENT.replace(Some(Restriction { deadline, looks })));
    work()
}

/// Prepares a connection for restricted statements.
pub fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
    connection.pragma_update(None, "max_page_count", MAX_PAGES)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.progress_handler(STEPS, Some(out_of_time))?;
    connection.authorizer(Some(authorize))?;
    Ok(())
}

fn out_of_time() -> bool {
    let Some(mut current) = CURRENT.get() else { return false };
    if current.looks == 0 || Instant::now() >= current.deadline {
        return true;
    }
    if current.looks != u32::MAX {
        current.looks -= 1;
        CURRENT.set(Some(current));
    }
    false
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    if CURRENT.get().is_none() {
        return Authorization::Allow;
    }
    let host_table = |name: &str| {
        name.get(..HOST_TABLES.len())
            .is_some_and(|p| p.eq_ignore_ascii_case(HOST_TABLES))
    };
    let refused = match context.action {
        AuthAction::Attach { .. }
        | AuthAction::Detach { .. }
        | AuthAction::Pragma { .. }
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. }
        | AuthAction::Unknown { .. } => true,
        AuthAction::Function { function_name } => function_name.eq_ignore_ascii_case("load_extension"),
        AuthAction::Read { table_name, .. }
        | AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name }
        | AuthAction::CreateTable { table_name }
        | AuthAction::DropTable { table_name }
        | AuthAction::CreateIndex { table_name, .. }
        | AuthAction::CreateTrigger { table_name, .. }
        | AuthAction::AlterTable { table_name, .. } => host_table(table_name),
        // Full-text search and the like are welcome; what reaches outside the file is not.
        AuthAction::CreateVtable { module_name, .. } => !["fts5", "rtree"]
            .iter()
            .any(|known| module_name.eq_ignore_ascii_case(known)),
        _ => false,
    };
    if refused {
        Authorization::Deny
    } else {
        Authorization::Allow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn connection() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE _galley_x (a); CREATE TABLE t (a)")
            .unwrap();
        prepare(&mut connection).unwrap();
        connection
    }

    fn run(sql: &str) -> rusqlite::Result<()> {
        let connection = connection();
        let deadline = Instant::now() + Duration::from_millis(50);
        restricted(deadline, Effort::UntilDeadline, || connection.execute_batch(sql))
    }

    #[test]
    fn what_reaches_outside_is_refused() {
        for sql in [
            "ATTACH 'other.db' AS o",
            "PRAGMA journal_mode = DELETE",
            "BEGIN",
            "SAVEPOINT s",
            "VACUUM INTO 'copy.db'",
            "VACUUM",
            "SELECT load_extension('x')",
            "SELECT * FROM _galley_x",
            "DROP TABLE _GALLEY_x",
            "CREATE TABLE _galley_y (a)",
            "CREATE VIRTUAL TABLE v USING dbstat",
        ] {
            assert!(run(sql).is_err(), "{sql} passed");
        }
    }

    #[test]
    fn ordinary_work_passes() {
        run("CREATE TABLE u (a, b); INSERT INTO u VALUES (1, 2); CREATE INDEX i ON u (a); ALTER TABLE u ADD c")
            .unwrap();
        run("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9) INSERT INTO t SELECT n FROM c")
            .unwrap();
    }

    #[test]
    fn the_hosts_own_statements_pass() {
        connection()
            .execute_batch("BEGIN; INSERT INTO _galley_x VALUES (1); COMMIT")
            .unwrap();
    }

    #[test]
    fn endless_sql_ends() {
        let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";
        let started = Instant::now();
        assert!(run(endless).is_err());
        assert!(started.elapsed() < Duration::from_secs(2));
        let connection = connection();
        let far = Instant::now() + Duration::from_secs(60);
        let answer = restricted(far, Effort::Little, || {
            connection.query_row(endless, [], |row| row.get::<_, i64>(0))
        });
        assert!(answer.is_err());
        assert!(started.elapsed() < Duration::from_secs(4));
    }
}
