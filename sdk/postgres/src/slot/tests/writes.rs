//! Writes: grouped, whole, in order, and settled.

use super::*;
use crate::tests::proxy::{Cut, Proxy};

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_whole_and_its_expectations_hold() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    let insert = |text: &str| step("INSERT INTO note (text) VALUES (?1)", vec![text.into()]);
    let expecting = |sql: &str, changes| Step {
        expected_changes: Some(changes),
        ..step(sql, vec![])
    };
    let batch = |steps| database.batch(steps, vec![], soon());
    batch(vec![
        insert("a"),
        expecting("UPDATE note SET size = 1", 1),
        expecting("SELECT text FROM note", 0),
        expecting("DELETE FROM note WHERE text = 'nobody'", 0),
    ])
    .await
    .unwrap();
    let wrong = batch(vec![insert("b"), expecting("UPDATE note SET size = 2", 1)]).await;
    let expected = Failure::Expectation {
        step: 1,
        expected: 1,
        changed: 2,
    };
    assert_eq!(wrong, Err(expected));
    let refused = batch(vec![insert("c"), insert("a")]).await;
    assert_eq!(refused.map_err(|failure| failure.code()), Err(Some("constraint")));
    assert_eq!(texts(&database).await, ["a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_each_is_answered_for_itself_and_none_waits_for_a_slow_one() {
    let server = Postgres::shared();
    let (address, database) = notes(&server).await;
    // Two servers.
    let (other, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    let databases = [Arc::new(database), Arc::new(other)];
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..100_usize {
        let database = databases[number % 2].clone();
        tasks.spawn(async move {
            let text = if number % 5 == 0 {
                "the same".to_owned()
            } else {
                number.to_string()
            };
            let insert = step("INSERT INTO note (text) VALUES (?1)", vec![text.as_str().into()]);
            let wrong = Step {
                expected_changes: Some(1),
                ..step("UPDATE note SET size = 1 WHERE text = 'nobody'", vec![])
            };
            let steps = if number % 5 == 1 {
                vec![insert, wrong]
            } else {
                vec![insert]
            };
            let added = database.batch(steps, vec![], soon()).await;
            (
                number,
                added.map(|answers| answers.len()).map_err(|failure| failure.code()),
            )
        });
    }
    let mut same = 0;
    for (number, added) in tasks.join_all().await {
        match (number % 5, added) {
            (0, Ok(1)) => same += 1,
            (0, Err(Some("constraint"))) | (1, Err(Some("expectation"))) | (2.., Ok(1)) => {}
            other => panic!("{number}: {other:?}"),
        }
    }
    // 60 of their own, and one of those that are the same.
    assert_eq!((same, texts(&databases[0]).await.len()), (1, 61));
    let slow = {
        let database = databases[0].clone();
        let sql = "UPDATE note SET size = (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c)";
        tokio::spawn(async move {
            database
                .execute(sql, vec![], Instant::now() + Duration::from_secs(1))
                .await
        })
    };
    // It may come when the slow one has begun by itself: then it waits for that one's end, which is before it would be sent away.
    let quick = add(&databases[0], "quick");
    assert_eq!(quick.await, Ok(1));
    assert_eq!(slow.await.unwrap(), Err(Failure::Interrupted));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_happens_once() {
    let server = Postgres::shared();
    for cut in [Cut::BeforeAnswer, Cut::BeforeCommit] {
        let name = fresh_name();
        let direct = provision(&server, &name).run().await.unwrap();
        let (database, _) = open(&direct, &schema(&[NOTES])).await.unwrap();
        database.promote().await.unwrap();
        // The commit of the write. Before it are two beginnings, of READ COMMITTED, and the commit of the opening.
        let proxy = Proxy::after(server.address(), cut, 3);
        let through = slot_at(&server.url_at(proxy.address), &name);
        let schema = schema(&[NOTES]);
        let (through, _) = open(&through, &schema).await.unwrap();
        assert_eq!(proxy.cuts.load(Ordering::Relaxed), 0, "{cut:?}");
        assert_eq!(add(&through, "once").await, Ok(1), "{cut:?}");
        assert_eq!(proxy.cuts.load(Ordering::Relaxed), 1, "{cut:?}");
        assert_eq!(texts(&database).await, ["once"], "{cut:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_backend_is_killed_is_run_again() {
    let server = Postgres::shared();
    let name = fresh_name();
    let address = provision(&server, &name).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    let kill = format!("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'");
    for number in 0..3 {
        assert_eq!(add(&database, &number.to_string()).await, Ok(1));
        texts(&database).await;
        assert_ne!(server.psql(&kill), "0");
    }
    assert_eq!(texts(&database).await, ["0", "1", "2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_stored_with_their_write_in_order() {
    let server = Postgres::shared();
    let (address, _) = notes(&server).await;
    let bounds = Bounds {
        waiting_events: 3,
        ..Bounds::default()
    };
    let (database, _) = Database::open(&address, bounds, &schema(&[NOTES]), Duration::from_secs(20))
        .await
        .unwrap();
    let event = |topic: &str| Event {
        topic: topic.to_owned(),
        data: "{}".to_owned(),
    };
    let write = |text: &str, events| {
        let steps = vec![step("INSERT INTO note (text) VALUES (?1)", vec![text.into()])];
        database.batch(steps, events, soon())
    };
    write("a", vec![event("a/1"), event("a/2")]).await.unwrap();
    write("a", vec![event("lost")]).await.unwrap_err();
    write("b", vec![event("b/1")]).await.unwrap();
    assert_eq!(write("c", vec![event("c/1")]).await, Err(Failure::Backlog));
    let stored = database.events().await.unwrap();
    let topics: Vec<_> = stored.iter().map(|(_, event)| event.topic.as_str()).collect();
    assert_eq!(topics, ["a/1", "a/2", "b/1"]);
    database.forget_events(stored[1].0).await.unwrap();
    assert_eq!(database.events().await.unwrap(), stored[2..]);
    assert_eq!(texts(&database).await, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slot_that_has_used_up_its_room_can_delete() {
    let server = Postgres::shared();
    let (_, database) = notes(&server).await;
    database.set_max_bytes(1 << 20);
    let large = "INSERT INTO note (text) SELECT md5(n::text) FROM generate_series(?1::int8, ?1 + 20000) AS g(n)";
    let mut full = Ok(0);
    for number in 0..100 {
        full = database.execute(large, vec![(number * 100_000).into()], soon()).await;
        if full.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(full, Err(Failure::Full));
    assert_eq!(full.unwrap_err().code(), None);
    assert_eq!(
        database.execute("DELETE FROM note WHERE id = 1", vec![], soon()).await,
        Ok(1)
    );
    assert_eq!(
        database.execute("CREATE TABLE t (a int8)", vec![], soon()).await,
        Err(Failure::Full)
    );
    database.set_max_bytes(1 << 30);
    assert_eq!(add(&database, "again").await, Ok(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_without_a_quorum_ends_in_doubt_and_is_not_run_again() {
    let server = Postgres::start_with(&["synchronous_standby_names=nobody"]);
    let unheld = format!("{}?options=-c%20synchronous_commit%3Dlocal", server.url());
    let name = fresh_name();
    let provision = Provision {
        address: Address::parse(&unheld, None).unwrap(),
        ..provision(&server, &name)
    };
    let address = provision.run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    let bounds = Bounds {
        commit: Duration::from_millis(500),
        settle: Duration::from_secs(1),
        ..Bounds::default()
    };
    // What changes nothing does not wait for a standby.
    let held = slot_at(&server.url(), &name);
    let opened = Database::open(&held, bounds, &schema(&[NOTES]), Duration::from_secs(20)).await;
    let (held, _) = opened.unwrap();
    assert_eq!(add(&held, "once").await, Err(Failure::Database(Common::InDoubt)));
    // The server goes on waiting, and nobody sees the row until it has ended.
    assert_eq!(texts(&database).await, Vec::<String>::new());
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    assert_eq!(server.psql(end), "1");
    while texts(&database).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(texts(&database).await, ["once"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_quorum_writers_are_answered_soon_and_told_apart() {
    let server = Postgres::start_with(&[]);
    let name = fresh_name();
    let address = provision(&server, &name).run().await.unwrap();
    let (database, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    database.promote().await.unwrap();
    // Of another server.
    let (other, _) = open(&address, &schema(&[NOTES])).await.unwrap();
    let quorum = |names: &str| {
        server.psql(&format!("ALTER SYSTEM SET synchronous_standby_names = '{names}'"));
        server.psql("SELECT pg_reload_conf()");
    };
    assert_eq!(add(&database, "before").await, Ok(1));
    quorum("nobody");
    let asked = Instant::now();
    let mut number = 0;
    // The setting is heard within a moment.
    let in_doubt = loop {
        number += 1;
        if let Err(failure) = add(&database, &format!("doubt {number}")).await {
            break failure;
        }
    };
    assert_eq!(in_doubt, Failure::Database(Common::InDoubt));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    // Those behind it, here and at the other server, never happen.
    for database in [&database, &other] {
        let asked = Instant::now();
        let late = add(database, "late").await;
        assert!(
            matches!(late, Err(Failure::Database(Common::Unavailable(_)))),
            "{late:?}"
        );
        assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
        let transaction = database.begin(Instant::now() + Duration::from_millis(250)).await;
        assert_eq!(transaction.err(), Some(Failure::Interrupted));
    }
    quorum("");
    while add(&other, "after").await.is_err() {}
    let there = texts(&database).await;
    assert!(
        there.contains(&"after".to_owned()) && !there.contains(&"late".to_owned()),
        "{there:?}"
    );
}
