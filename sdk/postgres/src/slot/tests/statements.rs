//! Running one statement: its answer to the byte, its bounds, and the codes of what goes wrong.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_packed_as_those_of_sqlite_are() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    let sql =
        "SELECT ?1::int8, ?2::float8, ?3::text, ?4::bytea, ?5::text, true, 7::int2, 0.5::float4, '{\"a\":1}'::json,
                      '[1]'::jsonb, '?1'";
    let parameters = vec![
        Value::Integer(-2),
        Value::Real(0.25),
        Value::Text("é \0 \u{fdd0} \u{fdef}".to_owned()),
        Value::Blob(vec![0, 7]),
        Value::Null,
    ];
    let rows = database.query(sql, parameters, soon()).await.unwrap();
    let expected = [
        Cell::Integer(-2),
        Cell::Real(0.25),
        Cell::Text("é \0 \u{fdd0} \u{fdef}".as_bytes()),
        Cell::Blob(&[0, 7]),
        Cell::Null,
        Cell::Integer(1),
        Cell::Integer(7),
        Cell::Real(0.5),
        Cell::Text(b"{\"a\":1}"),
        Cell::Text(b"[1]"),
        Cell::Text(b"?1"),
    ];
    assert_eq!(rows, packed(11, &expected));
    let none = database.query("SELECT text FROM note", vec![], soon()).await.unwrap();
    assert_eq!(none, packed(1, &[]));
    let sql = "INSERT INTO note (text) VALUES ('a'), ('b') RETURNING text";
    let rows = database.batch(vec![step(sql, vec![])], vec![], soon()).await.unwrap();
    assert_eq!(rows, [packed(1, &[Cell::Text(b"a"), Cell::Text(b"b")])]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_has_the_contracts_code() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    add(&database, "a").await.unwrap();
    let query = async |sql: &str, parameters| {
        let answer = database.query(sql, parameters, soon()).await;
        answer.map_err(|failure| failure.code())
    };
    let execute = async |sql: &str, parameters| {
        let answer = database.execute(sql, parameters, soon()).await;
        answer.map_err(|failure| failure.code())
    };
    for sql in [
        "INSERT INTO note (text) VALUES ('b')",
        "WITH d AS (DELETE FROM note RETURNING id) SELECT id FROM d",
        "SELECT text INTO copied FROM note",
        "SELECT nextval('note_id_seq')",
        "CREATE TABLE t (a int8)",
    ] {
        assert_eq!(query(sql, vec![]).await, Err(Some("refused")), "{sql}");
    }
    for (sql, parameters, code) in [
        ("INSERT INTO note (text) VALUES (?1)", vec!["a".into()], "constraint"),
        ("INSERT INTO note (text) VALUES (?1)", vec![Value::Null], "constraint"),
        ("INSERT INTO note (text) VALUES (?1)", vec![], "sql"),
        (
            "INSERT INTO note (text) VALUES (?1)",
            vec!["a".into(), "b".into()],
            "sql",
        ),
        ("INSERT INTO note (size) VALUES (?1)", vec!["a".into()], "sql"),
        ("INSERT INTO nowhere VALUES (1)", vec![], "sql"),
        ("INSERT INT note", vec![], "sql"),
        ("UPDATE note SET size = 1 / 0", vec![], "sql"),
        (
            "INSERT INTO note (text) VALUES (?1)",
            vec!["a".repeat(1_100_000).as_str().into()],
            "too-large",
        ),
        ("ALTER TABLE note SET TABLESPACE other", vec![], "sql"),
        ("ALTER TABLE note OWNER TO galley", vec![], "refused"),
    ] {
        assert_eq!(execute(sql, parameters).await, Err(Some(code)), "{sql}");
    }
    for (sql, code) in [
        ("SELECT sum(size) FROM note", "sql"),
        ("SELECT now()", "sql"),
        ("SELECT repeat('a', 1100000)", "too-large"),
        ("SELECT repeat('a', 1000000) FROM generate_series(1, 20)", "too-large"),
        ("SELECT repeat('a', 1073741824)", "too-large"),
    ] {
        assert_eq!(query(sql, vec![]).await, Err(Some(code)), "{sql}");
    }
    assert_eq!(texts(&database).await, ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn ordinary_work_passes() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    for sql in [
        "CREATE TABLE u (a int8 PRIMARY KEY, b varchar(5), c numeric(10, 2) DEFAULT (1 + 1), d bool CHECK (d IS NOT NULL), UNIQUE (b))",
        "CREATE TABLE IF NOT EXISTS w (a int8 REFERENCES u (a) ON DELETE CASCADE, b text GENERATED ALWAYS AS (coalesce('X', 'Y')) STORED)",
        "CREATE UNIQUE INDEX IF NOT EXISTS i ON w (a, lower(b)) WHERE (a > 0)",
        "CREATE INDEX ON public.w USING gin (to_tsvector('english'::regconfig, b))",
        "CREATE INDEX ON ONLY w (a)",
        "CREATE VIEW v (n, m) AS SELECT a, b FROM u",
        "CREATE OR REPLACE VIEW v AS SELECT a AS n, b AS m FROM u",
        "INSERT INTO u (a, b, d) VALUES (1, 'x', true), (2, 'y', false)",
        "INSERT INTO u AS mine (a, b, d) VALUES (1, 'x', true) ON CONFLICT (a) DO UPDATE SET b = excluded.b WHERE (mine.a = 1)",
        "INSERT INTO w WITH n(x) AS (SELECT a FROM u) SELECT x FROM n",
        "UPDATE u SET (b, d) = ('z', true) WHERE (a, b) IN (SELECT n, m FROM v WHERE n = 1) RETURNING a",
        "ALTER TABLE u ADD COLUMN e jsonb",
        "ALTER TABLE u RENAME COLUMN e TO \"select\"",
        "DELETE FROM w USING u WHERE w.a = u.a AND NOT (u.d)",
        "DROP VIEW v",
        "DROP TABLE w, u",
    ] {
        let ran = database.batch(vec![step(sql, vec![])], vec![], soon()).await;
        assert!(ran.is_ok(), "{sql}: {ran:?}");
    }
    for sql in [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9), d(a, b) AS NOT MATERIALIZED (SELECT 1, 2)
         SELECT max(n), coalesce(min(a), 0) FROM c, d",
        "SELECT id, row_number() OVER (PARTITION BY size ORDER BY id) FROM note",
        "SELECT j.key, j.value::text FROM jsonb_each('{\"a\": 1}'::jsonb) AS j(key, value)",
        "SELECT count(*) FILTER (WHERE (size > 1)), percentile_disc(0.5) WITHIN GROUP (ORDER BY size) FROM note",
        "SELECT CASE WHEN (text LIKE 'a%') THEN (1) ELSE (2) END FROM note WHERE EXISTS (SELECT 1) AND size = ANY (ARRAY[1, 2])",
        "(SELECT 1) UNION ALL (SELECT 2) LIMIT (1)",
        "VALUES (1, 'a'), (2, 'b')",
        "SELECT extract(epoch FROM now())::int8, to_char(now(), 'YYYY'), interval '1 day'::text; -- the end",
        "SELECT \"note\".\"text\" FROM note ORDER BY lower(text) COLLATE \"C\"",
    ] {
        let ran = database.query(sql, vec![], soon()).await;
        assert!(ran.is_ok(), "{sql}: {ran:?}");
    }
}

const ENDLESS: &str = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";

/// Waits until the server runs nothing of a slot any more.
async fn until_idle(server: &Postgres, name: &str) {
    let sql = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND state = 'active'");
    while server.psql(&sql) != "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_sql_ends_at_the_deadline_and_when_nobody_waits() {
    let server = Postgres::shared();
    let name = fresh_name();
    let address = provision(&server, &name).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    let deadline = Instant::now() + Duration::from_millis(300);
    assert_eq!(
        database.query(ENDLESS, vec![], deadline).await,
        Err(Failure::Interrupted)
    );
    assert!(Instant::now() < deadline + Duration::from_secs(5));
    until_idle(&server, &name).await;
    let write = format!("INSERT INTO note (text) SELECT n::text FROM ({ENDLESS}) AS e(n)");
    let deadline = Instant::now() + Duration::from_millis(300);
    assert_eq!(
        database.execute(&write, vec![], deadline).await,
        Err(Failure::Interrupted)
    );
    until_idle(&server, &name).await;
    // The call goes away.
    let database = Arc::new(database);
    let reading = database.clone();
    let call = tokio::spawn(async move { reading.query(ENDLESS, vec![], soon()).await });
    let running = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND query LIKE 'WITH RECURSIVE%' AND state = 'active'"
    );
    while server.psql(&running) != "1" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    call.abort();
    until_idle(&server, &name).await;
    assert_eq!(add(&database, "after").await, Ok(1));
    assert_eq!(texts(&database).await, ["after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_changes_under_a_prepared_statement_is_read_anew() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    add(&database, "a").await.unwrap();
    let all = || database.query("SELECT * FROM note", vec![], soon());
    all().await.unwrap();
    database
        .execute("ALTER TABLE note DROP COLUMN size", vec![], soon())
        .await
        .unwrap();
    assert_eq!(all().await.unwrap(), packed(2, &[Cell::Integer(1), Cell::Text(b"a")]));
}
