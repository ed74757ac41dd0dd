//! What no progress handler sees: memory, and the searches of FTS5.

use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use crate::{Effort, Failure, MAX_MEMORY, by_host, prepare, query, restricted, watch_memory};

/// Documents of the largest size, which hold one word 250,000 times, and many small ones.
fn documents() -> Connection {
    assert!(watch_memory());
    let mut connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE f USING fts5(body);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 8)
             INSERT INTO f SELECT replace(hex(zeroblob(125000)), '0', 'a ') FROM n;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
             INSERT INTO f SELECT 'a b c ' || i || ' x' || (i * 7919 % 10007) FROM n;",
        )
        .unwrap();
    prepare(&mut connection).unwrap();
    connection
}

/// Runs a statement with 300 ms; what it answered, and how much later than allowed.
fn tried(connection: &Connection, sql: &str) -> (Result<Vec<u8>, Failure>, Duration) {
    let deadline = Instant::now() + Duration::from_millis(300);
    let answer = restricted(deadline, Effort::UntilDeadline, || {
        query(connection, sql, std::iter::empty::<i64>())
    });
    (answer, Instant::now().saturating_duration_since(deadline))
}

/// What a search may go on after its deadline: one pass over a document of 1 MiB, on a machine that compiles.
const LATE: Duration = Duration::from_secs(1);

#[test]
fn searches_end_at_the_deadline() {
    let connection = documents();
    let times = |text: &str, count: usize| format!("replace(hex(zeroblob({})), '0', '{text}')", count / 2);
    let searches = [
        format!(
            "SELECT count(*) FROM f WHERE f MATCH '\"' || {} || 'b\"'",
            times("a ", 40_000)
        ),
        format!("SELECT count(*) FROM f WHERE f MATCH {} || 'b'", times("a ", 40_000)),
        format!("SELECT count(*) FROM f WHERE f MATCH {} || 'b'", times("x* ", 20_000)),
        format!("SELECT count(*) FROM f WHERE f MATCH {} || 'b'", times("a OR ", 200)),
        format!(
            "SELECT count(*) FROM f WHERE f MATCH 'NEAR(' || {} || 'b, 1000)'",
            times("a ", 20_000)
        ),
        format!("SELECT bm25(f) FROM f WHERE f MATCH {} || 'a'", times("a OR ", 100)),
        format!(
            "SELECT highlight(f, 0, '<', '>') FROM f WHERE f MATCH {} || 'a'",
            times("a OR ", 100)
        ),
        "SELECT rowid FROM f WHERE f MATCH 'a' ORDER BY rank".to_owned(),
        "SELECT rank FROM f WHERE f MATCH 'a' AND rank MATCH 'snippet(0,''<'',''>'',''..'',64)'".to_owned(),
        "INSERT INTO f (f) VALUES ('integrity-check')".to_owned(),
        "INSERT INTO f (f) VALUES ('rebuild')".to_owned(),
        "INSERT INTO f (f) VALUES ('optimize')".to_owned(),
    ];
    for sql in searches {
        // A machine that is busy with other tests is late by itself: the best of five counts.
        let mut late = Duration::MAX;
        for _ in 0..5 {
            let (answer, this_late) = tried(&connection, &sql);
            if let Err(failure) = answer {
                assert!(failure.code().is_some(), "{sql}: {failure}");
            }
            late = late.min(this_late);
            if late < LATE {
                break;
            }
        }
        assert!(late < LATE, "{sql}: {late:?} late");
    }
    // The table is sound after all of it.
    let (answer, _) = tried(&connection, "SELECT count(*) FROM f WHERE f MATCH 'zzz OR 19999'");
    answer.unwrap();
}

/// So many rows that a value of 1 MB for each is far too much.
const MANY: &str = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n)";

#[test]
fn memory_is_bounded() {
    let connection = documents();
    let columns = vec!["hex(zeroblob(500000))"; 500].join(", ");
    for sql in [
        format!("SELECT length(json_group_array(hex(zeroblob(500000)))) FROM {MANY}"),
        format!("SELECT length(jsonb_group_array(hex(zeroblob(500000)))) FROM {MANY}"),
        format!("SELECT length(json_group_object(i, hex(zeroblob(500000)))) FROM {MANY}"),
        format!("SELECT length(jsonb_group_object(i, hex(zeroblob(500000)))) FROM {MANY}"),
        format!("SELECT {columns}"),
    ] {
        let deadline = Instant::now() + Duration::from_secs(20);
        let before = resident();
        let answer = restricted(deadline, Effort::UntilDeadline, || {
            query(&connection, &sql, std::iter::empty::<i64>())
        });
        let failure = answer.expect_err(&sql);
        assert_eq!(failure.code(), Some("too-large"), "{sql:.80}: {failure}");
        let grown = resident().saturating_sub(before);
        assert!(grown < 8 * MAX_MEMORY as u64, "{sql:.80}: {} MB more", grown >> 20);
    }
    let text = format!("SELECT length(group_concat(hex(zeroblob(500000)))) FROM {MANY}");
    assert!(tried(&connection, &text).0.is_err());
    // The connection goes on, and the host's own statements are not bounded by it.
    tried(&connection, "SELECT json_group_array(rowid) FROM f").0.unwrap();
    let all = "SELECT json_group_array(body) FROM (SELECT body FROM f LIMIT 8)";
    by_host(Instant::now() + Duration::from_secs(20), || {
        connection.query_row(all, [], |_| Ok(()))
    })
    .unwrap_or_else(|error| assert_eq!(error.sqlite_error_code(), Some(ErrorCode::TooBig)));
}

/// Bytes of this process in memory.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = pages
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or_default();
    pages * 4_096
}
