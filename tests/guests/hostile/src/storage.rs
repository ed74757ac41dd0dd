//! The database and the blobs.

use galley_sdk::blobs;
use galley_sdk::prelude::*;
use serde_json::{Value, json};

use crate::{code, cpu};

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

/// A statement that reads for ever.
pub(crate) fn endless_query() -> Value {
    json!(code(sql::query(ENDLESS, params![])))
}

/// A statement that writes for ever.
pub(crate) fn endless_write() -> Value {
    let sql = "INSERT INTO notes (text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'endless' FROM n";
    json!(code(sql::execute(sql, params![])))
}

/// Statements of a single slow step, and of many slow steps.
const HEAVY: [&str; 13] = [
    "SELECT instr(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1')",
    "SELECT instr(hex(zeroblob(260000)), hex(zeroblob(130000)) || '1')",
    "SELECT replace(hex(zeroblob(500000)), hex(zeroblob(250000)) || '1', '')",
    "SELECT hex(zeroblob(500000)) LIKE '%' || hex(zeroblob(450)) || '1'",
    "SELECT hex(zeroblob(8000000)) LIKE '%' || hex(zeroblob(20000)) || '1'",
    "SELECT hex(zeroblob(500000)) GLOB '*' || hex(zeroblob(450)) || '1'",
    "SELECT hex(zeroblob(500000)) GLOB '*' || replace(hex(zeroblob(100)), '0', '[^1]') || '1'",
    "SELECT trim(hex(zeroblob(500000)), replace(hex(zeroblob(250000)), '0', 'a') || '0')",
    "SELECT unhex(replace(hex(zeroblob(500000)), '0', 'z'), replace(hex(zeroblob(250000)), '0', 'y') || 'z')",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 80000),
     object(o) AS (SELECT '{' || group_concat('\"' || i || '\":1') || '}' FROM n)
     SELECT json_patch(o, o) FROM object",
    "WITH list(l) AS MATERIALIZED (SELECT '[' || replace(hex(zeroblob(240000)), '0', '1,') || '1]')
     SELECT count(*) FROM list, json_each(l) WHERE json(l) IS NULL",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
     SELECT length(json_group_array(hex(zeroblob(500000)))) FROM n",
    ENDLESS,
];

/// Runs them all, beginning with number `first`, as reads and as writes.
pub(crate) fn heavy_sql(first: u32) -> Value {
    let statements = HEAVY.iter().cycle().skip(first as usize).take(HEAVY.len());
    let codes = statements.map(|statement| {
        let read = code(sql::query(statement, params![]));
        let insert = format!("INSERT INTO notes (text) SELECT 'heavy' FROM ({statement})");
        json!([read, code(sql::execute(&insert, params![]))])
    });
    codes.collect()
}

/// Statements that gather values of 1 MB in memory: each with the code it was answered, as a read and as a write.
pub(crate) fn gather() -> Value {
    let rows = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n)";
    let value = "hex(zeroblob(500000))";
    let columns = vec![value; 1_000].join(", ");
    let statements = [
        format!("SELECT length(json_group_array({value})) FROM {rows}"),
        format!("SELECT length(jsonb_group_array({value})) FROM {rows}"),
        format!("SELECT length(json_group_object(i, {value})) FROM {rows}"),
        format!("SELECT length(group_concat({value})) FROM {rows}"),
        format!("SELECT length(string_agg({value}, '-')) FROM {rows}"),
        format!("SELECT {columns}"),
    ];
    let codes = statements.map(|statement| {
        let insert = format!("INSERT INTO notes (text) SELECT 'much' FROM ({statement})");
        let codes = [
            code(sql::query(&statement, params![])),
            code(sql::execute(&insert, params![])),
        ];
        (statement.chars().take(40).collect(), json!(codes))
    });
    Value::Object(codes.into_iter().collect())
}

/// Objects that would come before the host's own, or be part of its statements; then an event beside a write, which the host
/// keeps in a table of its own.
pub(crate) fn temp_objects() -> Value {
    let endless = format!("SELECT 1 WHERE 0 < ({ENDLESS})");
    let statements = [
        "CREATE TEMP TABLE _galley_events (a)".to_owned(),
        "CREATE TEMP TABLE mine (a)".to_owned(),
        "CREATE TEMP VIEW _galley_events AS SELECT 1".to_owned(),
        format!("CREATE TEMP TRIGGER a AFTER INSERT ON main._galley_events BEGIN {endless}; END"),
        format!("CREATE TRIGGER a AFTER INSERT ON main._galley_events BEGIN {endless}; END"),
        "CREATE TABLE child (a REFERENCES _galley_events (id) ON DELETE CASCADE)".to_owned(),
        "ALTER TABLE notes RENAME TO _galley_mine".to_owned(),
    ];
    let mut codes: serde_json::Map<String, Value> = statements
        .into_iter()
        .map(|statement| {
            let code = code(sql::execute(&statement, params![]));
            (statement, json!(code))
        })
        .collect();
    let beside = sql::batch()
        .step("INSERT INTO notes (text) VALUES ('after')", params![])
        .publish(crate::TOPIC, "data");
    codes.insert("publish".into(), json!(code(beside.run())));
    Value::Object(codes)
}

/// Host calls that each take a while.
pub(crate) fn many_slow_queries() -> Value {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n";
    loop {
        let answer = sql::query(sql, params![]);
        if answer.is_err() {
            return json!(code(answer));
        }
    }
}

/// More rows than fit in memory.
pub(crate) fn too_many_rows() -> Value {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)";
    let sql = format!("{numbers} SELECT '{}' FROM n", "0".repeat(1_000));
    json!(code(sql::query(&sql, params![])))
}

/// Statements that reach beyond the slot's own data: each with the code it was answered.
pub(crate) fn forbidden() -> Value {
    let statements = [
        "ATTACH DATABASE '../core.db' AS core",
        "ATTACH DATABASE ':memory:' AS other",
        "DETACH DATABASE main",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA user_version = 0",
        "PRAGMA writable_schema = ON",
        "VACUUM",
        "VACUUM INTO '/tmp/galley-stolen.db'",
        "BEGIN",
        "BEGIN EXCLUSIVE",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT a",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT * FROM pragma_database_list",
        "INSERT INTO _galley_outbox VALUES (1)",
        "CREATE TABLE _galley_mine (a)",
        "DELETE FROM sqlite_master",
        "SELECT readfile('/etc/passwd')",
        "SELECT 1; SELECT 2",
    ];
    let codes = statements.map(|statement| {
        let code = code(sql::execute(statement, params![]));
        (statement.to_owned(), json!(code))
    });
    Value::Object(codes.into_iter().collect())
}

/// Takes the slot's only write lock, and then never returns.
pub(crate) fn hold_the_lock() -> ! {
    let transaction = sql::Transaction::begin();
    if let Ok(transaction) = &transaction {
        let _ = transaction.execute("INSERT INTO notes (text) VALUES ('held')", params![]);
    }
    std::mem::forget(transaction);
    cpu::spin()
}

/// One honest write.
pub(crate) fn write(text: &str) -> Value {
    json!(code(sql::execute(
        "INSERT INTO notes (text) VALUES (?1)",
        params![text]
    )))
}

/// Writes so many notes of 256 KiB.
pub(crate) fn fill(times: u32) -> Value {
    let text = "x".repeat(256 << 10);
    let write = |_| sql::execute("INSERT INTO notes (text) VALUES (?1)", params![text.as_str()]);
    json!(code((0..times).map(write).collect::<Result<Vec<_>, _>>()))
}

/// How many notes there are, by their text.
pub(crate) fn count() -> Value {
    let rows: Vec<(String, i64)> =
        sql::all("SELECT text, count(*) FROM notes GROUP BY text", params![]).unwrap_or_default();
    Value::Object(rows.into_iter().map(|(text, count)| (text, json!(count))).collect())
}

/// Keys that would lie elsewhere on the disk: each with the code it was answered.
pub(crate) fn bad_keys() -> Value {
    let keys = [
        "",
        "/etc/passwd",
        "../core.db",
        "a/../../b",
        "a//b",
        ".",
        "..",
        "a\\b",
        "a\0b",
        "a b",
        "ü",
    ];
    let codes = keys.map(|key| (key.to_owned(), json!(code(blobs::put(key, b"x")))));
    Value::Object(codes.into_iter().collect())
}
