//! A server that answers nothing any more, and one that only takes long.

use std::time::Instant;

use super::*;
use crate::turn::{Turn, Wait};

/// Less than what was waited before it was asked whether the server is there, however busy this machine is.
const SOON: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_is_noticed_soon_and_its_connections_are_not_used_again() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    // Some that are idle then.
    let readers = futures_util::future::join_all((0..4).map(|_| counter(&database)));
    assert_eq!(readers.await, [0; 4]);
    postgres.freeze();
    let asked = Instant::now();
    let read = database.read(|session| session.query("SELECT 1", &[])).await;
    assert!(matches!(read, Err(Failure::Unavailable(_))), "{read:?}");
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    let idle = database.idle().await;
    assert!(idle.iter().all(|is_old| *is_old), "{idle:?}");
    postgres.thaw();
    while database.read(|session| session.query("SELECT 1", &[])).await.is_err() {}
    assert_eq!(count(&database, Arc::default()).await, Ok(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_long_is_waited_for() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    let slow = "SELECT 7 FROM pg_sleep(2.5)";
    let rows = database.read(move |session| session.query(slow, &[])).await;
    assert_eq!(rows, Ok::<_, Failure>(vec![vec![7.into()]]));
    let slow = "UPDATE counters SET value = 7 FROM pg_sleep(2.5)";
    let (turn, (reply, answer)) = (Turn::default(), tokio::sync::oneshot::channel());
    let its = turn.clone();
    tokio::spawn(async move {
        let write = move |session: &mut Session| session.execute(slow, &[]);
        let _ = reply.send(database.write_in_turn(&its, write).await);
    });
    assert_eq!(turn.wait(answer, Wait::Short).await, Ok(Ok::<_, Failure>(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_a_write_that_has_not_begun_knows_that_it_never_will() {
    let postgres = Postgres::start();
    let database = fresh(&postgres).await;
    for wait in [Wait::Short, Wait::Long] {
        let (turn, (_reply, answer)) = (Turn::default(), tokio::sync::oneshot::channel::<()>());
        let left = turn.wait(answer, wait).await;
        assert!(matches!(left, Err(Failure::Unavailable(_))), "{left:?}");
        assert!(turn.is_left() && !turn.begin() && !turn.end() && !turn.again());
        let late = database.write_in_turn(&turn, |session| session.execute("UPDATE counters SET value = 9", &[]));
        assert!(matches!(late.await, Err(Failure::Unavailable(_))));
    }
    assert_eq!(counter(&database).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_a_commit_is_in_doubt_and_who_has_time_waits() {
    let (turn, (_reply, answer)) = (Turn::default(), tokio::sync::oneshot::channel::<()>());
    assert!(turn.begin() && turn.end());
    let asked = Instant::now();
    assert_eq!(turn.wait(answer, Wait::Short).await, Err(Failure::InDoubt));
    assert!(asked.elapsed() < SOON && turn.is_stuck());
    // What was undone is not run again.
    assert!(!turn.again());

    let (turn, (reply, answer)) = (Turn::default(), tokio::sync::oneshot::channel());
    assert!(turn.begin() && turn.end());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(4)).await;
        reply.send(1).unwrap();
    });
    assert_eq!(turn.wait(answer, Wait::Long).await, Ok(1));
}
