//! What a plugin's statement may not do.

use super::*;

/// Statements that reach outside of the tables, each in the writings that were thought of.
#[rustfmt::skip]
const REFUSED: &[&str] = &[
    // Kinds of statements.
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "SET statement_timeout = 0", "RESET ALL", "SHOW ALL", "SET ROLE galley",
    "COPY note TO '/tmp/x'", "COPY note FROM PROGRAM 'id'", "COPY (SELECT 1) TO STDOUT", "DO $$ BEGIN END $$ ", "DO 'BEGIN END'",
    "LISTEN a", "NOTIFY a", "UNLISTEN *", "LOAD 'x'", "CALL f()", "EXPLAIN ANALYZE DELETE FROM note", "PREPARE p AS SELECT 1",
    "EXECUTE s0", "CREATE TABLE x AS EXECUTE s0", "DEALLOCATE ALL", "DECLARE c CURSOR FOR SELECT 1", "FETCH ALL FROM c",
    "LOCK TABLE note", "VACUUM", "ANALYZE", "CLUSTER", "REINDEX TABLE note", "CHECKPOINT", "DISCARD ALL", "TRUNCATE note",
    "GRANT ALL ON note TO PUBLIC", "REVOKE ALL ON note FROM PUBLIC", "COMMENT ON TABLE note IS 'x'", "SECURITY LABEL ON TABLE note IS 'x'",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE PROCEDURE p() LANGUAGE sql AS ''", "CREATE EXTENSION dblink", "CREATE SCHEMA s", "CREATE ROLE r", "CREATE USER r",
    "CREATE DATABASE d", "CREATE TEMP TABLE t (a int8)", "CREATE TEMPORARY TABLE t (a int8)", "CREATE UNLOGGED TABLE t (a int8)",
    "CREATE LOCAL TEMP TABLE t (a int8)", "CREATE TEMP VIEW v AS SELECT 1", "CREATE OR REPLACE TEMP VIEW v AS SELECT 1",
    "CREATE MATERIALIZED VIEW v AS SELECT 1", "CREATE FOREIGN TABLE f (a int8) SERVER s", "CREATE SERVER s FOREIGN DATA WRAPPER w",
    "CREATE TYPE t AS (a int8)", "CREATE DOMAIN d AS int8 CHECK (true)", "CREATE CAST (int8 AS text) WITH INOUT", "CREATE OPERATOR === (PROCEDURE = lower)",
    "CREATE AGGREGATE a (int8) (SFUNC = lower, STYPE = text)", "CREATE RULE r AS ON INSERT TO note DO NOTHING",
    "CREATE TRIGGER g BEFORE INSERT ON note EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE EVENT TRIGGER g ON sql_drop EXECUTE FUNCTION f()", "CREATE POLICY p ON note", "CREATE PUBLICATION p", "CREATE TABLESPACE t LOCATION '/tmp'",
    "ALTER DATABASE x SET work_mem = 1", "ALTER ROLE x SUPERUSER", "ALTER SYSTEM SET fsync = off", "ALTER FUNCTION lower(text) VOLATILE",
    "ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC", "DROP SCHEMA public CASCADE", "DROP OWNED BY x", "DROP ROLE x",
    "DROP FUNCTION _galley_lock()", "REASSIGN OWNED BY a TO b", "IMPORT FOREIGN SCHEMA s FROM SERVER x INTO public", "MERGE INTO note USING note n ON true WHEN MATCHED THEN DO NOTHING",
    // Functions.
    "SELECT pg_sleep(60)", "SELECT pg_catalog.pg_sleep(60)", "SELECT \"pg_sleep\"(60)", "SELECT PG_SLEEP (60)", "SELECT pg_sleep/* */(60)",
    "SELECT pg_sleep -- (\n(60)", "SELECT pg_catalog . \"pg_sleep\" (60)", "SELECT * FROM pg_sleep(60)", "SELECT DISTINCT ON (1) pg_sleep(60)",
    "SELECT 1 WHERE EXISTS (SELECT pg_sleep(60))", "SELECT 1 FROM note JOIN note n ON pg_sleep(60) IS NULL", "VALUES (pg_sleep(60))",
    "INSERT INTO note (text) SELECT pg_sleep(60)::text", "DELETE FROM note USING pg_sleep(60)", "SELECT count(*) FILTER (WHERE pg_sleep(60) IS NULL) FROM note",
    "CREATE TABLE t (a text DEFAULT set_config('a', 'b', false))", "CREATE INDEX i ON note (query_to_xml(text, true, true, ''))", "CREATE VIEW v AS SELECT lo_creat(1)",
    "WITH a AS (SELECT 1), set_config(b) AS (SELECT lo_creat(1)) SELECT 1", "SELECT 1 FROM (VALUES (1)) AS a(b), query_to_xml('SELECT 1', true, true, '') AS c(d)",
    "SELECT set_config('statement_timeout', '0', false)", "SELECT current_setting('data_directory')", "SELECT dblink('', '')",
    "SELECT * FROM dblink('', '') AS d(a int8)", "SELECT lo_import('/etc/passwd')", "SELECT lo_get(1)", "SELECT loread(1, 1)",
    "SELECT query_to_xml('SELECT 1', true, true, '')", "SELECT database_to_xml(true, true, '')", "SELECT ts_stat('SELECT 1')", "SELECT version()",
    "SELECT has_database_privilege('x', 'CONNECT')", "SELECT txid_current()", "SELECT inet_server_addr()", "SELECT suppress_redundant_updates_trigger()",
    "SELECT OPERATOR(pg_catalog.+) 1", "SELECT 1 OPERATOR(public.+) 1", "SELECT \"date\"(text), \"Lower\"(text) FROM note", "SELECT x.y(1)", "SELECT note(1)", "SELECT nextval('_galley_events_id_seq')",
    "SELECT setval('_galley_events_id_seq', 1)", "CREATE SEQUENCE s",
    // Names of others.
    "SELECT * FROM pg_stat_activity", "SELECT * FROM pg_catalog.pg_class", "SELECT * FROM \"pg_class\"", "SELECT * FROM information_schema.tables",
    "SELECT * FROM _galley_events", "SELECT * FROM public._GALLEY_schema", "SELECT * FROM \"_galley_events\"", "DROP TABLE _galley_events",
    "CREATE TABLE _galley_y (a int8)", "CREATE VIEW \"_Galley_y\" AS SELECT 1", "ALTER TABLE note RENAME TO _galley_y", "CREATE TABLE pg_temp.t (a int8)",
    "CREATE TABLE u (a int8 REFERENCES _galley_events (id) ON DELETE CASCADE)", "SELECT _galley_lock()", "TABLE _galley_events",
    "SELECT 16384::regclass", "SELECT CAST(10 AS regrole)", "SELECT regproc 'lower'", "SELECT current_user", "SELECT session_user", "SELECT USER", "SELECT current_schema",
];

/// Writings that could be read in two ways, and what is no statement.
const UNREADABLE: &[&str] = &[
    "SELECT E'a\\''",
    "SELECT e'a'",
    "SELECT E'a'\n'\\'' , 'b', ''",
    "SELECT U&'\\0061'",
    "SELECT u&\"\\0061\"",
    "SELECT $$a$$",
    "SELECT $a$ b $a$",
    "SELECT $1",
    "SELECT ?",
    "SELECT ?0",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM note",
    "",
    "  -- nothing\n;",
    "SELECT 'a\0b'",
];

#[test]
fn what_reaches_outside_is_refused_before_it_is_sent() {
    for sql in REFUSED {
        let code = Checked::new(sql).map_err(|failure| failure.code());
        // A `$` is refused before the kind of its statement is looked at.
        let expected = if sql.contains('$') { "sql" } else { "refused" };
        assert_eq!(code, Err(Some(expected)), "{sql}");
    }
    for sql in UNREADABLE {
        let code = Checked::new(sql).map_err(|failure| failure.code());
        assert_eq!(code, Err(Some("sql")), "{sql:?}");
    }
    let long = format!("SELECT '{}'", "a".repeat(300_000));
    assert_eq!(
        Checked::new(&long).map_err(|failure| failure.code()),
        Err(Some("too-large"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_role_itself_may_nothing_of_it() {
    let server = Postgres::shared();
    let name = fresh_name();
    provision(&server, &name).run().await.unwrap();
    // Without the list: whoever has the role's connection.
    let url = server.url_at(server.address()).replace("galley@", &format!("{name}@"));
    let url = url.replace("/postgres", &format!("/{name}"));
    let direct = crate::Database::new(&url, crate::Bounds::default()).unwrap();
    for sql in [
        "SELECT pg_sleep(60)::text",
        "SELECT pg_sleep_for('1 minute')::text",
        "SELECT pg_advisory_lock(1)::text",
        "SELECT pg_try_advisory_lock(1)",
        "SELECT pg_advisory_xact_lock(1)::text",
        "SELECT pg_notify('a', 'b')::text",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT lo_creat(1)::int8",
        "SELECT lo_import('/etc/passwd')::int8",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_ls_dir('.')",
        "SELECT query_to_xml('SELECT 1', true, true, '')::text",
        "SELECT count(*) FROM pg_stat_activity",
        "SELECT pg_cancel_backend(1)",
        "COPY (SELECT 1) TO PROGRAM 'id'",
        "COPY (SELECT 1) TO '/tmp/galley-slot-copy'",
        "DO 'BEGIN END'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'",
        "CREATE SCHEMA s",
        "CREATE TEMP TABLE t (a int8)",
        "CREATE ROLE r",
        "CREATE EXTENSION dblink",
        "ALTER ROLE galley PASSWORD 'x'",
        "SET ROLE galley",
        "DROP FUNCTION public._galley_lock()",
        "CREATE OR REPLACE FUNCTION public._galley_lock() RETURNS void LANGUAGE sql AS ''",
    ] {
        let answer = direct.write(move |session| session.execute(sql, &[])).await;
        let said = format!("{answer:?}");
        assert!(
            ["permission denied", "must be", "must have"]
                .iter()
                .any(|words| said.contains(words)),
            "{sql}: {said}"
        );
    }
    let count = direct.read(|session| session.query("SELECT public._galley_lock()::text", &[]));
    assert!(count.await.is_ok_and(|rows: Vec<_>| rows.len() == 1));
}
