//! A core that moves from a file to a PostgreSQL and back.

use std::path::PathBuf;

use galley_postgres::{Database as Postgres, Session};
use rusqlite::Connection;

use super::*;
use crate::accounts::{Actor, Role};
use crate::core::testing::{Home, empty, postgres, sqlite};
use crate::storage::seal::Sealer;
use crate::storage::sqlite::copy_database;

fn key(byte: u8) -> Arc<Sealer> {
    Arc::new(Sealer::with_key([byte; 32]))
}

fn event(number: u32) -> NewEvent {
    NewEvent {
        topic: "some/thing".into(),
        data: number.to_string(),
    }
}

/// The core's file of a backup.
fn backup(folder: &Path) -> PathBuf {
    let copy = folder.join("copy.db");
    copy_database(&folder.join("core.db"), &copy, None).unwrap();
    Import::migrate(&copy).unwrap();
    copy
}

async fn import(into: &Home, backup: PathBuf) -> Result<(), CoreError> {
    let import = Import::begin(&into.address(), key(1), "a backup").await?;
    import.finish(backup, |_| ()).await.map(drop)
}

/// What is delivered to a slot, in order.
async fn delivered(core: &Core, slot: &str) -> Vec<String> {
    let topics = ["some/thing".to_owned()];
    let mut data = Vec::new();
    let lease = core.lease(slot).await.unwrap().unwrap();
    while let Some(event) = core.coming_event(slot, &topics).await.unwrap() {
        core.acknowledge(&lease, slot, event.id).await.unwrap();
        data.push(event.data);
    }
    data
}

/// Copies the core of a PostgreSQL into a data folder.
async fn export(home: &Home, folder: &Path) -> u64 {
    let export = Export::of(&home.address(), key(1)).await.unwrap();
    export.copy(&folder.join("core.db"), |_| ()).await.unwrap().0.rows
}

async fn write(home: &Home, sql: &'static str) {
    let database = Postgres::at(home.address(), Bounds::default());
    let write = move |session: &mut Session| session.batch(sql);
    database.write(write).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_projects_sessions_and_events_move_to_postgresql_and_back() {
    let Opened { core, home } = sqlite().await;
    let ana = core.create_first_account("ana@x.org".into(), "Ana\0 A.".into());
    let ana = ana.await.unwrap();
    let session = core.create_session(&ana.id).await.unwrap();
    let shop = core.create_project(project("shop")).await.unwrap();
    core.add_listed(&shop.id, &ana.id).await.unwrap();
    for slot in ["early", "late"] {
        core.start_cursor(slot, &["some/thing".into()]).await.unwrap();
    }
    core.publish("some", (1..=3).map(event).collect()).await.unwrap();
    assert_eq!(delivered(&core, "early").await, ["1", "2", "3"]);
    core.publish("some", vec![event(4)]).await.unwrap();

    let there = empty().await;
    import(&there, backup(home.folder())).await.unwrap();
    let moved = there.open().await.unwrap();
    assert_eq!(moved.join(key(1)).await.unwrap(), moved.join(key(1)).await.unwrap());
    assert_eq!(moved.accounts().await.unwrap(), core.accounts().await.unwrap());
    assert_eq!(
        moved.session(&session).await.unwrap().map(|(who, _)| who),
        Some(ana.clone())
    );
    assert_eq!(moved.project(&shop.id), Some(shop.clone()));
    assert!(moved.is_listed(&shop.id, &ana.id));
    moved.publish("some", vec![event(5)]).await.unwrap();
    assert_eq!(delivered(&moved, "early").await, ["4", "5"]);
    assert_eq!(delivered(&moved, "late").await, ["1", "2", "3", "4", "5"]);
    let last = moved.create_project(project("last")).await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let rows = export(&there, folder.path()).await;
    assert!(rows >= 8, "{rows}");
    let back = Core::open(folder.path()).await.unwrap();
    assert_eq!(back.accounts().await.unwrap(), core.accounts().await.unwrap());
    assert_eq!(back.session(&session).await.unwrap().map(|(who, _)| who), Some(ana));
    assert_eq!(
        (back.project(&shop.id), back.project(&last.id)),
        (Some(shop), Some(last))
    );
    back.publish("some", vec![event(6)]).await.unwrap();
    assert_eq!(delivered(&back, "late").await, ["6"]);
    // Nothing of the cluster came along.
    let file = Connection::open(folder.path().join("core.db")).unwrap();
    let sql = "SELECT (SELECT count(*) FROM cluster) + (SELECT count(*) FROM leases) + (SELECT value FROM generation)";
    assert_eq!(file.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_whose_ids_have_another_order_than_their_transactions_are_delivered_in_the_latter() {
    let Opened { core, home } = postgres().await;
    for slot in ["first", "second", "new"] {
        core.start_cursor(slot, &["some/thing".into()]).await.unwrap();
    }
    core.publish("some", (1..=5).map(event).collect()).await.unwrap();
    // As if 2 and 4 were of transactions that began later.
    write(
        &home,
        "UPDATE events SET xact = 11; UPDATE events SET xact = 12 WHERE data IN ('2', '4');
         UPDATE cursors SET last_xact = 10, last_id = 9223372036854775807;
         UPDATE cursors SET last_xact = 11, last_id = (SELECT id FROM events WHERE data = '3') WHERE slot = 'first';
         UPDATE cursors SET last_xact = 12, last_id = (SELECT id FROM events WHERE data = '2') WHERE slot = 'second';
         INSERT INTO failed_deliveries (slot, event_id, publisher, topic, data, published_at, attempts, failing_since, reason)
             SELECT 'first', id, publisher, topic, data, 1, 7, 1, 'no' FROM events WHERE data = '5'",
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    core.join(key(1)).await.unwrap();
    export(&home, folder.path()).await;
    let back = Core::open(folder.path()).await.unwrap();
    let next = back
        .coming_event("first", &["some/thing".into()])
        .await
        .unwrap()
        .unwrap();
    assert_eq!((next.data.as_str(), next.attempts), ("5", 7));
    back.publish("some", vec![event(6)]).await.unwrap();
    assert_eq!(delivered(&back, "first").await, ["5", "2", "4", "6"]);
    assert_eq!(delivered(&back, "second").await, ["4", "6"]);
    assert_eq!(delivered(&back, "new").await, ["1", "3", "5", "2", "4", "6"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn none_but_an_empty_database_is_filled_and_no_server_starts_on_half_of_it() {
    let Opened { core, home } = sqlite().await;
    core.create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let copy = backup(home.folder());

    // A cluster that was started once, and does not run.
    let there = empty().await;
    let started = there.open().await.unwrap();
    started.join(key(1)).await.unwrap();
    started.lease("mail").await.unwrap().unwrap();
    let refused = import(&there, copy.clone()).await.unwrap_err();
    assert!(matches!(refused, CoreError::InUseByServers(_)), "{refused}");
    started.give_up_leases().await.unwrap();
    drop(started);
    let refused = Import::begin(&there.address(), key(2), "a backup").await.err().unwrap();
    assert!(matches!(refused, CoreError::OtherKey), "{refused}");
    there.open().await.unwrap();

    // One that is interrupted, and begun anew.
    let begun = Import::begin(&there.address(), key(1), "a backup").await.unwrap();
    let instance = begun.instance().to_owned();
    let second = Import::begin(&there.address(), key(1), "another").await.err().unwrap();
    assert!(matches!(second, CoreError::Importing), "{second}");
    drop(begun);
    let refused = there.open().await.err().unwrap();
    assert!(refused.to_string().contains("`galley import`"), "{refused}");
    let refused = Export::of(&there.address(), key(1)).await.err().unwrap();
    assert!(matches!(refused, CoreError::Importing), "{refused}");
    let begun = loop {
        // The lock is free when the database has noticed that its holder is gone.
        match Import::begin(&there.address(), key(1), "a backup").await {
            Err(CoreError::Importing) => tokio::task::yield_now().await,
            begun => break begun.unwrap(),
        }
    };
    assert_eq!(begun.instance(), instance);
    begun.finish(copy.clone(), |_| ()).await.unwrap();
    let filled = there.open().await.unwrap();
    assert_eq!(filled.count_accounts().await.unwrap(), 1);
    assert_eq!(filled.join(key(1)).await.unwrap(), instance);
    let refused = Export::of(&there.address(), key(2)).await.err().unwrap();
    assert!(matches!(refused, CoreError::OtherKey), "{refused}");
    let refused = Export::of(&empty().await.address(), key(1)).await.err().unwrap();
    assert!(matches!(refused, CoreError::NotFound), "{refused}");

    // Nothing is written over.
    let refused = import(&there, copy).await.unwrap_err();
    assert!(matches!(refused, CoreError::NotEmpty("accounts")), "{refused}");
    let actor = Actor::System;
    let ana = filled.account_by_email("ana@x.org").await.unwrap().unwrap();
    assert!(filled.set_role(&actor, &ana.id, Role::Viewer).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_do_not_fit_leave_the_database_as_it_was() {
    let Opened { core, home } = sqlite().await;
    core.create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let copy = backup(home.folder());
    let file = Connection::open(&copy).unwrap();
    file.pragma_update(None, "foreign_keys", false).unwrap();
    file.execute_batch(
        "INSERT INTO sessions (secret_hash, user_id, created_at, expires_at) VALUES ('x', 'nobody', 1, 2)",
    )
    .unwrap();
    drop(file);
    let there = empty().await;
    let refused = import(&there, copy).await.unwrap_err().to_string();
    assert!(refused.contains("`sessions` refer to others"), "{refused}");
    assert!(matches!(there.open().await, Err(CoreError::Importing)));
    // A file of a later program says so.
    let later = Connection::open(home.folder().join("later.db")).unwrap();
    later.pragma_update(None, "user_version", 10_000).unwrap();
    drop(later);
    let refused = Import::migrate(&home.folder().join("later.db"))
        .unwrap_err()
        .to_string();
    assert!(refused.contains("start the newer program"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_and_approvals_are_put_into_a_copy_and_taken_out_of_it() {
    let Opened { core: _core, home } = sqlite().await;
    let copy = Portable::open(&backup(home.folder())).unwrap();
    let long = vec![b'x'; 200_000];
    let log = |id: &str, status: Option<&str>, text: LogText| KeptLog {
        slot: "some".into(),
        id: id.into(),
        status: status.map(str::to_owned),
        text,
    };
    copy.put_log(&log("open", None, LogText::Bytes(long.clone())), 200_000)
        .unwrap();
    let ended = log("ended", Some("ready"), LogText::Object("some/ended.log".into()));
    copy.put_log(&ended, 5).unwrap();
    copy.put_approvals("version = 2").unwrap();
    for expected in [2, 0] {
        let mut taken = Vec::new();
        let take = |log| {
            taken.push(log);
            Ok::<_, CoreError>(())
        };
        copy.take_logs(take).unwrap();
        assert_eq!(taken.len(), expected);
        if let [ended, open] = &taken[..] {
            assert!(matches!(&ended.text, LogText::Object(name) if name == "some/ended.log"));
            assert!(matches!(&open.text, LogText::Bytes(text) if *text == long));
            assert_eq!((ended.status.as_deref(), open.status.as_deref()), (Some("ready"), None));
        }
        let approvals = copy.take_approvals().unwrap();
        assert_eq!(approvals.as_deref(), (expected > 0).then_some("version = 2"));
    }
    copy.close().unwrap();
}
