//! Data of the first version of the tables.

use galley_sdk::prelude::*;
use galley_sdk::testing::TestHost;
use rusqlite::Connection;

const FIRST: &str = include_str!("../../migrations/1.sql");
const SECOND: &str = include_str!("../../migrations/2.sql");
const BACK: &str = include_str!("../../migrations/2.down.sql");

/// Two projects, a deleted comment, and replies.
const DATA: &str = "
    INSERT INTO comments (seq, id, project_id, body, anchor_selector, page, author_uid, author_name, mentions, resolved, replies,
      reply_bytes, created_at, updated_at) VALUES
      (1, 'a', 'p1', 'A', 'h1', '/', 'user:u1', 'Ann', '[]', 0, 2, 2, 't1', 't1'),
      (2, 'b', 'p2', 'B', 'h1', '/', 'user:u1', 'Ann', '[]', 0, 0, 0, 't2', 't2'),
      (4, 'c', 'p1', 'C', 'h1', '/', 'viewer:x', 'X', '[]', 1, 0, 0, 't4', 't5');
    INSERT INTO replies (seq, id, project_id, comment_seq, body, author_uid, author_name, mentions, created_at) VALUES
      (1, 'r', 'p1', 1, 'R', 'user:u2', 'Ben', '[]', 't6'),
      (2, 's', 'p1', 1, 'S', 'user:u3', 'Cem', '[]', 't7');";

fn rows(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn old_comments_get_their_numbers_by_age() {
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch(FIRST).unwrap();
    database.execute_batch(DATA).unwrap();
    database.execute_batch(SECOND).unwrap();
    let comments = "SELECT concat_ws(' ', id, number, last_reply_uid, last_reply_at, deployment_id, images, resolved_at) \
                    FROM comments ORDER BY seq";
    assert_eq!(
        rows(&database, comments),
        ["a 1 user:u3 t7  [] ", "b 1    [] ", "c 2    [] "]
    );
    assert_eq!(
        rows(&database, "SELECT project_id || last FROM numbers ORDER BY 1"),
        ["p12", "p21"]
    );
    assert_eq!(
        rows(&database, "SELECT id || updated_at || edited_at FROM replies"),
        ["rt6", "st7"]
    );
}

#[test]
fn the_plugin_before_finds_its_tables_again() {
    let tables = "SELECT group_concat(name || ' ' || type) FROM pragma_table_info('comments') \
                  UNION ALL SELECT group_concat(name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'";
    let data = "SELECT concat_ws(' ', seq, id, body, replies, reply_bytes, updated_at) FROM comments \
                UNION ALL SELECT concat_ws(' ', id, body, created_at) FROM replies";
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch(FIRST).unwrap();
    database.execute_batch(DATA).unwrap();
    let before = (rows(&database, tables), rows(&database, data));
    database.execute_batch(SECOND).unwrap();
    database.execute_batch(BACK).unwrap();
    assert_eq!((rows(&database, tables), rows(&database, data)), before);
}

/// The steps with data in between, in a plugin of both engines: the SDK compares what they answer.
fn with_data() -> Plugin {
    Plugin::new("comments", "1.0.0")
        .postgres()
        .migration(1, FIRST)
        .postgres_migration(1, include_str!("../../migrations/1.postgres.sql"))
        .migration(2, DATA)
        .migration(3, SECOND)
        .postgres_migration(3, include_str!("../../migrations/2.postgres.sql"))
}

#[test]
fn old_comments_are_the_same_on_postgresql() {
    let rows = |sql| {
        sql::query(sql, params![])
            .unwrap()
            .all::<(String, String)>()
            .unwrap()
            .len()
    };
    TestHost::new(with_data()).run(|| {
        let comments = "SELECT id, concat_ws('|', seq, number, last_reply_uid, last_reply_at, images, resolved_at, replies) \
                        FROM comments ORDER BY seq";
        assert_eq!(rows(comments), 3);
        assert_eq!(rows("SELECT project_id, CAST(last AS text) FROM numbers ORDER BY project_id"), 2);
        assert_eq!(rows("SELECT id, concat_ws('|', updated_at, edited_at) FROM replies ORDER BY seq"), 2);
    });
    TestHost::new(with_data().migration(4, BACK)).run(|| {
        let comments =
            "SELECT id, concat_ws('|', seq, body, replies, reply_bytes, updated_at) FROM comments ORDER BY seq";
        assert_eq!(rows(comments), 3);
        assert_eq!(
            rows("SELECT id, concat_ws('|', body, created_at) FROM replies ORDER BY seq"),
            2
        );
    });
}
