//! Connections that end, and commits that do not.

use super::*;
use crate::receipt::Receipt;

/// A server whose commits wait for a standby that never comes, and a database whose commits do not.
async fn without_a_quorum() -> (Postgres, Database) {
    let postgres = Postgres::start_with(&["synchronous_standby_names=nobody"]);
    let database = at(format!("{}?options=-c%20synchronous_commit%3Dlocal", postgres.url()));
    fill(&database).await;
    (postgres, database)
}

/// Ends the connection that waits in a commit, once there is one.
async fn end_commit(postgres: &Postgres) {
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while postgres.psql(end) != "1" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_without_a_quorum_ends_in_doubt_and_is_not_run_again() {
    let (postgres, database) = without_a_quorum().await;
    let bounds = Bounds {
        commit: Duration::from_millis(500),
        settle: Duration::from_secs(1),
        ..Bounds::default()
    };
    let impatient = Database::new(&postgres.url(), bounds).unwrap();
    let runs = Arc::new(AtomicU32::new(0));
    assert_eq!(count(&impatient, runs.clone()).await, Err(Failure::InDoubt));
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    // The server goes on waiting; others do not see the change until it has ended.
    assert_eq!(counter(&database).await, 0);
    end_commit(&postgres).await;
    while counter(&database).await == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(counter(&database).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_backend_is_killed_is_settled() {
    let (postgres, database) = without_a_quorum().await;
    let runs = Arc::new(AtomicU32::new(0));
    let (counting, counted) = (at(postgres.url()), runs.clone());
    let counting = tokio::spawn(async move { count(&counting, counted).await });
    end_commit(&postgres).await;
    assert_eq!(counting.await.unwrap(), Ok(1));
    assert_eq!((counter(&database).await, runs.load(Ordering::Relaxed)), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_whose_backend_is_killed_before_its_commit_runs_again() {
    let postgres = Arc::new(Postgres::start());
    let database = fresh(&postgres).await;
    let runs = Arc::new(AtomicU32::new(0));
    let (killer, counted) = (postgres.clone(), runs.clone());
    let write = move |session: &mut Session| {
        session.execute("UPDATE counters SET value = value + 1", &[])?;
        if counted.fetch_add(1, Ordering::Relaxed) == 0 {
            let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'UPDATE counters%'";
            killer.psql(others);
        }
        session.execute("UPDATE counters SET value = value + 1", &[])?;
        Ok::<_, Failure>(())
    };
    assert_eq!(database.write(write).await, Ok(()));
    assert_eq!((counter(&database).await, runs.load(Ordering::Relaxed)), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_hears_of_connections_that_ended_while_they_were_idle() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    for expected in 0..3 {
        assert_eq!(counter(&database).await, expected);
        kill_idle(&postgres);
        assert_eq!(count(&database, Arc::default()).await, Ok(expected + 1));
        kill_idle(&postgres);
    }
}

fn kill_idle(postgres: &Postgres) {
    let killed = postgres.psql(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    assert_ne!(killed, "0");
}

/// A database that was killed gives ids again of transactions that were not durable, and calls them committed then.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_is_known_by_its_receipt_and_not_by_its_id_alone() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    let committed = |session: &mut Session| {
        session.batch("BEGIN")?;
        session.execute("UPDATE counters SET value = value + 1", &[])?;
        let receipt = session.leave_receipt()?;
        session.commit()?;
        Ok(receipt)
    };
    let there = database.on_thread(committed).await.unwrap().unwrap();
    assert_eq!(database.settle(there.clone()).await, Ok(true));
    let with = |id: String| Receipt {
        id,
        token: Some("of another one".to_owned()),
    };
    assert_eq!(database.settle(with(there.id.clone())).await, Ok(false));
    let later = there.id.parse::<u64>().unwrap() + 1_000_000;
    assert_eq!(database.settle(with(later.to_string())).await, Ok(false));
    // One that changed nothing leaves none, and old ones go.
    let unchanged = |session: &mut Session| {
        session.batch("BEGIN")?;
        let receipt = session.leave_receipt()?;
        session.batch("ROLLBACK").map(|()| receipt)
    };
    assert_eq!(database.on_thread(unchanged).await, Ok(None));
    postgres.psql("UPDATE galley_receipts SET at = now() - interval '2 hours'");
    database.forget_receipts().await.unwrap();
    assert_eq!(postgres.psql("SELECT count(*) FROM galley_receipts"), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_not_over_is_waited_for() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    let begin = |session: &mut Session| {
        session.batch("BEGIN")?;
        session.execute("UPDATE counters SET value = value + 1", &[])?;
        session.leave_receipt()
    };
    let mut open = database.connect().await.unwrap();
    let (open, receipt) = tokio::task::spawn_blocking(move || {
        let receipt = begin(&mut open);
        (open, receipt)
    })
    .await
    .unwrap();
    let asked = database.clone();
    let receipt = receipt.unwrap().unwrap();
    let settling = tokio::spawn(async move { asked.settle(receipt).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!settling.is_finished());
    let mut open = open;
    tokio::task::spawn_blocking(move || open.commit())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(settling.await.unwrap(), Ok(true));
}
