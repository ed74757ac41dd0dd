//! Handles the end of a build: it becomes a live deployment, or a failed one that changes nothing.
//!
//! The event may come more than once, and a crash may happen between any two steps, so each step checks the present state.

use galley_sdk::builds::{self, BuildFinished, NOT_NEWEST};
use galley_sdk::prelude::*;
use galley_sdk::sites::Tree;
use galley_sdk::{clock, logs};

use crate::build::{PushHandled, start_next};
use crate::cover::Cover;
use crate::outcome;
use crate::record::is_published;
use crate::upload::finish;
use crate::{notes, warnings};

/// The slot this plugin fills.
pub(crate) const SLOT: &str = "deployments";

/// How a deployment ends, unless the host has to be asked again.
enum End {
    /// It is live.
    Ready,
    /// It failed; with the reason, unless the host has written it to the log already.
    Failed(Option<&'static str>),
}

/// `build-finished`.
pub fn finished(event: Event<BuildFinished>) -> Result<()> {
    let build = event.data;
    if build.slot != SLOT {
        return Ok(());
    }
    let sql = sql!("SELECT status FROM deployments WHERE id = ?1 AND project_id = ?2");
    let known: Option<(String,)> = sql::one(sql, params![build.build_id.as_str(), build.project_id.as_str()])?;
    match known.as_ref().map(|(status,)| status.as_str()) {
        Some("building") => conclude(&build)?,
        // It was cancelled, which marks the record at once and leaves the log to this.
        Some("failed") => logs::open(&build.build_id)?.close("failed")?,
        _ => {}
    }
    builds::forget(&build.build_id)?;
    start_next(&build.project_id)
}

fn conclude(build: &BuildFinished) -> Result<()> {
    let id = build.build_id.as_str();
    let sql = sql!("UPDATE deployments SET commit_sha = coalesce(?2, commit_sha) WHERE id = ?1");
    sql::execute(sql, params![id, build.commit_sha.as_deref()])?;
    if build.code.as_deref() == Some(NOT_NEWEST) {
        tell_pusher(build)?;
    }
    let end = if build.ok { publish(build)? } else { End::Failed(None) };
    match end {
        End::Ready => finish(id).map(drop),
        End::Failed(reason) => fail(id, reason, reason.or(build.reason.as_deref())),
    }
}

/// Tells the slot that keeps the pushes that no build was made of this one.
fn tell_pusher(build: &BuildFinished) -> Result<()> {
    let sql = sql!("SELECT delivery FROM deployments WHERE id = ?1 AND delivery IS NOT NULL");
    let Some((delivery,)) = sql::one::<(String,)>(sql, params![build.build_id.as_str()])? else {
        return Ok(());
    };
    let told = PushHandled {
        project_id: &build.project_id,
        delivery_id: &delivery,
        deployment_id: Some(&build.build_id),
        ignored: build.reason.as_deref(),
    };
    Ok(told.publish()?)
}

/// Takes the output and makes it live.
fn publish(build: &BuildFinished) -> Result<End> {
    let (project, id) = (build.project_id.as_str(), build.build_id.as_str());
    let tree = match builds::take_tree(id) {
        Ok(tree) => tree,
        Err(problem) if problem.is("gone") && is_published(project, id)? => return Ok(End::Ready),
        Err(problem) if problem.is("gone") => {
            return Ok(End::Failed(Some(
                "The output was lost before it could be stored: build again",
            )));
        }
        Err(problem) => return Err(problem.into()),
    };
    if tree.stat("index.html").is_none() {
        return Ok(End::Failed(Some(
            "The output has no index.html at its root: is the output folder the right one?",
        )));
    }
    measure(id, &tree)?;
    say(id, &warnings::of(&tree))?;
    say(id, &notes::of(&tree)?)?;
    match tree.publish(project, id) {
        Ok(()) => Ok(End::Ready),
        Err(problem) if problem.is("exists") => Ok(End::Ready),
        Err(problem) if problem.is("not-found") => Ok(End::Failed(Some("The project is gone"))),
        Err(problem) => Err(problem.into()),
    }
}

/// Records what is known of the output.
fn measure(id: &str, tree: &Tree) -> Result<()> {
    let cover = Cover::of(tree);
    let sql = sql!(
        "UPDATE deployments SET file_count = ?2, size_bytes = ?3, title = ?4, colour = ?5, icon = ?6 WHERE id = ?1"
    );
    let (files, bytes) = (tree.files(), tree.bytes() as i64);
    let cover = (cover.title.as_deref(), cover.colour.as_deref(), cover.icon.as_deref());
    sql::execute(sql, params![id, files, bytes, cover.0, cover.1, cover.2])?;
    Ok(())
}

/// Records a failure. `reason` goes to the log; `known` may stand in it already, and goes to those who subscribed.
fn fail(id: &str, reason: Option<&str>, known: Option<&str>) -> Result<()> {
    if let Some(reason) = reason {
        say(id, &format!("{reason}\n"))?;
    }
    let sql = sql!("UPDATE deployments SET status = 'failed', finished_at = ?2 WHERE id = ?1");
    outcome::failed(sql::batch().step(sql, params![id, clock::now()]), id, false, known)?.run()?;
    Ok(logs::open(id)?.close("failed")?)
}

/// Appends to the log, unless it is full or closed.
fn say(id: &str, text: &str) -> Result<()> {
    match logs::open(id)?.append(text) {
        Err(problem) if !problem.is("closed") && !problem.is("too-large") => Err(problem.into()),
        _ => Ok(()),
    }
}
