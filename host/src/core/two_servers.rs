//! Two servers of one PostgreSQL: what one of them acknowledged, the other one goes by.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use galley_harness::postgres::Postgres;
use galley_postgres::{Address, Bounds, Failure};
use serde_json::json;

use super::testing::{Opened, two};
use super::*;
use crate::accounts::{Actor, StoredMailServer};
use crate::projects::{NewProject, ProjectChange, SettingsChange, SiteVersion};
use crate::storage::sqlite::StorageError;

fn project(slug: &str) -> NewProject {
    NewProject {
        slug: slug.into(),
        name: "A".into(),
        access: Access::Invited,
        listed: None,
    }
}

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
    Core::on(database.await.unwrap(), hold(folder.path()).unwrap())
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
