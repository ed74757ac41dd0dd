//! What a start finds after a crash.

use galley_sdk::{logs, params, sql};

use super::*;

/// A record as a crash may leave it.
pub(crate) fn insert(studio: &Studio, id: &str, status: &str, source: &str) {
    let count = "INSERT INTO numbers (project_id, last) VALUES ('p1', 1) \
                 ON CONFLICT (project_id) DO UPDATE SET last = numbers.last + 1";
    let sql = "INSERT INTO deployments (id, project_id, status, source, created_at, file_count, size_bytes, number) \
               VALUES (?1, 'p1', ?2, ?3, '2026-01-01T00:00:00.000Z', 1, 10, \
               (SELECT last FROM numbers WHERE project_id = 'p1'))";
    studio.host.run(|| {
        sql::execute(count, params![]).unwrap();
        sql::execute(sql, params![id, status, source]).unwrap();
        logs::open(id).unwrap().append("Received 10 bytes\n").unwrap();
    });
}

#[test]
fn an_upload_that_was_published_is_ready() {
    let studio = studio();
    let id = studio.deployed(&[INDEX]);
    studio.host.run(|| {
        sql::execute(
            "UPDATE deployments SET status = 'building', finished_at = NULL",
            params![],
        )
        .unwrap();
    });
    studio.host.advance(60_000);
    studio.host.start().unwrap();
    let listed = studio.listed();
    assert_eq!(
        (&listed[0]["status"], &listed[0]["active"]),
        (&json!("ready"), &json!(true))
    );
    assert_eq!(listed[0]["finishedAt"], "2026-01-01T00:01:00.000Z");
    assert_eq!(studio.host.text_log(&id).unwrap().1.as_deref(), Some("ready"));
}

#[test]
fn an_upload_that_was_not_published_is_forgotten() {
    let studio = studio();
    let live = studio.deployed(&[INDEX]);
    insert(&studio, "cut", "building", "upload");
    studio.host.start().unwrap();
    assert_eq!(studio.listed().len(), 1);
    assert_eq!(studio.host.text_log("cut"), None);
    assert_eq!(studio.live(), Some(live));
}

#[test]
fn where_others_serve_a_start_leaves_what_is_young_alone_and_the_job_looks_after_it_later() {
    let studio = studio();
    studio.host.setting("cluster", true);
    let live = studio.deployed(&[INDEX]);
    insert(&studio, "cut", "building", "upload");
    insert(&studio, "never", "building", "build");
    studio.host.advance(59_999);
    studio.host.start().unwrap();
    studio.host.run_job("settle").unwrap();
    assert_eq!(studio.listed().len(), 3);
    studio.host.advance(1);
    studio.host.run_job("settle").unwrap();
    assert_eq!(studio.listed().len(), 1);
    assert_eq!(studio.host.text_log("cut"), None);
    assert_eq!(studio.host.text_log("never"), None);
    assert_eq!(studio.live(), Some(live));
}

#[test]
fn where_others_serve_a_start_is_enough_for_what_is_old() {
    let studio = studio();
    studio.host.setting("cluster", true);
    let id = studio.deployed(&[INDEX]);
    studio.host.run(|| {
        sql::execute("UPDATE deployments SET status = 'building'", params![]).unwrap();
    });
    insert(&studio, "cut", "building", "upload");
    studio.host.advance(60_000);
    studio.host.start().unwrap();
    let listed = studio.listed();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (&listed[0]["deploymentId"], &listed[0]["status"]),
        (&json!(id), &json!("ready"))
    );
}

#[test]
fn an_upload_of_a_project_that_is_gone_is_forgotten() {
    let studio = studio();
    insert(&studio, "cut", "building", "upload");
    studio.host.project("p1").delete();
    studio.host.start().unwrap();
    assert_eq!(studio.host.text_log("cut"), None);
}

#[test]
fn finished_deployments_are_left_alone() {
    let studio = studio();
    insert(&studio, "b", "failed", "build");
    insert(&studio, "c", "ready", "upload");
    studio.host.start().unwrap();
    let statuses: Vec<_> = studio
        .listed()
        .iter()
        .map(|deployment| deployment["status"].clone())
        .collect();
    assert_eq!(statuses, ["ready", "failed"]);
}

#[test]
fn an_upload_that_cannot_be_published_leaves_nothing() {
    let studio = studio();
    let live = studio.deployed(&[INDEX]);
    // The version exists already, which the host refuses.
    studio.host.run(|| {
        sql::execute("DELETE FROM deployments", params![]).unwrap();
    });
    studio.host.repeat_ids();
    let answer = studio.upload(&[INDEX, ("new.txt", "x")]).send();
    assert_eq!(answer.status, 500);
    assert!(
        !answer.error().contains("exists"),
        "a cause is not shown: {}",
        answer.error()
    );
    assert_eq!((studio.listed().len(), studio.live()), (0, Some(live)));
}
