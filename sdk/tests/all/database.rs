//! The plugin's database.

use galley_sdk::prelude::*;
use galley_sdk::sql::Transaction;
use galley_sdk::testing::TestHost;

fn host() -> TestHost {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT UNIQUE, real REAL, bytes BLOB)";
    let plugin = Plugin::new("demo", "1.0.0").migration(1, schema);
    TestHost::new(plugin.publishes("demo/written", "{}").publishes("demo/told", "{}"))
}

#[track_caller]
fn code<T: std::fmt::Debug>(result: Result<T, Problem>) -> String {
    result.unwrap_err().code
}

#[test]
fn every_kind_of_cell_comes_back() {
    host().run(|| {
        let values = params![-5_i64, "text\0 ä", 0.5, vec![0_u8, 255], None::<bool>];
        let rows = sql::query("SELECT ?1, ?2, ?3, ?4, ?5", values).unwrap();
        let row = rows.one::<(i64, &str, f64, &[u8], Option<bool>)>().unwrap();
        assert_eq!(row, Some((-5, "text\0 ä", 0.5, [0, 255].as_slice(), None)));
    });
}

#[test]
fn a_cell_of_another_type_is_named() {
    host().run(|| {
        let rows = sql::query("SELECT 1, 'a', NULL", params![]).unwrap();
        assert_eq!(
            rows.one::<(&str,)>().unwrap_err().message,
            "a cell holds an integer, not text"
        );
        assert_eq!(
            rows.one::<(u32, i64)>().unwrap_err().message,
            "a cell holds text, not an integer"
        );
        assert_eq!(
            code(
                rows.map(|row| row.take::<i64>().and(row.take::<String>()).and(row.take::<f64>()))
                    .next()
                    .unwrap()
            ),
            "rows"
        );
        let negative = sql::query("SELECT -1", params![]).unwrap();
        assert!(negative.one::<(u32,)>().is_err() && negative.one::<(u64,)>().is_err());
        let invalid = sql::query("SELECT CAST(x'ff' AS TEXT)", params![]).unwrap();
        assert_eq!(invalid.one::<(&str,)>().unwrap_err().message, "a text is not UTF-8");
    });
}

#[test]
fn columns_may_be_left_but_not_invented() {
    host().run(|| {
        let rows = sql::query("SELECT 1, 2 UNION SELECT 3, 4", params![]).unwrap();
        assert_eq!(rows.all::<(i64,)>().unwrap(), [(1,), (3,)]);
        assert!(rows.all::<(i64, i64, i64)>().is_err());
        assert!(sql::query("SELECT 1 WHERE 0", params![]).unwrap().is_empty());
    });
}

#[test]
fn a_batch_is_all_or_nothing() {
    let host = host();
    host.run(|| {
        let failed = sql::batch()
            .step("INSERT INTO t (id) VALUES (1)", params![])
            .step("UPDATE t SET text = 'x' WHERE id = 2", params![])
            .expect(1)
            .publish("demo/written", &1)
            .run();
        assert_eq!(code(failed), "expectation");
        let failed = sql::batch()
            .step("INSERT INTO t (id) VALUES (1)", params![])
            .step("INSERT INTO t (id) VALUES (1)", params![])
            .run();
        assert_eq!(code(failed), "constraint");
        assert_eq!(
            sql::one::<(i64,)>("SELECT count(*) FROM t", params![]).unwrap(),
            Some((0,))
        );
    });
    assert!(host.published().is_empty());
}

#[test]
fn a_batch_answers_what_its_steps_return_and_publishes() {
    let host = host();
    host.run(|| {
        let rows = sql::batch()
            .step("INSERT INTO t (id, text) VALUES (1, 'a') RETURNING text", params![])
            .expect(1)
            .step("DELETE FROM t", params![])
            .publish("demo/written", &serde_json::json!({ "id": 1 }))
            .run()
            .unwrap();
        assert_eq!(
            (rows[0].one::<(&str,)>().unwrap(), rows[1].is_empty()),
            (Some(("a",)), true)
        );
    });
    assert_eq!(host.published()[0].data, r#"{"id":1}"#);
}

#[test]
fn a_transaction_is_rolled_back_unless_it_is_committed() {
    host().run(|| {
        let insert = "INSERT INTO t (text) VALUES (?1)";
        let transaction = Transaction::begin().unwrap();
        transaction.execute(insert, params!["lost"]).unwrap();
        drop(transaction);
        let transaction = Transaction::begin().unwrap();
        assert_eq!(transaction.execute(insert, params!["kept"]).unwrap(), 1);
        assert_eq!(
            transaction
                .query("SELECT text FROM t", params![])
                .unwrap()
                .all::<(&str,)>()
                .unwrap(),
            [("kept",)]
        );
        transaction.commit().unwrap();
        assert_eq!(
            sql::all::<(String,)>("SELECT text FROM t", params![]).unwrap(),
            [("kept".to_owned(),)]
        );
    });
}

#[test]
fn what_the_host_refuses_is_refused_here() {
    host().run(|| {
        for statement in [
            "PRAGMA user_version = 5",
            "ATTACH ':memory:' AS other",
            "VACUUM",
            "BEGIN",
            "SAVEPOINT s",
        ] {
            assert_eq!(code(sql::execute(statement, params![])), "refused", "{statement}");
        }
        assert_eq!(code(sql::query("DELETE FROM t", params![])), "refused");
        assert_eq!(code(sql::query("SELECT nonsense", params![])), "sql");
    });
}

#[test]
fn a_batch_without_steps_only_publishes() {
    let host = host();
    let rows = host.run(|| sql::batch().publish("demo/told", &1).run()).unwrap();
    assert_eq!((rows.len(), host.published().len()), (0, 1));
}
