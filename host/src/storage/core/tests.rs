//! The core's invariants, on a real file.

use super::*;

struct Fixture {
    core: Core,
    folder: tempfile::TempDir,
}

fn open() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    Fixture {
        core: Core::open(folder.path()).unwrap(),
        folder,
    }
}

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

#[tokio::test]
async fn one_active_admin_remains() {
    let Fixture { core, .. } = open();
    let ana = core
        .create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    assert!(matches!(
        core.create_first_account("b@x.org".into(), "B".into()).await,
        Err(CoreError::Exists)
    ));
    assert!(matches!(
        core.set_role(&Actor::System, &ana.id, Role::Editor).await,
        Err(CoreError::LastAdmin)
    ));
    assert!(matches!(
        core.remove_account(&Actor::System, &ana.id).await,
        Err(CoreError::LastAdmin)
    ));
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Admin,
    };
    core.create_account(new).await.unwrap();
    core.remove_account(&Actor::System, &ana.id).await.unwrap();
    assert!(core.account(&ana.id).unwrap().unwrap().removed);
}

#[tokio::test]
async fn an_instance_without_admins_can_change_its_accounts() {
    let Fixture { core, .. } = open();
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Viewer,
    };
    let bo = core.create_account(new).await.unwrap();
    assert_eq!(
        core.set_role(&Actor::System, &bo.id, Role::Editor).await.unwrap().role,
        Role::Editor
    );
    core.start_cursor("x", &["account-removed".into()]).await.unwrap();
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    assert!(matches!(
        core.remove_account(&Actor::System, "nobody").await,
        Err(CoreError::NotFound)
    ));
    let topics = ["account-removed".to_owned()];
    let event = core.next_event("x", &topics).unwrap().unwrap();
    core.acknowledge("x", event.id).await.unwrap();
    assert_eq!(core.next_event("x", &topics).unwrap(), None, "it was removed once");
}

#[tokio::test]
async fn a_change_reaches_memory_although_the_asker_has_gone() {
    let Fixture { core, .. } = open();
    let demo = core.create_project(project("demo")).await.unwrap();
    let change = ProjectChange {
        name: Some("B".into()),
        ..Default::default()
    };
    let mut asked = Box::pin(core.update_project(&demo.id, change));
    assert!(futures_util::poll!(&mut asked).is_pending());
    drop(asked);
    // The writer takes one job after the other.
    core.update_settings(&Actor::System, SettingsChange::default())
        .await
        .unwrap();
    assert_eq!(core.project(&demo.id).unwrap().name, "B");
}

#[tokio::test]
async fn removing_an_account_ends_its_sessions_and_tokens() {
    let Fixture { core, .. } = open();
    core.create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let new = NewAccount {
        email: "bo@x.org".into(),
        display_name: "Bo".into(),
        role: Role::Editor,
    };
    let bo = core.create_account(new).await.unwrap();
    let session = core.create_session(&bo.id).await.unwrap();
    let new = NewToken {
        user_id: bo.id.clone(),
        name: "t".into(),
        can_read: true,
        can_write: false,
        expires_at: None,
    };
    let (token, plaintext) = core.create_token(new).await.unwrap();
    assert!(plaintext.starts_with(&format!("tok_{}_", token.id)));
    assert!(core.session(&session).unwrap().is_some() && core.token(&token.id).unwrap().is_some());
    core.remove_account(&Actor::System, &bo.id).await.unwrap();
    core.restore_account(&Actor::System, &bo.id).await.unwrap();
    assert!(core.session(&session).unwrap().is_none() && core.token(&token.id).unwrap().is_none());
}

#[tokio::test]
async fn a_taken_slug_gets_a_suffix_fifty_times() {
    let Fixture { core, .. } = open();
    assert_eq!(core.create_project(project("demo")).await.unwrap().slug, "demo");
    for n in 2..=51 {
        assert_eq!(
            core.create_project(project("demo")).await.unwrap().slug,
            format!("demo-{n}")
        );
    }
    assert!(matches!(
        core.create_project(project("demo")).await,
        Err(CoreError::TooMany)
    ));
    let long = "a".repeat(63);
    core.create_project(project(&long)).await.unwrap();
    assert_eq!(
        core.create_project(project(&long)).await.unwrap().slug,
        format!("{}-2", "a".repeat(61))
    );
}

#[tokio::test]
async fn memory_and_file_agree_after_a_restart() {
    let Fixture { core, folder } = open();
    let ana = core
        .create_first_account("ana@x.org".into(), "Ana".into())
        .await
        .unwrap();
    let new = NewProject {
        listed: Some(ana.id.clone()),
        ..project("demo")
    };
    let demo = core.create_project(new).await.unwrap();
    core.publish_version(version(&demo, "v1")).await.unwrap();
    core.publish_version(version(&demo, "v2")).await.unwrap();
    core.activate_version(&demo.id, "v1").await.unwrap();
    core.update_settings(
        &Actor::System,
        SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        },
    )
    .await
    .unwrap();
    let before = core.project(&demo.id).unwrap();
    assert_eq!(before.live_version.as_deref(), Some("v1"));
    assert!(matches!(Core::open(folder.path()), Err(CoreError::InUse(_))));
    drop(core);
    let core = Core::open(folder.path()).unwrap();
    assert_eq!(core.project_by_slug("demo").unwrap(), before);
    assert!(core.is_listed(&demo.id, &ana.id) && core.settings().allow_public_links);
    assert_eq!(core.site_versions(&demo.id).unwrap().len(), 2);
}

#[tokio::test]
async fn the_live_version_stays() {
    let Fixture { core, .. } = open();
    let demo = core.create_project(project("demo")).await.unwrap();
    core.publish_version(version(&demo, "v1")).await.unwrap();
    assert!(matches!(
        core.publish_version(version(&demo, "v1")).await,
        Err(CoreError::Exists)
    ));
    assert!(matches!(
        core.remove_version(&demo.id, "v1").await,
        Err(CoreError::Live)
    ));
    assert!(matches!(
        core.activate_version(&demo.id, "v9").await,
        Err(CoreError::NotFound)
    ));
    core.publish_version(version(&demo, "v2")).await.unwrap();
    core.remove_version(&demo.id, "v1").await.unwrap();
    core.delete_project(&demo.id).await.unwrap();
    assert!(matches!(
        core.publish_version(version(&demo, "v3")).await,
        Err(CoreError::NotFound)
    ));
    assert!(core.project(&demo.id).is_none() && core.site_versions(&demo.id).unwrap().is_empty());
}

#[tokio::test]
async fn events_come_in_order_and_again_until_acknowledged() {
    let Fixture { core, .. } = open();
    let topics = ["project-deleted".to_owned()];
    core.publish(
        "some",
        vec![NewEvent {
            topic: "project-deleted".into(),
            data: "{}".into(),
        }],
    )
    .await
    .unwrap();
    core.start_cursor("late", &["project-deleted".into(), "other".into()])
        .await
        .unwrap();
    assert_eq!(core.next_event("late", &topics).unwrap(), None);
    for slug in ["a1", "b1"] {
        let project = core.create_project(project(slug)).await.unwrap();
        core.delete_project(&project.id).await.unwrap();
    }
    core.publish(
        "some",
        vec![NewEvent {
            topic: "other".into(),
            data: "{}".into(),
        }],
    )
    .await
    .unwrap();
    let first = core.next_event("late", &topics).unwrap().unwrap();
    assert_eq!(core.next_event("late", &topics).unwrap().unwrap(), first);
    core.acknowledge("late", first.id).await.unwrap();
    let second = core.next_event("late", &topics).unwrap().unwrap();
    assert!(second.id > first.id);
    core.acknowledge("late", second.id).await.unwrap();
    assert_eq!(core.next_event("late", &topics).unwrap(), None);
    core.prune_slots(vec!["late".into()]).await.unwrap();
    assert_eq!(
        core.next_event("new", &["other".to_owned()]).unwrap().unwrap().topic,
        "some/other"
    );
}

#[tokio::test]
async fn a_topic_belongs_to_its_publisher() {
    let Fixture { core, .. } = open();
    let publish = async |slot: &str, topic: &str| {
        let event = NewEvent {
            topic: topic.into(),
            data: "{}".into(),
        };
        core.publish(slot, vec![event]).await.unwrap();
    };
    let seen = |slot: &str, topics: &[&str]| {
        let topics: Vec<String> = topics.iter().map(|&topic| topic.to_owned()).collect();
        let event = core.next_event(slot, &topics).unwrap();
        event.map(|event| (event.topic, event.source))
    };
    let of = |topic: &str, slot: &str| Some((topic.to_owned(), Some(slot.to_owned())));
    for slot in ["x", "old"] {
        core.start_cursor(slot, &["notes/written".into()]).await.unwrap();
    }
    // A word is its publisher's, as version 0.1 of the contract published it; and nobody's word is the host's topic.
    publish("notes", "written").await;
    publish("evil", "notes-written").await;
    publish("evil", "evil/project-deleted").await;
    assert_eq!(seen("x", &["notes/written"]), of("notes/written", "notes"));
    assert_eq!(seen("old", &["written"]), of("notes/written", "notes"));
    assert_eq!(seen("x", &["project-deleted"]), None);
    assert_eq!(seen("x", &["evil/written"]), None);
    assert!(core.is_awaited("notes", "written").unwrap() && core.is_awaited("notes", "notes/written").unwrap());
    assert!(!core.is_awaited("evil", "written").unwrap());
    core.start_cursor("old", &["written".into()]).await.unwrap();
    assert!(core.is_awaited("evil", "evil/written").unwrap(), "every slot's word");
    let project = core.create_project(project("gone")).await.unwrap();
    core.start_cursor("x", &["project-deleted".into()]).await.unwrap();
    core.delete_project(&project.id).await.unwrap();
    assert_eq!(
        seen("x", &["project-deleted"]),
        Some(("project-deleted".to_owned(), None))
    );
}

#[tokio::test]
async fn pruning_waits_for_the_slowest_and_reuses_no_id() {
    let Fixture { core, .. } = open();
    let publish = async || {
        let event = NewEvent {
            topic: "t".into(),
            data: "{}".into(),
        };
        core.publish("some", vec![event]).await.unwrap();
    };
    let topics = ["t".to_owned()];
    core.start_cursor("x", &topics).await.unwrap();
    core.start_cursor("y", &topics).await.unwrap();
    publish().await;
    publish().await;
    core.acknowledge("x", 2).await.unwrap();
    let known = || vec!["x".to_owned(), "y".to_owned(), "without-subscriptions".to_owned()];
    core.prune_slots(known()).await.unwrap();
    assert_eq!(core.next_event("y", &topics).unwrap().unwrap().id, 1);
    core.acknowledge("y", 2).await.unwrap();
    core.prune_slots(known()).await.unwrap();
    core.start_cursor("z", &topics).await.unwrap();
    publish().await;
    for slot in ["x", "y", "z"] {
        assert_eq!(core.next_event(slot, &topics).unwrap().unwrap().id, 3, "{slot}");
    }
    // A slot that is gone holds nothing back.
    core.acknowledge("x", 3).await.unwrap();
    core.prune_slots(vec!["x".into()]).await.unwrap();
    core.start_cursor("y", &topics).await.unwrap();
    assert_eq!(core.next_event("y", &topics).unwrap(), None);
}

#[tokio::test]
async fn waiting_events_of_a_slot_are_bounded() {
    let Fixture { core, .. } = open();
    let publish = async |slot: &str, topic: &str, count: u64, bytes: usize| {
        if !core
            .has_room_for_events(slot, count, count * bytes as u64)
            .await
            .unwrap()
        {
            return false;
        }
        let event = NewEvent {
            topic: topic.into(),
            data: "x".repeat(bytes),
        };
        core.publish(slot, vec![event; count as usize]).await.unwrap();
        true
    };
    core.start_cursor("reader", &["t".into()]).await.unwrap();
    assert!(publish("many", "t", MAX_WAITING - 1, 1).await);
    assert!(publish("many", "t", 1, 1).await);
    assert!(!publish("many", "t", 1, 1).await);
    assert!(publish("heavy", "t", 16, 1 << 20).await);
    assert!(!publish("heavy", "t", 1, 1).await);
    assert!(publish("other", "t", 1, 1).await, "each slot has a bound of its own");
    // What nobody is subscribed to does not wait.
    assert!(publish("loud", "unheard", MAX_WAITING, 1).await);
    assert!(publish("loud", "unheard", MAX_WAITING, 1).await);
    // What was taken makes room.
    let topics = ["t".to_owned()];
    let first = core.next_event("reader", &topics).unwrap().unwrap();
    core.acknowledge("reader", first.id).await.unwrap();
    assert!(publish("many", "t", 1, 1).await);
    assert!(!publish("many", "t", 1, 1).await);
}

#[tokio::test]
async fn configured_domains_are_copied_once() {
    let Fixture { core, .. } = open();
    core.copy_domains_once(vec!["a.org".into()]).await.unwrap();
    core.copy_domains_once(vec!["b.org".into()]).await.unwrap();
    assert_eq!(core.domain_rules().unwrap(), [("a.org".to_owned(), Role::Viewer)]);
}

#[tokio::test]
async fn a_sender_reaches_few_new_recipients_a_day() {
    let Fixture { core, folder } = open();
    let queue = async |key: &str, sender: Option<&str>, recipient: &str| {
        let mail = NewMail {
            key: format!("{key}:{recipient}"),
            message_id: "<1@x.org>".into(),
            kind: MailKind::Note,
            recipient: recipient.into(),
            invite: None,
            sender: sender.map(str::to_owned),
            sealed: vec![1],
            give_up_at: i64::MAX,
        };
        core.queue_mail(mail).await
    };
    for number in 0..20 {
        queue("a", Some("ann"), &format!("{number}@x.org")).await.unwrap();
    }
    let new = queue("a", Some("ann"), "new@x.org").await;
    assert!(matches!(new, Err(CoreError::TooMany)));
    assert!(queue("b", Some("ann"), "7@x.org").await.unwrap(), "known");
    assert!(queue("c", Some("bo"), "new@x.org").await.unwrap(), "another sender");
    assert!(queue("d", None, "new@x.org").await.unwrap(), "an account");
    let database = rusqlite::Connection::open(folder.path().join("core.db")).unwrap();
    let day_before = "UPDATE mails SET created_at = created_at - 86400001";
    database.execute(day_before, []).unwrap();
    assert!(queue("a", Some("ann"), "new@x.org").await.unwrap(), "the next day");
}

#[tokio::test]
async fn a_database_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let before = Connection::open(folder.path().join("core.db")).unwrap();
    before.execute_batch(SCHEMA).unwrap();
    before
        .execute_batch(
            "INSERT INTO events (topic, data, created_at) VALUES ('noted', '{}', 1);
             INSERT INTO cursors VALUES ('disabled', 0);
             INSERT INTO invites (id, email, role, token_hash, emailed, created_at, expires_at)
                 VALUES ('i1', 'ana@example.org', 'editor', 'h', 1, 1, 9000000000000);
             PRAGMA user_version = 1",
        )
        .unwrap();
    drop(before);
    let core = Core::open(folder.path()).unwrap();
    assert!(!core.is_emailed("i1").unwrap());
    // What the disabled slot has not taken yet is still there for the day it is enabled.
    core.prune_taken_events().await.unwrap();
    assert!(core.has_events().unwrap());
}

#[test]
fn a_folder_whose_server_is_just_ending_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let held = File::create(folder.path().join("lock")).unwrap();
    held.try_lock().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            held.unlock().unwrap();
        });
        assert!(Core::open(folder.path()).is_ok());
    });
}
