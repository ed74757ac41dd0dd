//! What restricted statements may do, and for how long.

use std::collections::HashMap;

use rusqlite::types::Value;

use super::*;

fn connection() -> Connection {
    assert!(watch_memory(), "every test of this crate begins so");
    let mut connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "PRAGMA foreign_keys = ON;
             CREATE TABLE _galley_events (a INTEGER PRIMARY KEY, b TEXT);
             CREATE TABLE t (a);
             CREATE VIRTUAL TABLE f USING fts5(body);
             CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);",
        )
        .unwrap();
    prepare(&mut connection).unwrap();
    connection
}

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(200)
}

fn run_on(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    restricted(soon(), Effort::UntilDeadline, || {
        connection.execute_batch(sql)?;
        check_schema(connection)
    })
}

fn run(sql: &str) -> rusqlite::Result<()> {
    run_on(&connection(), sql)
}

#[test]
fn what_reaches_outside_is_refused() {
    for sql in [
        "ATTACH 'other.db' AS o",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA page_size = 512",
        "PRAGMA table_list",
        "BEGIN",
        "SAVEPOINT s",
        "VACUUM INTO 'copy.db'",
        "VACUUM",
        "ANALYZE",
        "SELECT load_extension('x')",
        "SELECT sqlite_log(1, 'forged')",
        "SELECT json_patch('{}', '{}')",
        "SELECT json_pretty('{}')",
        "SELECT snippet(f, 0, '', '', '', 9) FROM f WHERE f MATCH 'a'",
        "SELECT fts3_tokenizer('simple')",
        "SELECT * FROM pragma_table_list",
        "SELECT * FROM dbstat",
        "SELECT * FROM _galley_events",
        "DROP TABLE _GALLEY_events",
        "CREATE TABLE _galley_y (a)",
        "CREATE VIEW _galley_y AS SELECT 1",
        "ALTER TABLE t RENAME TO _galley_y",
        "CREATE VIRTUAL TABLE v USING dbstat",
        "CREATE VIRTUAL TABLE v USING fts5(a)",
        "DELETE FROM sqlite_schema",
    ] {
        assert!(run(sql).is_err(), "{sql} passed");
    }
}

#[test]
fn nothing_is_made_in_the_temp_database() {
    for sql in [
        "CREATE TEMP TABLE u (a)",
        "CREATE TABLE temp.u (a)",
        "CREATE TEMP TABLE _galley_events (a)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE TEMP TRIGGER g AFTER INSERT ON main.t BEGIN SELECT 1; END",
        "CREATE TEMP TRIGGER g AFTER INSERT ON main._galley_events BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE temp.v USING fts5(a)",
    ] {
        let sqlite = run(sql).unwrap_err().sqlite_error_code();
        assert_eq!(
            sqlite,
            Some(rusqlite::ErrorCode::AuthorizationForStatementDenied),
            "{sql}"
        );
    }
}

#[test]
fn the_hosts_tables_cannot_be_the_parents_of_others() {
    for sql in [
        "CREATE TABLE u (a REFERENCES _galley_events (a) ON DELETE CASCADE)",
        "CREATE TABLE u (a, FOREIGN KEY (a) REFERENCES _GALLEY_EVENTS)",
        "ALTER TABLE t ADD COLUMN b REFERENCES _galley_events (a) ON DELETE SET NULL",
    ] {
        assert!(run(sql).is_err(), "{sql} passed");
    }
}

#[test]
fn ordinary_work_passes() {
    for sql in [
        "CREATE TABLE u (a, b); INSERT INTO u VALUES (1, 2); CREATE INDEX i ON u (a); ALTER TABLE u ADD c",
        "CREATE TABLE u (a INTEGER PRIMARY KEY AUTOINCREMENT, b REFERENCES t); DROP TABLE u; DELETE FROM sqlite_sequence",
        "CREATE TABLE u (a, b); CREATE INDEX i ON u (a); ALTER TABLE u RENAME b TO c; ALTER TABLE u DROP COLUMN c;
         ALTER TABLE u RENAME TO w; REINDEX w; DROP INDEX i; DROP TABLE w",
        "CREATE VIEW v AS SELECT a FROM t; SELECT * FROM v; DROP VIEW v",
        "CREATE TABLE u (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO u VALUES (new.a); END;
         INSERT INTO t VALUES (1); DROP TRIGGER g",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9) INSERT INTO t SELECT n FROM c",
        "SELECT value, row_number() OVER (ORDER BY value) FROM json_each('[1, 2]')",
        "INSERT INTO f VALUES ('some words'); SELECT highlight(f, 0, '<', '>') FROM f WHERE f MATCH 'words' ORDER BY rank;
         INSERT INTO f (f) VALUES ('rebuild'); DELETE FROM f; DROP TABLE f",
        "INSERT INTO r VALUES (1, 0, 1); SELECT id FROM r WHERE x0 < 5; DROP TABLE r",
        "SELECT name FROM sqlite_schema",
        "SELECT 1 WHERE 'a' LIKE 'A' AND 'a' GLOB '[a-c]'; INSERT INTO t SELECT datetime('now') UNION SELECT 'b' ORDER BY 1",
    ] {
        run(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let connection = connection();
    migrating(soon(), || {
        connection.execute_batch("CREATE VIRTUAL TABLE v USING fts5(a)")
    })
    .unwrap();
    assert!(has_virtual_tables(&connection).unwrap());
}

#[test]
fn the_hosts_own_statements_pass_and_end() {
    let connection = connection();
    connection
        .execute_batch("BEGIN; INSERT INTO _galley_events VALUES (1, ''); COMMIT")
        .unwrap();
    let started = Instant::now();
    by_host(soon(), || connection.execute_batch("DELETE FROM main._galley_events")).unwrap();
    let answer = by_host(soon(), || connection.query_row(ENDLESS, [], |row| row.get::<_, i64>(0)));
    assert!(answer.is_err());
    assert!(started.elapsed() < Duration::from_secs(2));
}

const ENDLESS: &str = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";

#[test]
fn endless_sql_ends() {
    let started = Instant::now();
    assert!(run(ENDLESS).is_err());
    assert!(started.elapsed() < Duration::from_secs(2));
    let connection = connection();
    let far = Instant::now() + Duration::from_secs(60);
    let answer = restricted(far, Effort::Little, || {
        connection.query_row(ENDLESS, [], |row| row.get::<_, i64>(0))
    });
    assert!(answer.is_err());
    assert!(started.elapsed() < Duration::from_secs(4));
}

/// Arguments of a megabyte, each almost as long as a value may be.
const BIG: [(&str, &str); 10] = [
    ("zeros", "zeroblob(1000000)"),
    ("halves", "zeroblob(500000)"),
    ("text", "hex(zeroblob(500000))"),
    ("half", "hex(zeroblob(250000)) || '1'"),
    ("ones", "replace(hex(zeroblob(500000)), '0', '1')"),
    ("words", "replace(hex(zeroblob(250000)), '0', 'a ')"),
    (
        "deep",
        "replace(hex(zeroblob(450)), '0', '[') || hex(zeroblob(400000)) || replace(hex(zeroblob(450)), '0', ']')",
    ),
    ("list", "'[' || replace(hex(zeroblob(240000)), '0', '1,') || '1]'"),
    (
        "object",
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 80000)
          SELECT '{' || group_concat('\"' || i || '\":1') || '}' FROM n)",
    ),
    ("spaces", "replace(hex(zeroblob(500000)), '0', ' ')"),
];

/// Expressions over [`BIG`]'s values, each the worst that was found for a function.
const WORST: &[&str] = &[
    "instr($text, $half)",
    "instr($zeros, $half)",
    "instr($text, 'x')",
    "replace($text, $half, '')",
    "replace($text, '0', '12345678')",
    "replace($halves, zeroblob(1), zeroblob(2))",
    "$text LIKE '%' || substr($text, 1, 900) || '1'",
    "$text LIKE '%' || substr(replace($text, '0', '0_'), 1, 900) || '1'",
    "$text LIKE replace(substr($text, 1, 400), '0', '%0') || '%1'",
    "$text LIKE '%' || substr($text, 1, 900) || '\\1' ESCAPE '\\'",
    "$text GLOB '*' || substr($text, 1, 900) || '1'",
    "$text GLOB '*' || replace(substr($text, 1, 200), '0', '[^1]') || '1'",
    "$text GLOB '*' || replace(substr($text, 1, 200), '0', '*?0') || '1'",
    "$text GLOB '*[' || replace(substr($text, 1, 450), '0', 'ab') || ']'",
    "trim($text, $ones || '0')",
    "ltrim($text, $half)",
    "rtrim($text, $ones || '0')",
    "unhex(replace($text, '0', 'z'), replace($text, '0', 'y') || 'z')",
    "unhex($text)",
    "hex($halves)",
    "quote($text)",
    "quote(replace($text, '0', ''''))",
    "unistr($text)",
    "unistr_quote($text)",
    "unistr(replace(substr($text, 1, 160000), '0', '\\u0041'))",
    "soundex($text)",
    "soundex($spaces)",
    "upper($text)",
    "lower($text)",
    "length($text)",
    "unicode($text)",
    "substr($text, -500000, 400000)",
    "substr($text, 999999)",
    "printf('%*d', 1000000000, 1)",
    "printf('%.*f', 1000000, 1e300)",
    "printf('%.1000000g', 1e-300)",
    "printf('%!.500000s', $text)",
    "printf($text)",
    "printf(replace(substr($text, 1, 500000), '0', '%f'), 1.1)",
    "printf(replace(substr($text, 1, 300000), '0', '%.0s'), $text)",
    "printf('%q', replace($text, '0', ''''))",
    "format('%w', $text)",
    "printf('%,d', 9223372036854775807)",
    "strftime(replace(substr($text, 1, 500000), '0', '%J'), 'now')",
    "strftime(replace(substr($text, 1, 500000), '0', '%f'), 'now')",
    "date($text)",
    "date('now', $spaces || '+1 day')",
    "timediff('9999-12-31', '0000-01-01')",
    "julianday($text)",
    "char(1114111)",
    "round(1e300, 1000000)",
    "randomblob(1000000)",
    "zeroblob(1000000)",
    "$text || 'a'",
    "$text = $text || ''",
    "CAST($text AS INTEGER)",
    "CAST($ones AS REAL)",
    "CAST('1e' || $ones AS REAL)",
    "json($list)",
    "json($object)",
    "json($deep)",
    "json_valid($deep)",
    "json_valid($object, 15)",
    "json_error_position($list || 'x')",
    "json_array_length($list)",
    "json_extract($list, '$[#-1]')",
    "json_extract($object, '$.80000')",
    "json_extract($object, '$.x')",
    "$object -> '$.80000'",
    "$list ->> 239999",
    "json_set($object, '$.x', 1)",
    "json_set($list, '$[0]', $object)",
    "json_set('{}', '$' || replace($text, '0', '.a'), 1)",
    "json_set('[]', '$' || replace(substr($text, 1, 300000), '0', '[0]'), 1)",
    "json_insert($list, '$[#]', 1)",
    "json_replace($list, '$[0]', 2)",
    "json_remove($list, '$[0]', '$[0]', '$[0]', '$[0]', '$[0]', '$[0]', '$[0]', '$[0]')",
    "json_remove($object, '$.1')",
    "json_quote($text)",
    "json_quote(replace($text, '0', char(1)))",
    "json_type($list, '$[239999]')",
    "jsonb($list)",
    "jsonb_set(jsonb($object), '$.x', 1)",
    "json(jsonb($object))",
    "json($zeros)",
    "json_array($list, $object, $text)",
    "json_object('a', json($list), 'b', json($object))",
    "(SELECT count(*) FROM json_each($list))",
    "(SELECT count(fullkey) FROM json_tree($deep))",
    "(SELECT max(length(path)) FROM json_tree(replace(substr($text, 1, 900), '0', '[') || replace(substr($text, 1, 900), '0', ']')))",
    "(SELECT sum(length(value)) FROM json_tree(replace(substr($text, 1, 900), '0', '[') || '1' || replace(substr($text, 1, 900), '0', ']')))",
    "(SELECT group_concat(value) FROM json_each($list))",
    "(SELECT string_agg(value, 'xx') FROM json_each($list))",
    "(SELECT json_group_array(value) FROM json_each($list))",
    "(SELECT json_group_object(key, value) FROM json_each($list))",
    "(SELECT group_concat(value) OVER (ORDER BY key ROWS 1000 PRECEDING) FROM json_each($list) LIMIT 1)",
    "(SELECT count(*) FROM (SELECT value FROM json_each($list) ORDER BY value || $text))",
    "(SELECT count(DISTINCT value || $halves) FROM json_each($list))",
    "(SELECT count(*) FROM json_each($list) WHERE json($object) IS NULL)",
    "(SELECT count(*) FROM json_each($list) WHERE $text LIKE '%1')",
    "(SELECT count(*) FROM json_each($list) WHERE instr($text, '1'))",
    "(SELECT count(*) FROM f WHERE f MATCH 'a')",
    "$words LIKE '%a a a a a a a a a b'",
    "sqlite_version()",
];

/// What a look at the deadline may be late: the longest step that has none is a JSON text of 1 MiB.
const LATE: Duration = Duration::from_millis(150);

/// Tries an expression; gives how long it took and how it ended.
fn trial(
    connection: &Connection,
    values: &HashMap<&str, Value>,
    expression: &str,
    allowed: Duration,
) -> (Duration, rusqlite::Result<Value>) {
    let started = Instant::now();
    let answer = restricted(started + allowed, Effort::UntilDeadline, || {
        let mut statement = connection.prepare(&format!("SELECT {expression}"))?;
        for at in 1..=statement.parameter_count() {
            let name = statement.parameter_name(at).unwrap()[1..].to_owned();
            statement.raw_bind_parameter(at, &values[name.as_str()])?;
        }
        let mut rows = statement.raw_query();
        rows.next()?.unwrap().get(0)
    });
    (started.elapsed(), answer)
}

#[test]
fn every_function_ends_near_the_deadline() {
    let connection = connection();
    let make = |(name, sql): (&'static str, &str)| {
        let value = connection.query_row(&format!("SELECT {sql}"), [], |row| row.get::<_, Value>(0));
        (name, value.unwrap())
    };
    let values: HashMap<&str, Value> = BIG.into_iter().map(make).collect();
    let allowed = Duration::from_millis(300);
    let many = ["concat", "max", "json_array", "coalesce"]
        .map(|function| format!("length({function}({}))", vec!["$text"; 127].join(", ")));
    let worst = WORST.iter().map(|expression| (*expression).to_owned()).chain(many);
    let mut late = Vec::new();
    for expression in worst {
        // A busy machine delays the look at the deadline too: the best of ten counts. One that is not seen by any look is late
        // each time.
        let mut best = Duration::MAX;
        for _ in 0..10 {
            let (took, answer) = trial(&connection, &values, &expression, allowed);
            best = best.min(took);
            if let Err(error) = answer {
                use rusqlite::ErrorCode::{OperationInterrupted, OutOfMemory, TooBig, Unknown};
                let code = error.sqlite_error_code();
                assert!(
                    matches!(code, Some(OperationInterrupted | OutOfMemory | TooBig | Unknown)),
                    "{expression}: {error}"
                );
            }
            if best < allowed + LATE {
                break;
            }
        }
        if best >= allowed + LATE {
            late.push((expression, best));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

#[test]
fn values_and_statements_are_bounded() {
    for sql in [
        "zeroblob(1100000)".to_owned(),
        "hex(zeroblob(600000))".to_owned(),
        "replace(hex(zeroblob(400000)), '0', '00')".to_owned(),
        format!("'a' LIKE '{}'", "a".repeat(1_001)),
        format!("'{}'", "a".repeat(300_000)),
    ] {
        assert!(
            trial(&connection(), &HashMap::new(), &sql, Duration::from_secs(2))
                .1
                .is_err(),
            "{sql:.60}"
        );
    }
}

#[test]
fn replaced_functions_answer_what_sqlites_own_answer() {
    let own = connection();
    let theirs = Connection::open_in_memory().unwrap();
    let texts = [
        "NULL",
        "''",
        "'a'",
        "'abcabc'",
        "'äbcä€x'",
        "'A_%b'",
        "x'61c3a4'",
        "x''",
        "12",
        "1.5",
        "1e20",
        "'  a '",
        "'0g1'",
        "'[a-c]'",
        "'%'",
        "'_'",
        "'%b%'",
        "'*b?'",
        "'a%_c'",
        "'[^a]*'",
        "'*[]]'",
        "'[a'",
        "'ä'",
        "'€'",
        "'aab'",
        "'%a%b'",
        "'a]'",
        "-0.0",
        "0.1",
        "1e-7",
        "123456789.125",
        "9007199254740993.0",
        "1e16",
        "1e17",
        "-2.5e-5",
        "0.0001",
    ];
    for x in texts {
        for y in texts {
            for call in [
                format!("instr({x}, {y})"),
                format!("replace({x}, {y}, 'ö')"),
                format!("replace('äbcabc%_', {x}, {y})"),
                format!("{x} LIKE {y}"),
                format!("{x} LIKE {y} ESCAPE '%'"),
                format!("{x} LIKE {y} ESCAPE 'a'"),
                format!("{x} GLOB {y}"),
                format!("trim({x}, {y})"),
                format!("ltrim({x}, {y})"),
                format!("rtrim({x}, {y})"),
                format!("unhex({x}, {y})"),
            ] {
                let sql = format!("SELECT {call}");
                let value = |connection: &Connection| {
                    connection
                        .query_row(&sql, [], |row| row.get::<_, Value>(0))
                        .map_err(|error| error.to_string())
                };
                assert_eq!(value(&own), value(&theirs), "{call}");
            }
        }
    }
}
