//! What a database has to be for a server to start on it. Each refusal says what to do.

use std::time::{SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::database::Database;
use crate::failure::Failure;
use crate::session::Session;
use crate::value::Value;

/// The first version that has everything that is used.
const MIN_VERSION: i64 = 15;

/// How far this machine's clock and the database's may be apart, in milliseconds: leases and times of rows are read by both.
const MAX_CLOCK_SKEW: i64 = 5_000;

/// A setting of a session, which only this session sees: another one that sees it is served by the same connection.
const PROBE: &str = "galley.probe";

/// Why a server does not start on a database.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unfit {
    /// It is too old. Holds its version.
    #[error(
        "the database is PostgreSQL {0}, and Galley needs {MIN_VERSION} or a later one: upgrade it, or name another server"
    )]
    Version(String),
    /// It is a copy that takes no writes.
    #[error(
        "the database is a standby, which takes no writes: name the primary, or all servers, and `target_session_attrs=read-write` \
         behind them"
    )]
    Standby,
    /// What it acknowledges may be lost. Holds the setting.
    #[error(
        "the database has `{0} = off`, so that what it acknowledges can be lost: set it to `on` in postgresql.conf"
    )]
    Lossy(&'static str),
    /// Transactions of one session run on different connections.
    #[error(
        "the database is reached through a pooler that gives each transaction another connection: name PostgreSQL itself, or set \
         the pooler to sessions (`pool_mode = session` in pgbouncer)"
    )]
    Pooler,
    /// The role cannot make tables, or does not own those that are there. Holds its name.
    #[error(
        "the role `{0}` may not make and change tables in this database: make it the owner (`ALTER DATABASE … OWNER TO \"{0}\"`), \
         or name the role that owns Galley's tables"
    )]
    Role(String),
    /// Its clock and this machine's differ by this many seconds; positive when the database is ahead.
    #[error(
        "the clocks of the database and of this machine are {} s apart (the database is {}): set both by NTP, and start again",
        .0.abs(), if *.0 > 0 { "ahead" } else { "behind" }
    )]
    Clock(i64),
    /// It cannot be asked.
    #[error("the database cannot be used: {0}")]
    Failed(#[from] Failure),
}

/// What an operator should know of a database that a server starts on all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Remark {
    /// It waits for no standby.
    #[error(
        "the database waits for no standby before it acknowledges (`synchronous_standby_names` is empty): if its machine is lost, \
         so is what no standby has yet"
    )]
    NoQuorum,
}

impl Database {
    /// Checks that a server can start on this database.
    pub async fn require(&self) -> Result<Vec<Remark>, Unfit> {
        let (first, second) = (self.connect().await?, self.connect().await?);
        // Prepared statements fail behind a pooler, so it is looked for first.
        let pooled = tokio::task::spawn_blocking(move || is_pooled(first, second)).await;
        let pooled = pooled.map_err(|error| Failure::Statement(error.to_string()))?;
        match pooled? {
            true => Err(Unfit::Pooler),
            false => self.read(look).await,
        }
    }
}

/// Whether two sessions meet each other's settings, or one does not find its own: then something between us and the server
/// lends connections for the length of a transaction.
fn is_pooled(mut first: Session, mut second: Session) -> Result<bool, Failure> {
    let sql = format!("SELECT current_setting('{PROBE}', true)");
    first.batch(&format!("SET {PROBE} = 'first'"))?;
    second.batch("BEGIN")?;
    let seen_by_second = second.ask(&sql)?;
    let seen_by_first = first.ask(&sql)?;
    second.batch("ROLLBACK")?;
    Ok(seen_by_second.is_some_and(|seen| seen == "first") || seen_by_first.is_none_or(|seen| seen != "first"))
}

fn look(session: &mut Session) -> Result<Vec<Remark>, Unfit> {
    let sql = "SELECT current_setting('server_version_num')::int8 / 10000, current_setting('server_version'),
                      pg_is_in_recovery(), current_setting('fsync') = 'off', current_setting('synchronous_commit') = 'off',
                      current_user::text, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
                          AND NOT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()
                                          AND tablename = 'galley_schema' AND NOT pg_has_role(tableowner, 'USAGE')),
                      current_setting('synchronous_standby_names') = '',
                      (extract(epoch FROM clock_timestamp()) * 1000)::int8";
    // Once before, so that preparing it does not count as a difference of clocks.
    session.query(sql, &[])?;
    let asked = now_ms();
    let rows = session.query(sql, &[])?;
    judge(rows.first().map_or(&[], Vec::as_slice), (asked, now_ms()))
}

/// Decides by what [`look`] has read between two times of this machine.
fn judge(found: &[Value], asked: (i64, i64)) -> Result<Vec<Remark>, Unfit> {
    let [
        Value::Integer(major),
        Value::Text(version),
        Value::Integer(is_standby),
        Value::Integer(is_unsynced),
        Value::Integer(is_asynchronous),
        Value::Text(role),
        Value::Integer(may_make_tables),
        Value::Integer(waits_for_nobody),
        Value::Integer(clock),
    ] = found
    else {
        return Err(Failure::Statement("the database does not say what it is".to_owned()).into());
    };
    if *major < MIN_VERSION {
        return Err(Unfit::Version(version.clone()));
    }
    if *is_standby != 0 {
        return Err(Unfit::Standby);
    }
    if *is_unsynced != 0 {
        return Err(Unfit::Lossy("fsync"));
    }
    if *is_asynchronous != 0 {
        return Err(Unfit::Lossy("synchronous_commit"));
    }
    if *may_make_tables == 0 {
        return Err(Unfit::Role(role.clone()));
    }
    let skew = skew(*clock, asked);
    if skew.abs() >= MAX_CLOCK_SKEW {
        return Err(Unfit::Clock(skew / 1_000));
    }
    Ok(match waits_for_nobody {
        0 => Vec::new(),
        _ => vec![Remark::NoQuorum],
    })
}

/// How far a clock that was read between two times is outside of them.
fn skew(clock: i64, (before, after): (i64, i64)) -> i64 {
    match clock < before {
        true => clock - before,
        false => (clock - after).max(0),
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server says that a Galley can start on, with these two of its own.
    fn found(major: i64, version: &str, clock: i64) -> Vec<Value> {
        let [no, yes] = [0, 1].map(Value::Integer);
        vec![
            Value::Integer(major),
            version.into(),
            no.clone(),
            no.clone(),
            no,
            "galley".into(),
            yes.clone(),
            yes,
            clock.into(),
        ]
    }

    #[test]
    fn a_version_before_15_is_refused() {
        let server = |major: i64, version: &str| judge(&found(major, version, 0), (0, 0));
        assert_eq!(server(15, "15.18 (Debian 15.18-0+deb12u1)"), Ok(vec![Remark::NoQuorum]));
        let old = server(14, "14.9").unwrap_err();
        assert_eq!(old, Unfit::Version("14.9".to_owned()));
        assert!(old.to_string().contains("14.9") && old.to_string().contains("15 or a later one"));
    }

    #[test]
    fn a_clock_that_is_5_s_off_is_refused_and_a_slow_answer_is_not() {
        let at = |clock: i64, asked: (i64, i64)| judge(&found(15, "15.18", clock), asked);
        for clock in [95_001, 100_000, 103_000, 109_000, 113_999] {
            assert!(at(clock, (100_000, 109_000)).is_ok(), "{clock}");
        }
        for (clock, seconds, word) in [(95_000, -5, "behind"), (160_000, 51, "ahead")] {
            let unfit = at(clock, (100_000, 109_000)).unwrap_err();
            assert_eq!(unfit, Unfit::Clock(seconds));
            let said = unfit.to_string();
            assert!(said.contains(word) && said.contains("NTP"), "{said}");
        }
    }
}
