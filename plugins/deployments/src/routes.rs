//! The routes that read deployments and choose the live one.

use galley_sdk::prelude::*;
use galley_sdk::{logs, sites};
use serde::{Deserialize, Serialize};

use crate::outcome;
use crate::record::{Deployment, not_found};

/// The most deployments of a page.
const MAX_PAGE: u32 = 200;

/// The query of the list.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    before: Option<String>,
    limit: Option<String>,
}

/// The answer of the list.
#[derive(Debug, Serialize)]
pub struct List {
    deployments: Vec<Deployment>,
    /// The value of `before` for the next page; null at the end.
    next: Option<u64>,
}

/// GET `…/deployments?before=41&limit=20`: `{ "deployments": […], "next": 21 }`, newest first. Without `limit` all of them.
pub fn list(project: ProjectId, Query(wanted): Query<Wanted>) -> Result<Json<List>> {
    let before = wanted.before.map_or(Ok(u64::MAX), |text| {
        text.parse()
            .map_err(|_| Error::bad_request("`before` must be the number of a deployment"))
    })?;
    let limit = wanted.limit.map(|text| match text.parse() {
        Ok(limit @ 1..=MAX_PAGE) => Ok(limit),
        _ => Err(Error::bad_request("`limit` must be a whole number from 1 to 200")),
    });
    let limit = limit.transpose()?;
    // One more than asked for tells whether there is a next page.
    let mut deployments = Deployment::page(&project, before, limit.map_or(u32::MAX, |limit| limit + 1))?;
    let kept = limit.map_or(deployments.len(), |limit| limit as usize);
    let is_more = deployments.len() > kept;
    deployments.truncate(kept);
    let next = deployments.last().filter(|_| is_more).map(|last| last.number);
    Ok(Json(List { deployments, next }))
}

/// GET `/deployments/{deployment}`.
pub fn show(project: ProjectId, Path(id): Path<String>) -> Result<Json<Deployment>> {
    Deployment::find(&project, &id).map(Json)
}

/// POST `…/activate`: 200 with the deployment. Only a pointer changes; nothing is built again.
pub fn activate(project: ManagedProject, Path(id): Path<String>) -> Result<Json<Deployment>> {
    let deployment = Deployment::find(&project, &id)?;
    if deployment.status != "ready" {
        return Err(Error::conflict(format!(
            "The deployment is {}; only a ready one can be activated",
            deployment.status
        )));
    }
    sites::activate(&project, &id).map_err(|problem| match problem.code.as_str() {
        "not-found" => not_found(),
        _ => problem.into(),
    })?;
    outcome::live(sql::batch(), &id, true)?.run()?;
    Deployment::find(&project, &id).map(Json)
}

/// DELETE `/deployments/{deployment}`: 204; its files and its log go, its number is not given again.
pub fn remove(project: ManagedProject, Path(id): Path<String>) -> Result<NoContent> {
    const LIVE: &str = "The deployment is live: activate another one before deleting it";
    let deployment = Deployment::find(&project, &id)?;
    if deployment.active {
        return Err(Error::conflict(LIVE));
    }
    if deployment.status == "building" {
        return Err(Error::conflict(
            "The deployment is being built: cancel the build before deleting it",
        ));
    }
    // Files first: a crash in between leaves a record that can be deleted again.
    sites::remove(&project, &id).map_err(|problem| match problem.code.as_str() {
        "live" => Error::conflict(LIVE),
        _ => problem.into(),
    })?;
    logs::remove(&id)?;
    sql::execute(sql!("DELETE FROM deployments WHERE id = ?1"), params![&id])?;
    Ok(NoContent)
}

/// GET `…/log/stream`: the log from its start, then additions, then the final status.
pub fn watch(Path(id): Path<String>) -> Result<Tail> {
    tail::log(&id, 25_000).map_err(|problem| match problem.code.as_str() {
        "not-found" => Error::not_found("The deployment has no log"),
        _ => problem.into(),
    })
}
