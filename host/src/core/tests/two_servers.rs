//! Two servers of one PostgreSQL: what one of them acknowledged, the other one goes by.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use galley_harness::postgres::Postgres;
use galley_postgres::{Address, Bounds, Failure};
use serde_json::json;

use super::*;
use crate::accounts::{Actor, StoredMailServer};
use crate::core::testing::two;
use crate::projects::{ProjectChange, SettingsChange, SiteVersion};
use crate::storage::sqlite::StorageError;

fn version(project: &Project, id: &str) -> SiteVersion {
    SiteVersion {
        id: id.into(),
        project_id: project.id.clone(),
        files: 1,
        bytes: 2,
        created_at: 3,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_acknowledged_the_other_sees_at_once() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let ana = one
        .create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let demo = one.create_project(project("demo")).await.unwrap();
    let id = &demo.id;
    let see = async |core: &Core| {
        core.refresh().await.unwrap();
        core.project(id)
    };
    assert_eq!(see(&two).await, Some(demo.clone()));
    assert_eq!(two.project_by_slug("demo"), Some(demo.clone()));

    // Access that is given, and taken away.
    two.add_listed(id, &ana.id).await.unwrap();
    see(&one).await;
    assert!(one.is_listed(id, &ana.id));
    one.remove_listed(id, &ana.id).await.unwrap();
    see(&two).await;
    assert!(!two.is_listed(id, &ana.id));
    let open = ProjectChange {
        access: Some(Access::PublicLink),
        ..Default::default()
    };
    two.update_project(id, open).await.unwrap();
    assert_eq!(see(&one).await.unwrap().access, Access::PublicLink);

    // A version that goes live, and what a plugin attached.
    two.publish_version(version(&demo, "v1")).await.unwrap();
    assert_eq!(see(&one).await.unwrap().live_version.as_deref(), Some("v1"));
    one.attach(id, "repo", Some(json!(1))).await.unwrap();
    see(&two).await;
    assert_eq!(two.attachment(id, "repo"), Some(Arc::new(json!(1))));

    // A setting, and one after the other at both.
    for (writer, reader, on) in [(&one, &two, true), (&two, &one, false)] {
        let change = SettingsChange {
            allow_public_links: Some(on),
            ..Default::default()
        };
        writer.update_settings(&Actor::System, change).await.unwrap();
        reader.refresh().await.unwrap();
        assert_eq!(reader.settings().allow_public_links, on);
    }

    // A subscription, and one that ends: what nobody awaits is not published.
    let awaits = async |core: &Core| core.is_awaited("notes", "notes/written").await.unwrap();
    assert!(!awaits(&two).await);
    one.start_cursor("reader", &["notes/written".to_owned()]).await.unwrap();
    assert!(awaits(&two).await && awaits(&one).await);
    two.start_cursor("reader", &["notes/erased".to_owned()]).await.unwrap();
    assert!(!awaits(&one).await);
    two.start_cursor("reader", &["written".to_owned()]).await.unwrap();
    assert!(awaits(&one).await, "a word is a topic of every slot");
    two.prune_slots(vec!["notes".to_owned()]).await.unwrap();
    assert!(!awaits(&one).await && !awaits(&two).await);

    // A session that ends, and a project that goes.
    let secret = one.create_session(&ana.id).await.unwrap();
    assert!(two.session(&secret).await.unwrap().is_some());
    two.end_sessions(&[&secret]).await.unwrap();
    assert!(one.session(&secret).await.unwrap().is_none());
    two.delete_project(id).await.unwrap();
    assert_eq!(see(&one).await, None);
    assert!(one.projects().is_empty() && one.attachments_of("repo").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_one_sets_is_the_others_too() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let heard = Arc::new(parking_lot::Mutex::new(Vec::new()));
    let told = heard.clone();
    two.follow_mail_server(move |server| told.lock().push(server.map(|server| server.host)));
    two.refresh().await.unwrap();
    let server = StoredMailServer {
        host: "mail.x.org".into(),
        port: 465,
        user: String::new(),
        sealed_pass: None,
        from: "g@x.org".into(),
    };
    one.set_mail_server(&Actor::System, Some(server), || ()).await.unwrap();
    two.refresh().await.unwrap();
    // What changes otherwise does not concern it.
    one.create_project(project("demo")).await.unwrap();
    two.refresh().await.unwrap();
    one.set_mail_server(&Actor::System, None, || ()).await.unwrap();
    two.refresh().await.unwrap();
    assert_eq!(*heard.lock(), [None, Some("mail.x.org".to_owned()), None]);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_both_at_once_are_all_made_and_seen() {
    const EACH: usize = 30;
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let cores = [Arc::new(one), Arc::new(two)];
    let mut changes = tokio::task::JoinSet::new();
    for (of, core) in cores.iter().enumerate() {
        for number in 0..EACH {
            let core = core.clone();
            changes.spawn(async move { core.create_project(project(&format!("p-{of}-{number}"))).await });
        }
    }
    let made = changes
        .join_all()
        .await
        .into_iter()
        .map(|made| made.unwrap().slug.clone());
    let made: BTreeSet<_> = made.collect();
    assert_eq!(made.len(), 2 * EACH);
    for core in &cores {
        core.refresh().await.unwrap();
        let seen: BTreeSet<_> = core.projects().iter().map(|project| project.slug.clone()).collect();
        assert_eq!(seen, made);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_missed_more_than_is_kept_reads_everything() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let demo = one.create_project(project("demo")).await.unwrap();
    // As if many changes had been made and forgotten since.
    let forget = |rows: &mut Rows<'_>| {
        rows.execute("UPDATE generation SET value = value + 5000", ())?;
        rows.execute("DELETE FROM changes", ())?;
        Ok::<_, CoreError>(())
    };
    one.database.write(forget).await.unwrap();
    one.create_project(project("other")).await.unwrap();
    two.refresh().await.unwrap();
    assert_eq!(two.project(&demo.id), Some(demo));
    assert_eq!((one.projects().len(), two.projects().len()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_at_once_share_their_checks() {
    const REQUESTS: usize = 500;
    let (Opened { core, home: _home }, _other) = two().await;
    let core = Arc::new(core);
    core.refresh().await.unwrap();
    let checks = || core.freshness().unwrap().checks();
    let before = checks();
    let requests = (0..REQUESTS).map(|_| core.refresh());
    for answered in futures_util::future::join_all(requests).await {
        answered.unwrap();
    }
    let shared = checks() - before;
    assert!((1..=50).contains(&shared), "{REQUESTS} requests took {shared} checks");
}

/// Opens a core at an address, with bounds of the test's own.
async fn open_at(url: &str, folder: &tempfile::TempDir, bounds: Bounds) -> Core {
    let (address, steps) = (Address::parse(url, None).unwrap(), migrations());
    let database = Database::open_postgres(address, &steps, bounds);
    Core::on(database.await.unwrap(), FolderLock::take(folder.path()).unwrap())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_doubt_is_seen_by_all_once_it_is_there() {
    let server = Postgres::start_with(&["synchronous_standby_names=nobody"]);
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let unheld = format!("{}?options=-c%20synchronous_commit%3Dlocal", server.url());
    let other = open_at(&unheld, &folders[0], Bounds::default()).await;
    let bounds = Bounds {
        commit: Duration::from_secs(1),
        settle: Duration::from_secs(1),
        ..Bounds::default()
    };
    let writer = open_at(&server.url(), &folders[1], bounds).await;
    let doubtful = writer.create_project(project("demo")).await;
    assert!(
        matches!(
            &doubtful,
            Err(CoreError::Storage(StorageError::Postgres(Failure::InDoubt)))
        ),
        "{doubtful:?}"
    );
    for core in [&writer, &other] {
        core.refresh().await.unwrap();
        assert!(core.project_by_slug("demo").is_none(), "nobody has acknowledged it");
    }
    // Its backend still waits for the standby; ended, it leaves what is on disk.
    server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while server.psql(sql) != "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for core in [&writer, &other] {
        core.refresh().await.unwrap();
        assert!(core.project_by_slug("demo").is_some());
    }
}

/// The most events that wait for the follower: writers are quicker.
const MAX_AHEAD: usize = 200;

/// What writers and the follower know of each other.
#[derive(Default)]
struct Course {
    is_over: AtomicBool,
    published: AtomicUsize,
    taken: AtomicUsize,
}

/// Publishes numbers under one topic, as the slot of its own name, until it is told to stop. Answers those that were acknowledged, and
/// those of which nobody knows.
async fn publish_until(core: Arc<Core>, writer: u32, course: Arc<Course>) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut acknowledged, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for number in 0.. {
        let is_ahead = || {
            let taken = course.taken.load(Ordering::Relaxed);
            course.published.load(Ordering::Relaxed).saturating_sub(taken) > MAX_AHEAD
        };
        while is_ahead() && !course.is_over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if course.is_over.load(Ordering::Relaxed) {
            break;
        }
        let data = format!("{writer}-{number}");
        let event = NewEvent {
            topic: "t".into(),
            data: data.clone(),
        };
        match core.publish(&format!("w{writer}"), vec![event]).await {
            Ok(()) => {
                course.published.fetch_add(1, Ordering::Relaxed);
                acknowledged.insert(data)
            }
            Err(error) if error.is_passing() => false,
            Err(_) => unknown.insert(data),
        };
    }
    (acknowledged, unknown)
}

/// Delivers what there is to deliver, as the delivery of a slot does, and answers what was taken in which order. With `at_most` it ends
/// in the middle, as a server does that is killed: what it got last is not acknowledged.
async fn take(core: &Arc<Core>, course: &Course, taken: &mut Vec<String>, at_most: Option<usize>) {
    let topics = ["t".to_owned()];
    let mut work = Work::new(core.clone(), "slot/reader".to_owned());
    loop {
        course.taken.store(taken.len(), Ordering::Relaxed);
        let next = async {
            let lease = work.lease().await?.ok_or(CoreError::Superseded)?;
            Ok::<_, CoreError>((core.coming_event("reader", &topics).await?, lease))
        };
        match next.await {
            Ok((Some(event), lease)) => {
                if at_most.is_some_and(|most| taken.len() >= most) {
                    return;
                }
                let acknowledged = core.acknowledge(&lease, "reader", event.id).await;
                match acknowledged {
                    Ok(()) => taken.push(event.data),
                    // It comes again, or was acknowledged: then the next one comes.
                    Err(error) => assert!(error.is_passing(), "{error}"),
                }
            }
            // Nobody writes any more.
            Ok((None, _)) if at_most.is_none() => return,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

/// Who stood still does not go on with what it had begun, also when another one is finished with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_lease_lasts_while_it_is_renewed_and_is_another_one_behind_anothers_turn() {
    let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
    let mut work = Work::new(Arc::new(one), "turns".to_owned());
    let lease = work.lease().await.unwrap().unwrap();
    work.during(tokio::time::sleep(LEASE_LENGTH + Duration::from_secs(1)))
        .await;
    assert!(lease.is_held(), "it was renewed");
    tokio::time::sleep(LEASE_LENGTH).await;
    assert!(!lease.is_held(), "nobody renewed it");
    assert!(two.lease("turns").await.unwrap().is_some());
    two.give_up_leases().await.unwrap();
    let next = work.lease().await.unwrap().unwrap();
    assert!(next.is_held() && !lease.is_held());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_of_eight_writers_misses_nothing_and_takes_nothing_twice_though_servers_are_killed() {
    const WRITERS: u32 = 8;
    const EACH_PART: usize = 100;
    let server = Arc::new(Postgres::start_with(&[]));
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let mut cores = Vec::new();
    for folder in &folders {
        cores.push(Arc::new(open_at(&server.url(), folder, Bounds::default()).await));
    }
    cores[0].start_cursor("reader", &["t".to_owned()]).await.unwrap();
    let course = Arc::new(Course::default());
    let writers = (0..WRITERS).map(|writer| {
        let core = cores[writer as usize % 2].clone();
        tokio::spawn(publish_until(core, writer, course.clone()))
    });
    let writers: Vec<_> = writers.collect();
    let mut taken = Vec::new();
    // The server that delivers is killed with an event in its hands, and another one takes over when its lease has ended.
    take(&cores[2], &course, &mut taken, Some(EACH_PART)).await;
    let first = cores.pop().unwrap();
    let lost = first.lease("slot/reader").await.unwrap().unwrap();
    take(&cores[0], &course, &mut taken, Some(2 * EACH_PART)).await;
    let late = first.acknowledge(&lost, "reader", 1).await;
    assert!(matches!(late, Err(CoreError::Superseded)), "{late:?}");
    // The database is killed as well.
    let killed = {
        let server = server.clone();
        tokio::task::spawn_blocking(move || {
            server.kill();
            server.resume();
        })
    };
    killed.await.unwrap();
    take(&cores[0], &course, &mut taken, Some(3 * EACH_PART)).await;
    course.is_over.store(true, Ordering::Relaxed);
    let (mut acknowledged, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for writer in writers {
        let (known, doubtful) = writer.await.unwrap();
        acknowledged.extend(known);
        unknown.extend(doubtful);
    }
    take(&cores[0], &course, &mut taken, None).await;
    let seen: BTreeSet<_> = taken.iter().cloned().collect();
    assert_eq!(seen.len(), taken.len(), "nothing twice");
    let missing: Vec<_> = acknowledged.difference(&seen).collect();
    assert!(
        missing.is_empty(),
        "{} of {}: {missing:?}",
        missing.len(),
        acknowledged.len()
    );
    let strange: Vec<_> = seen
        .difference(&acknowledged)
        .filter(|data| !unknown.contains(*data))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
    // Those of one writer are in its order.
    for writer in 0..WRITERS {
        let prefix = format!("{writer}-");
        let numbers = taken
            .iter()
            .filter_map(|data| data.strip_prefix(&prefix)?.parse::<u64>().ok());
        assert!(numbers.is_sorted(), "those of writer {writer}");
    }
}
