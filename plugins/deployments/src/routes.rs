//! The routes that read deployments and choose the live one.

use galley_sdk::prelude::*;
use galley_sdk::sites;
use serde::Serialize;

use crate::outcome;
use crate::record::{Deployment, not_found};

/// The answer of the list.
#[derive(Debug, Serialize)]
pub struct List {
    deployments: Vec<Deployment>,
}

/// GET `…/deployments`: `{ "deployments": […] }`, newest first.
pub fn list(project: ProjectId) -> Result<Json<List>> {
    Ok(Json(List {
        deployments: Deployment::all(&project)?,
    }))
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

/// GET `…/log/stream`: the log from its start, then additions, then the final status.
pub fn watch(Path(id): Path<String>) -> Result<Tail> {
    tail::log(&id, 25_000).map_err(|problem| match problem.code.as_str() {
        "not-found" => Error::not_found("The deployment has no log"),
        _ => problem.into(),
    })
}
