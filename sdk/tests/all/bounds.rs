//! What the real host refuses, the test harness refuses too.

use galley_sdk::events;
use galley_sdk::prelude::*;
use galley_sdk::testing::TestHost;

fn host() -> TestHost {
    let plugin = Plugin::new("demo", "1.0.0").publishes("demo/mine", "{}").migration(
        1,
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE VIRTUAL TABLE words USING fts5(body)",
    );
    TestHost::new(plugin)
}

fn code<T>(answer: Result<T, Problem>) -> String {
    answer.map_or_else(|problem| problem.code, |_| "ok".into())
}

const INSERT: &str = "INSERT INTO notes (text) VALUES ('beside')";

#[test]
fn the_hosts_topics_are_refused() {
    let host = host();
    host.run(|| {
        for topic in [
            "project-deleted",
            "account-removed",
            "build-finished",
            "comments/written",
        ] {
            assert_eq!(code(events::publish(topic, "")), "denied");
            assert_eq!(
                code(sql::batch().step(INSERT, params![]).publish(topic, "").run()),
                "denied"
            );
        }
        assert_eq!(code(events::publish("My topic", "")), "bad-topic");
        assert_eq!(code(events::publish("demo/other", "")), "undeclared");
        assert_eq!(code(events::publish("demo/mine", &"x".repeat(70_000))), "too-large");
        assert_eq!(sql::all::<(i64,)>("SELECT id FROM notes", params![]).unwrap(), []);
    });
    assert!(host.published().is_empty());
}

#[test]
fn a_call_publishes_its_share() {
    let host = host();
    let publish = || {
        (0..101)
            .map(|_| code(events::publish("demo/mine", "")))
            .collect::<Vec<_>>()
    };
    for _ in 0..2 {
        let codes = host.run(publish);
        assert!(codes[..100].iter().all(|code| code == "ok"));
        assert_eq!(codes[100], "limit");
    }
    assert_eq!(host.published().len(), 200);
}

#[test]
fn sql_has_the_hosts_bounds() {
    host().run(|| {
        let query = |sql: &str| code(sql::query(sql, params![]));
        assert_eq!(query("SELECT zeroblob(2000000)"), "too-large");
        assert_eq!(query("SELECT json_patch('{}', '{}')"), "refused");
        assert_eq!(query("SELECT * FROM pragma_table_list"), "refused");
        assert_eq!(query("SELECT ?1"), "sql");
        assert_eq!(query("INSERT INTO notes (text) VALUES ('x')"), "refused");
        let many = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n)";
        assert_eq!(query(&format!("SELECT hex(zeroblob(50000)) FROM {many}")), "too-large");
        assert_eq!(
            query(&format!("SELECT json_group_array(hex(zeroblob(500000))) FROM {many}")),
            "too-large"
        );
        let execute = |sql: &str| code(sql::execute(sql, params![]));
        assert_eq!(execute("CREATE TEMP TABLE t (a)"), "refused");
        assert_eq!(execute("CREATE TABLE _galley_t (a)"), "refused");
        assert_eq!(execute("CREATE VIRTUAL TABLE v USING fts5(a)"), "refused");
        assert_eq!(execute("PRAGMA foreign_keys = OFF"), "refused");
        assert_eq!(execute(INSERT), "ok");
    });
}

#[test]
fn a_statement_without_end_is_interrupted() {
    const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let host = host();
    host.run(|| {
        let read = format!("{ENDLESS} SELECT max(i) FROM n");
        assert_eq!(code(sql::query(&read, params![])), "interrupted");
        let write = format!("INSERT INTO notes (text) {ENDLESS} SELECT max(i) FROM n");
        assert_eq!(
            code(sql::batch().step(INSERT, params![]).step(&write, params![]).run()),
            "interrupted"
        );
        assert_eq!(sql::all::<(i64,)>("SELECT id FROM notes", params![]).unwrap(), []);
        assert_eq!(code(sql::execute(INSERT, params![])), "ok");
    });
}
