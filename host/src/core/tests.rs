//! The outbox, the schema and the lock of a real file.

use super::testing::{Opened, on_each_engine};
use super::*;
use crate::projects::NewProject;

mod moving;
mod shared_logs;
mod two_servers;

on_each_engine! {
    events_come_in_order_and_again_until_acknowledged,
    a_topic_belongs_to_its_publisher,
    pruning_waits_for_the_slowest_and_reuses_no_id,
    a_slot_has_room_up_to_its_bounds,
}

fn project(slug: &str) -> NewProject {
    NewProject {
        slug: slug.into(),
        name: "A".into(),
        access: Access::Invited,
        listed: None,
    }
}

async fn events_come_in_order_and_again_until_acknowledged(Opened { core, .. }: Opened) {
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
    assert_eq!(core.coming_event("late", &topics).await.unwrap(), None);
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
    let first = core.coming_event("late", &topics).await.unwrap().unwrap();
    assert_eq!(core.coming_event("late", &topics).await.unwrap().unwrap(), first);
    core.acknowledge(&Lease::alone(), "late", first.id).await.unwrap();
    let second = core.coming_event("late", &topics).await.unwrap().unwrap();
    assert!(second.id > first.id);
    core.acknowledge(&Lease::alone(), "late", second.id).await.unwrap();
    assert_eq!(core.coming_event("late", &topics).await.unwrap(), None);
    core.prune_slots(vec!["late".into()]).await.unwrap();
    assert_eq!(
        core.coming_event("new", &["other".to_owned()])
            .await
            .unwrap()
            .unwrap()
            .topic,
        "some/other"
    );
}

async fn a_topic_belongs_to_its_publisher(Opened { core, .. }: Opened) {
    let publish = async |slot: &str, topic: &str| {
        let event = NewEvent {
            topic: topic.into(),
            data: "{}".into(),
        };
        core.publish(slot, vec![event]).await.unwrap();
    };
    let seen = async |slot: &str, topics: &[&str]| {
        let topics: Vec<String> = topics.iter().map(|&topic| topic.to_owned()).collect();
        let event = core.coming_event(slot, &topics).await.unwrap();
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
    assert_eq!(seen("x", &["notes/written"]).await, of("notes/written", "notes"));
    assert_eq!(seen("old", &["written"]).await, of("notes/written", "notes"));
    assert_eq!(seen("x", &["project-deleted"]).await, None);
    assert_eq!(seen("x", &["evil/written"]).await, None);
    assert!(
        core.is_awaited("notes", "written").await.unwrap() && core.is_awaited("notes", "notes/written").await.unwrap()
    );
    assert!(!core.is_awaited("evil", "written").await.unwrap());
    core.start_cursor("old", &["written".into()]).await.unwrap();
    assert!(
        core.is_awaited("evil", "evil/written").await.unwrap(),
        "every slot's word"
    );
    let project = core.create_project(project("gone")).await.unwrap();
    core.start_cursor("x", &["project-deleted".into()]).await.unwrap();
    core.delete_project(&project.id).await.unwrap();
    assert_eq!(
        seen("x", &["project-deleted"]).await,
        Some(("project-deleted".to_owned(), None))
    );
}

async fn pruning_waits_for_the_slowest_and_reuses_no_id(Opened { core, .. }: Opened) {
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
    core.acknowledge(&Lease::alone(), "x", 2).await.unwrap();
    let known = || vec!["x".to_owned(), "y".to_owned(), "without-subscriptions".to_owned()];
    core.prune_slots(known()).await.unwrap();
    assert_eq!(core.coming_event("y", &topics).await.unwrap().unwrap().id, 1);
    core.acknowledge(&Lease::alone(), "y", 2).await.unwrap();
    core.prune_slots(known()).await.unwrap();
    core.start_cursor("z", &topics).await.unwrap();
    publish().await;
    for slot in ["x", "y", "z"] {
        assert_eq!(core.coming_event(slot, &topics).await.unwrap().unwrap().id, 3, "{slot}");
    }
    // A slot that is gone holds nothing back.
    core.acknowledge(&Lease::alone(), "x", 3).await.unwrap();
    core.prune_slots(vec!["x".into()]).await.unwrap();
    core.start_cursor("y", &topics).await.unwrap();
    assert_eq!(core.coming_event("y", &topics).await.unwrap(), None);
}

async fn a_slot_has_room_up_to_its_bounds(Opened { core, .. }: Opened) {
    core.start_cursor("reader", &["t".into()]).await.unwrap();
    let event = NewEvent {
        topic: "t".into(),
        data: "\"\u{e9}\"".into(),
    };
    core.publish("some", vec![event.clone(), event]).await.unwrap();
    let has_room = async |count: u64, bytes: u64| core.has_room_for_events("some", count, bytes).await.unwrap();
    assert!(has_room(MAX_WAITING - 2, MAX_WAITING_BYTES - 8).await);
    assert!(!has_room(MAX_WAITING - 1, 0).await);
    assert!(
        !has_room(1, MAX_WAITING_BYTES - 7).await,
        "bytes are counted, not characters"
    );
}

/// On a file only: a server gets ten thousand statements one after the other, for the same rows.
#[tokio::test]
async fn waiting_events_of_a_slot_are_bounded() {
    let Opened { core, home: _home } = testing::sqlite().await;
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
    let first = core.coming_event("reader", &topics).await.unwrap().unwrap();
    core.acknowledge(&Lease::alone(), "reader", first.id).await.unwrap();
    assert!(publish("many", "t", 1, 1).await);
    assert!(!publish("many", "t", 1, 1).await);
}

#[tokio::test]
async fn a_database_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let before = rusqlite::Connection::open(folder.path().join("core.db")).unwrap();
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
    let core = Core::open(folder.path()).await.unwrap();
    assert!(!core.is_emailed("i1").await.unwrap());
    // What the disabled slot has not taken yet is still there for the day it is enabled.
    core.prune_taken_events().await.unwrap();
    assert!(core.has_events().await.unwrap());
}

#[tokio::test]
async fn a_folder_whose_server_is_just_ending_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let held = std::fs::File::create(folder.path().join("lock")).unwrap();
    held.try_lock().unwrap();
    let ending = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        held.unlock().unwrap();
    });
    assert!(Core::open(folder.path()).await.is_ok());
    ending.join().unwrap();
}
