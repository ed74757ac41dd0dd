//! Against a real PostgreSQL.

mod channel;
mod encryption;
mod losses;
mod opening;
mod patience;
pub(crate) mod proxy;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use galley_harness::postgres::Postgres;

use super::*;
use proxy::{Cut, Proxy};

const SCHEMA: &str = "CREATE TABLE counters (name text PRIMARY KEY, value int8 NOT NULL CHECK (value < 1000))";

async fn fresh(postgres: &Postgres) -> Database {
    let database = at(postgres.url());
    fill(&database).await;
    database
}

async fn fill(database: &Database) {
    database.migrate(Vec::new()).await.unwrap();
    for sql in [SCHEMA, "INSERT INTO counters VALUES ('a', 0)"] {
        run(database, sql, vec![]).await.unwrap();
    }
}

fn at(url: String) -> Database {
    let bounds = Bounds {
        statement: Duration::from_secs(5),
        ..Bounds::default()
    };
    Database::new(&url, bounds).unwrap()
}

async fn run(database: &Database, sql: &'static str, parameters: Vec<Value>) -> Result<u64, Failure> {
    database.write(move |session| session.execute(sql, &parameters)).await
}

async fn counter(database: &Database) -> i64 {
    let rows = database.read(|session| session.query("SELECT value FROM counters WHERE name = ?1", &["a".into()]));
    match rows.await.unwrap()[..] {
        [ref row] => match row[..] {
            [Value::Integer(value)] => value,
            ref other => panic!("{other:?}"),
        },
        ref other => panic!("{other:?}"),
    }
}

/// Reads, decides, writes.
async fn count(database: &Database, runs: Arc<AtomicU32>) -> Result<i64, Failure> {
    let write = move |session: &mut Session| {
        runs.fetch_add(1, Ordering::Relaxed);
        let rows = session.query("SELECT value FROM counters WHERE name = 'a'", &[])?;
        let Value::Integer(value) = rows[0][0] else {
            panic!("{rows:?}")
        };
        session.execute("UPDATE counters SET value = ?1 WHERE name = 'a'", &[(value + 1).into()])?;
        Ok::<_, Failure>(value + 1)
    };
    database.write(write).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_whole_and_says_why_it_failed() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    for kind in ["int8", "float8", "text", "bytea"] {
        let value = match kind {
            "int8" => Value::Integer(i64::MIN),
            "float8" => Value::Real(-0.5),
            "text" => Value::Text("it's ?1 é \0".to_owned()),
            _ => Value::Blob(vec![0, 255]),
        };
        let (sql, sent) = (format!("SELECT ?1::{kind}, ?2::{kind}, '?1'"), value.clone());
        let rows = database.read(move |session| session.query(&sql, &[sent.clone(), Value::Null]));
        let expected = vec![vec![value, Value::Null, Value::Text("?1".to_owned())]];
        assert_eq!(rows.await, Ok::<_, Failure>(expected), "{kind}");
    }
    let keys = "SELECT key FROM json_each(?1) UNION ALL SELECT key FROM jsonb_each(?2)";
    let keys = database.read(move |session| session.query(keys, &[r#"{"a":0}"#.into(), r#"{"a":0}"#.into()]));
    assert_eq!(keys.await, Ok::<_, Failure>(vec![vec!["a".into()], vec!["a".into()]]));
    let failed = |sql: &'static str, parameters| run(&database, sql, parameters);
    let twice = failed("INSERT INTO counters VALUES (?1, 1)", vec!["a".into()]).await;
    assert!(matches!(twice, Err(Failure::Constraint(_))), "{twice:?}");
    let bound = failed("UPDATE counters SET value = 1000", vec![]).await;
    assert!(matches!(bound, Err(Failure::Constraint(_))), "{bound:?}");
    for (sql, parameters) in [
        ("SELEC 1", vec![]),
        ("SELECT * FROM nothing", vec![]),
        ("SELECT ?", vec![]),
        ("SELECT 1 / ?1::int8", vec![0.into()]),
        ("UPDATE counters SET value = ?1", vec!["a text".into()]),
    ] {
        let answer = failed(sql, parameters).await;
        assert!(matches!(answer, Err(Failure::Statement(_))), "{sql}: {answer:?}");
    }
    // A closure that goes on after a failure is not told that its changes are there.
    let went_on = database.write(|session| {
        session.execute("UPDATE counters SET value = 7", &[])?;
        let _ = session.execute("INSERT INTO counters VALUES ('a', 1)", &[]);
        Ok::<_, Failure>(())
    });
    assert!(matches!(went_on.await, Err(Failure::Constraint(_))));
    let refused = database.read(|session| session.execute("UPDATE counters SET value = 7", &[]));
    // As on a standby.
    assert!(matches!(refused.await, Err(Failure::Unavailable(_))));
    assert_eq!(counter(&database).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_is_stopped() {
    let postgres = Postgres::start();
    let bounds = Bounds {
        statement: Duration::from_secs(1),
        ..Bounds::default()
    };
    let database = Database::new(&postgres.url(), bounds).unwrap();
    let stopped = database.read(|session| session.query("SELECT pg_sleep(60)::text", &[]));
    assert_eq!(stopped.await, Err(Failure::Interrupted));
    let next = database.read(|session| session.query("SELECT 1::int8", &[]));
    assert_eq!(next.await, Ok::<_, Failure>(vec![vec![Value::Integer(1)]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_are_in_each_others_way_are_tried_again() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    let runs = Arc::new(AtomicU32::new(0));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (database, runs) = (database.clone(), runs.clone());
        tasks.spawn(async move {
            let mut done = 0;
            for _ in 0..20 {
                match count(&database, runs.clone()).await {
                    Ok(_) => done += 1,
                    // Tried as often as it is tried.
                    Err(failure) => assert_eq!(failure, Failure::Conflict),
                }
            }
            done
        });
    }
    let done: i64 = tasks.join_all().await.into_iter().sum();
    assert_eq!(counter(&database).await, done);
    assert!(done > 20, "{done}");
    assert!(
        i64::from(runs.load(Ordering::Relaxed)) > done,
        "some were in the way of others"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_happens_once() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    for (cut, runs_expected) in [(Cut::BeforeAnswer, 1), (Cut::BeforeCommit, 2)] {
        let before = counter(&database).await;
        let proxy = Proxy::before(postgres.address(), cut);
        let through = at(postgres.url_at(proxy.address));
        let runs = Arc::new(AtomicU32::new(0));
        assert_eq!(count(&through, runs.clone()).await, Ok(before + 1), "{cut:?}");
        assert_eq!(counter(&database).await, before + 1, "{cut:?}");
        assert_eq!(runs.load(Ordering::Relaxed), runs_expected, "{cut:?}");
        assert_eq!(proxy.cuts.load(Ordering::Relaxed), 1, "{cut:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_is_said_to_be_and_comes_back() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    postgres.stop();
    let runs = Arc::new(AtomicU32::new(0));
    let away = count(&database, runs.clone()).await;
    assert!(matches!(away, Err(Failure::Unavailable(_))), "{away:?}");
    postgres.resume();
    assert_eq!(count(&database, runs).await, Ok(1));
}
