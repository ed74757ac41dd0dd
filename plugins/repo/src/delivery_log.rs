//! GET `/projects/{project}/deliveries`: what became of each push to the repository a project is connected to, also of those
//! that were ignored, and why.
//!
//! A row is written for each project that was connected when the push came. The event `push-handled` later adds what was
//! built of it.

use galley_sdk::clock;
use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;
use galley_sdk::sql::{Batch, FromRow, Row};
use serde::{Deserialize, Serialize};

use crate::payload::Push;

/// Most pushes that are kept for a project.
const MAX_ENTRIES: i64 = 100;
/// How long a push is kept, in milliseconds: 30 days.
const MAX_AGE: u64 = 30 * 86_400_000;
/// Longest texts that are kept of a push, in bytes. Names of branches have at most 250 where they matter.
const MAX_TEXT: usize = 300;

/// What became of a push for one project, as it is written down.
pub struct Entry<'p> {
    pub project: &'p str,
    /// What the code host calls the delivery.
    pub delivery: &'p str,
    pub push: &'p Push,
    /// Why nothing is built of it; `None` when a build was asked for.
    pub ignored: Option<&'p str>,
}

/// Adds the statements that write an entry, and drop those past the bounds.
pub fn add(batch: Batch, entry: &Entry<'_>) -> Batch {
    let now = clock::now_ms();
    let push = entry.push;
    let outcome = if entry.ignored.is_some() { "ignored" } else { "queued" };
    batch
        .step(
            sql!(
                "INSERT INTO delivery_log (project_id, delivery_id, received_at, received_ms, repository_id, repository, branch, \
                 commit_sha, outcome, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
                 ON CONFLICT (project_id, delivery_id) DO UPDATE SET received_at = excluded.received_at, \
                 received_ms = excluded.received_ms, outcome = excluded.outcome, reason = excluded.reason"
            ),
            params![
                entry.project,
                entry.delivery,
                clock::now(),
                now as i64,
                push.repository.id as i64,
                shortened(&push.repository.full_name),
                push.branch().map(shortened),
                shortened(&push.after),
                outcome,
                entry.ignored.map(shortened)
            ],
        )
        .step(
            sql!("DELETE FROM delivery_log WHERE received_ms <= ?1"),
            params![now.saturating_sub(MAX_AGE) as i64],
        )
        .step(
            sql!(
                "DELETE FROM delivery_log WHERE project_id = ?1 AND seq <= \
                 (SELECT seq FROM delivery_log WHERE project_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)"
            ),
            params![entry.project, MAX_ENTRIES],
        )
}

/// The start of a text, cut at a whole character.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct List {
    deliveries: Vec<Delivery>,
}

/// A push, as it stands in the answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Delivery {
    /// What the code host calls it.
    id: String,
    /// `push`; other events are not kept.
    event: &'static str,
    received_at: String,
    /// What the repository was called then.
    repository: String,
    branch: Option<String>,
    commit_sha: String,
    /// `queued` or `ignored`.
    outcome: String,
    /// Why it was ignored.
    reason: Option<String>,
    /// What was built of it.
    deployment_ids: Vec<String>,
}

impl<'r> FromRow<'r> for Delivery {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Delivery, Problem> {
        Ok(Delivery {
            event: "push",
            id: row.take()?,
            received_at: row.take()?,
            repository: row.take()?,
            branch: row.take()?,
            commit_sha: row.take()?,
            outcome: row.take()?,
            reason: row.take()?,
            deployment_ids: row.take::<Option<String>>()?.into_iter().collect(),
        })
    }
}

/// GET: at most [`MAX_ENTRIES`], newest first.
pub fn list(project: ProjectId) -> Result<Json<List>> {
    let sql = sql!(
        "SELECT delivery_id, received_at, repository, branch, commit_sha, outcome, reason, deployment_id \
         FROM delivery_log WHERE project_id = ?1 AND received_ms > ?2 ORDER BY seq DESC LIMIT ?3"
    );
    let since = clock::now_ms().saturating_sub(MAX_AGE) as i64;
    let deliveries = sql::all(sql, params![&project, since, MAX_ENTRIES])?;
    Ok(Json(List { deliveries }))
}

/// Forgets pushes to other repositories than this one, which the project is connected to now.
pub fn keep_only(project: &ProjectId, repository: u64) -> Result<()> {
    let sql = sql!("DELETE FROM delivery_log WHERE project_id = ?1 AND repository_id <> ?2");
    sql::execute(sql, params![project, repository as i64])?;
    Ok(())
}

/// The data of the event `push-handled`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Handled {
    project_id: String,
    delivery_id: String,
    /// What is built of it.
    deployment_id: Option<String>,
    /// Why nothing is built of it after all.
    ignored: Option<String>,
}

/// `push-handled`.
pub fn handled(event: Event<Handled>) -> Result<()> {
    let told = event.data;
    let sql = sql!(
        "UPDATE delivery_log SET deployment_id = coalesce(?3, deployment_id), reason = coalesce(?4, reason), \
         outcome = CASE WHEN ?4 IS NULL THEN outcome ELSE 'ignored' END WHERE project_id = ?1 AND delivery_id = ?2"
    );
    let ignored = told.ignored.as_deref().map(shortened);
    sql::execute(
        sql,
        params![told.project_id, told.delivery_id, told.deployment_id, ignored],
    )?;
    Ok(())
}

/// `project-deleted`.
pub fn project_deleted(event: Event<ProjectDeleted>) -> Result<()> {
    sql::execute(
        sql!("DELETE FROM delivery_log WHERE project_id = ?1"),
        params![event.data.project_id],
    )?;
    Ok(())
}
