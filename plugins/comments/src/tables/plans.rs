//! How SQLite runs the statements of reads: a table of comments is never read from its beginning to its end.

use rusqlite::Connection;

use super::Tables;
use crate::store::Store;

fn plan(sql: &str) -> Vec<String> {
    let database = Connection::open_in_memory().unwrap();
    for migration in [
        include_str!("../../migrations/1.sql"),
        include_str!("../../migrations/2.sql"),
    ] {
        database.execute_batch(migration).unwrap();
    }
    let mut statement = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let parameters = vec![rusqlite::types::Null; statement.parameter_count()];
    let rows = statement.query_map(rusqlite::params_from_iter(parameters), |row| row.get(3));
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn reads_use_an_index() {
    for sql in [
        Tables::COMMENTS,
        Tables::FITTING,
        Tables::IS_FOLLOWED,
        Tables::SEQ,
        Tables::COMMENT_OF_CLIENT,
        Tables::STATES,
        Tables::SEEN,
        Tables::REPLIES,
        Tables::REPLY_OF_CLIENT,
        Tables::REPLY_AUTHOR_AND_MENTIONS,
        Tables::IMAGES,
        Tables::IMAGE,
        Tables::IMAGE_BYTES,
        Tables::UNSHOWN_IMAGES,
    ] {
        let plan = plan(sql);
        let scans = |line: &String| {
            ["comments", "replies", "seen", "image_files"]
                .iter()
                .any(|table| line.starts_with(&format!("SCAN {table}")))
        };
        assert!(!plan.iter().any(scans), "{sql}\n{plan:#?}");
    }
}

#[test]
fn a_page_is_read_in_its_order_without_sorting() {
    for sql in [Tables::COMMENTS, Tables::REPLIES] {
        assert!(
            !plan(sql).iter().any(|line| line.contains("TEMP B-TREE")),
            "{sql}\n{:#?}",
            plan(sql)
        );
    }
}

#[test]
fn the_summary_reads_an_index_and_no_comment() {
    let plan = plan(Tables::SUMMARY);
    let line = |text: &str| plan.iter().any(|line| line.contains(text));
    assert!(
        line("SEARCH comments USING COVERING INDEX comments_in_summary (project_id=? AND number<?)"),
        "{plan:#?}"
    );
    assert!(line("SEARCH seen USING PRIMARY KEY"), "{plan:#?}");
    assert!(!line("TEMP B-TREE"), "{plan:#?}");
}
