//! The build queue: which builds are queued and running, and the event at a build's end.

use crate::core::{Core, CoreError, outbox};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// A build that was taken from the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedBuild {
    /// Its place in the queue.
    pub seq: i64,
    /// The slot that enqueued it.
    pub slot: String,
    /// Its id within the slot.
    pub id: String,
    /// The project it is for.
    pub project_id: String,
    /// What to build, in the enqueuing capability's format. It holds no secret.
    pub spec: String,
}

/// How a build ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuildEnd {
    /// Why it failed; `None` when it did not.
    pub reason: Option<String>,
    /// A code for programs, for the reasons that a program acts on.
    pub code: Option<&'static str>,
    /// The commit that was built; `None` when the repository could not be cloned.
    pub commit: Option<String>,
    /// The object that holds its output, where servers share an object store.
    pub tree: Option<String>,
}

/// The `code` of `build-finished` for a build that was cancelled.
const CANCELLED: &str = "cancelled";

impl BuildEnd {
    /// Of a build that failed for this reason.
    pub fn failed(reason: &str) -> Self {
        Self {
            reason: Some(reason.to_owned()),
            ..Self::default()
        }
    }

    /// Of a build that was cancelled for this reason.
    pub fn cancelled(reason: &str) -> Self {
        Self {
            code: Some(CANCELLED),
            ..Self::failed(reason)
        }
    }

    /// Whether the build was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.code == Some(CANCELLED)
    }
}

/// The result of enqueuing a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    /// The build is in the queue.
    Queued,
    /// The project's build of this id is queued or running.
    Running(String),
    /// The slot already has a build of this id.
    Known,
}

pub(super) const COLUMNS: &str = "seq, slot, id, project_id, spec";

pub(super) fn from_row(row: &Row<'_>) -> Result<QueuedBuild, StorageError> {
    Ok(QueuedBuild {
        seq: row.get(0)?,
        slot: row.get(1)?,
        id: row.get(2)?,
        project_id: row.get(3)?,
        spec: row.get(4)?,
    })
}

impl Core {
    /// Puts a build at the end of the queue. [`CoreError::NotFound`] for a missing project.
    pub async fn enqueue_build(
        &self,
        slot: &str,
        id: &str,
        project_id: &str,
        spec: String,
    ) -> Result<Enqueued, CoreError> {
        let (slot, id, project) = (slot.to_owned(), id.to_owned(), project_id.to_owned());
        self.database
            .write(move |rows| {
                let known = "SELECT EXISTS (SELECT 1 FROM builds WHERE slot = ?1 AND id = ?2)";
                if rows.fetch_one(known, (&slot, &id), |row| row.get(0))? {
                    return Ok(Enqueued::Known);
                }
                if let Some(running) = running(rows, &project)? {
                    return Ok(Enqueued::Running(running));
                }
                let sql = "INSERT INTO builds (slot, id, project_id, spec, state, created_at)
                           SELECT ?1, ?2, id, ?4, 'queued', ?5 FROM projects WHERE id = ?3";
                match rows.execute(sql, (&slot, &id, &project, &spec, now_ms()))? {
                    0 => Err(CoreError::NotFound),
                    _ => Ok(Enqueued::Queued),
                }
            })
            .await
    }

    /// The id of the project's build that is queued or running.
    pub async fn running_build(&self, project_id: &str) -> Result<Option<String>, CoreError> {
        let project = project_id.to_owned();
        self.database.read(move |rows| running(rows, &project)).await
    }

    /// The state of a build of the slot: `queued`, `running` or `ended`.
    pub async fn build_state(&self, slot: &str, id: &str) -> Result<Option<String>, CoreError> {
        let build = [slot.to_owned(), id.to_owned()];
        let sql = "SELECT state FROM builds WHERE slot = ?1 AND id = ?2";
        self.database
            .read(move |rows| Ok(rows.fetch_optional(sql, build.each_ref(), |row| row.get(0))?))
            .await
    }

    /// The project of a build of the slot.
    pub async fn build_project(&self, slot: &str, id: &str) -> Result<Option<String>, CoreError> {
        let build = [slot.to_owned(), id.to_owned()];
        let sql = "SELECT project_id FROM builds WHERE slot = ?1 AND id = ?2";
        self.database
            .read(move |rows| Ok(rows.fetch_optional(sql, build.each_ref(), |row| row.get(0))?))
            .await
    }

    /// Takes this build out of its turn, when it waits: it is running from now on.
    pub async fn take_build(&self, slot: &str, id: &str) -> Result<Option<QueuedBuild>, CoreError> {
        if self.is_shared() {
            return self.claim_waiting_build(slot, id).await;
        }
        let (slot, id) = (slot.to_owned(), id.to_owned());
        self.database
            .write(move |rows| {
                let sql = format!(
                    "UPDATE builds SET state = 'running'
                     WHERE slot = ?1 AND id = ?2 AND state = 'queued' RETURNING {COLUMNS}"
                );
                Ok(rows.fetch_optional(&sql, (&slot, &id), from_row)?)
            })
            .await
    }

    /// Takes the oldest queued build, which counts as running from now on.
    pub async fn start_build(&self) -> Result<Option<QueuedBuild>, CoreError> {
        if self.is_shared() {
            return self.claim_build().await;
        }
        self.database
            .write(|rows| {
                let sql = format!(
                    "UPDATE builds SET state = 'running'
                     WHERE seq = (SELECT seq FROM builds WHERE state = 'queued' ORDER BY seq LIMIT 1) RETURNING {COLUMNS}"
                );
                Ok(rows.fetch_optional(&sql, (), from_row)?)
            })
            .await
    }

    /// The builds that are marked as running: after a boot of a server alone, those that a crash cut off.
    pub async fn started_builds(&self) -> Result<Vec<QueuedBuild>, CoreError> {
        let sql = format!("SELECT {COLUMNS} FROM builds WHERE state = 'running' ORDER BY seq");
        self.database
            .read(move |rows| Ok(rows.fetch_all(&sql, (), from_row)?))
            .await
    }

    /// Ends a running build, and publishes `build-finished` in the same step. Ending it again changes nothing, nor does ending one
    /// that this server does not run (any more).
    pub async fn end_build(&self, build: &QueuedBuild, end: BuildEnd) -> Result<(), CoreError> {
        if self.is_shared() {
            return self.end_claimed_build(build, end).await;
        }
        let build = build.clone();
        let write = move |rows: &mut Rows<'_>| {
            let sql = "UPDATE builds SET state = 'ended' WHERE seq = ?1 AND state = 'running'";
            match rows.execute(sql, [build.seq])? {
                0 => Ok(()),
                _ => publish_end(rows, &build, &end),
            }
        };
        self.announce(write).await
    }

    /// Deletes the row of an ended build of the slot; anything else is left alone. Answers the object that holds its output.
    pub async fn forget_build(&self, slot: &str, id: &str) -> Result<Option<String>, CoreError> {
        let (slot, id) = (slot.to_owned(), id.to_owned());
        self.database
            .write(move |rows| {
                let sql = "DELETE FROM builds WHERE slot = ?1 AND id = ?2 AND state = 'ended' RETURNING tree";
                let tree: Option<Option<String>> = rows.fetch_optional(sql, (&slot, &id), |row| row.get(0))?;
                Ok(tree.flatten())
            })
            .await
    }
}

/// Publishes `build-finished`.
pub(super) fn publish_end(rows: &mut Rows<'_>, build: &QueuedBuild, end: &BuildEnd) -> Result<(), CoreError> {
    let mut data = serde_json::json!({
        "buildId": build.id, "projectId": build.project_id, "slot": build.slot, "ok": end.reason.is_none(),
    });
    let parts = [
        ("reason", end.reason.as_deref()),
        ("commitSha", end.commit.as_deref()),
        ("code", end.code),
    ];
    for (key, value) in parts {
        if let Some(value) = value {
            data[key] = value.into();
        }
    }
    outbox::insert(rows, "build-finished", &data.to_string())
}

/// The id of a project's build that is queued or running.
pub(super) fn running(rows: &mut Rows<'_>, project: &str) -> Result<Option<String>, CoreError> {
    let sql = "SELECT id FROM builds WHERE project_id = ?1 AND state <> 'ended'";
    let found = rows.fetch_optional(sql, [project], |row| row.get(0))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, on_each_engine};
    use crate::core::{Access, Lease};
    use crate::projects::NewProject;

    on_each_engine! {
        a_project_has_one_build_until_that_has_ended,
        builds_are_taken_in_their_order_and_none_twice,
        only_a_build_that_waits_is_taken_out_of_its_turn,
        the_end_of_a_build_is_told_once,
        only_ended_builds_of_the_slot_are_forgotten,
    }

    /// Makes projects, and answers their ids.
    async fn make(core: &Core, slugs: &[&str]) -> Vec<String> {
        let mut ids = Vec::new();
        for slug in slugs {
            let new = NewProject {
                slug: (*slug).into(),
                name: "A".into(),
                access: Access::AllMembers,
                listed: None,
            };
            ids.push(core.create_project(new).await.unwrap().id.clone());
        }
        ids
    }

    async fn enqueue(core: &Core, id: &str, project: &str) -> Enqueued {
        core.enqueue_build("hello", id, project, "{}".into()).await.unwrap()
    }

    async fn a_project_has_one_build_until_that_has_ended(Opened { core, .. }: Opened) {
        let projects = make(&core, &["alpha"]).await;
        let project = projects[0].as_str();
        assert_eq!(enqueue(&core, "b1", project).await, Enqueued::Queued);
        assert_eq!(enqueue(&core, "b2", project).await, Enqueued::Running("b1".into()));
        assert_eq!(enqueue(&core, "b1", project).await, Enqueued::Known);
        let build = core.start_build().await.unwrap().unwrap();
        assert_eq!(enqueue(&core, "b2", project).await, Enqueued::Running("b1".into()));
        assert_eq!(core.running_build(project).await.unwrap().as_deref(), Some("b1"));
        assert!(matches!(core.delete_project(project).await, Err(CoreError::Building)));
        core.end_build(&build, BuildEnd::default()).await.unwrap();
        assert_eq!(core.running_build(project).await.unwrap(), None);
        assert_eq!(
            enqueue(&core, "b1", project).await,
            Enqueued::Known,
            "an id is used once"
        );
        assert_eq!(enqueue(&core, "b2", project).await, Enqueued::Queued);
        let missing = core.enqueue_build("hello", "b3", "nothing", "{}".into()).await;
        assert!(matches!(missing, Err(CoreError::NotFound)));
    }

    async fn builds_are_taken_in_their_order_and_none_twice(Opened { core, .. }: Opened) {
        let projects = make(&core, &["alpha", "beta"]).await;
        enqueue(&core, "b1", &projects[1]).await;
        enqueue(&core, "b2", &projects[0]).await;
        assert_eq!(core.start_build().await.unwrap().unwrap().id, "b1");
        assert_eq!(core.start_build().await.unwrap().unwrap().id, "b2");
        assert_eq!(core.start_build().await.unwrap(), None);
        let started = core.started_builds().await.unwrap();
        assert_eq!(
            started.iter().map(|build| build.id.as_str()).collect::<Vec<_>>(),
            ["b1", "b2"]
        );
    }

    async fn only_a_build_that_waits_is_taken_out_of_its_turn(Opened { core, .. }: Opened) {
        let projects = make(&core, &["alpha", "beta"]).await;
        enqueue(&core, "b1", &projects[0]).await;
        enqueue(&core, "b2", &projects[1]).await;
        assert_eq!(
            core.build_project("hello", "b2").await.unwrap().as_ref(),
            Some(&projects[1])
        );
        assert_eq!(core.build_project("other", "b2").await.unwrap(), None);
        assert_eq!(core.take_build("other", "b2").await.unwrap(), None);
        assert_eq!(core.take_build("hello", "b2").await.unwrap().unwrap().id, "b2");
        assert_eq!(core.take_build("hello", "b2").await.unwrap(), None);
        assert_eq!(core.start_build().await.unwrap().unwrap().id, "b1");
        assert_eq!(core.start_build().await.unwrap(), None);
    }

    async fn the_end_of_a_build_is_told_once(Opened { core, .. }: Opened) {
        let projects = make(&core, &["alpha"]).await;
        core.start_cursor("hello", &["build-finished".into()]).await.unwrap();
        enqueue(&core, "b1", &projects[0]).await;
        let build = core.start_build().await.unwrap().unwrap();
        let end = BuildEnd {
            reason: Some("It broke".into()),
            code: Some("not-newest"),
            commit: Some("c0ffee".into()),
            tree: None,
        };
        core.end_build(&build, end).await.unwrap();
        core.end_build(&build, BuildEnd::default()).await.unwrap();
        let topics = ["build-finished".to_owned()];
        let event = core.coming_event("hello", &topics).await.unwrap().unwrap();
        let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        let expected = serde_json::json!({
            "buildId": "b1", "projectId": projects[0], "slot": "hello", "ok": false, "reason": "It broke",
            "commitSha": "c0ffee", "code": "not-newest",
        });
        assert_eq!(data, expected);
        core.acknowledge(&Lease::alone(), "hello", event.id).await.unwrap();
        assert_eq!(core.coming_event("hello", &topics).await.unwrap(), None);
    }

    async fn only_ended_builds_of_the_slot_are_forgotten(Opened { core, .. }: Opened) {
        let projects = make(&core, &["alpha"]).await;
        enqueue(&core, "b1", &projects[0]).await;
        core.forget_build("hello", "b1").await.unwrap();
        assert_eq!(
            core.build_state("hello", "b1").await.unwrap().as_deref(),
            Some("queued")
        );
        let build = core.start_build().await.unwrap().unwrap();
        core.end_build(&build, BuildEnd::default()).await.unwrap();
        core.forget_build("other", "b1").await.unwrap();
        assert_eq!(core.build_state("hello", "b1").await.unwrap().as_deref(), Some("ended"));
        assert_eq!(core.build_state("other", "b1").await.unwrap(), None);
        core.forget_build("hello", "b1").await.unwrap();
        assert_eq!(core.build_state("hello", "b1").await.unwrap(), None);
    }
}
