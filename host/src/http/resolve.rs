//! `POST /api/v1/projects/resolve`: finds the project of a repository or slug that an editor has. It grants no access, and
//! reveals only the id of a project that the caller could name.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::caller::Reader;
use super::error::ApiError;
use super::json::Unread;
use super::remote::normalise;
use super::slug;
use crate::core::Project;
use crate::identity::{Caller, access};

/// Decides between adopting an existing project, creating one, and a conflict.
pub async fn resolve(
    State(app): State<Arc<App>>,
    Reader(caller): Reader,
    body: Unread,
) -> Result<Json<Value>, ApiError> {
    let (body, caller) = body.json(&caller, |_| Ok(())).await?;
    let caller = caller.into_reader();
    let embedded = body.text("embeddedId")?.filter(|id| !id.is_empty());
    let remote = body.text("remoteUrl")?.filter(|url| !url.is_empty());
    let name = body.text("name")?.filter(|name| !name.is_empty());
    if embedded.is_none() && remote.is_none() {
        return Err(ApiError::bad_request("`embeddedId` or `remoteUrl` is required"));
    }
    let normal = remote.as_deref().and_then(normalise);
    let by_id = embedded.as_deref().and_then(|id| app.core.project(id));
    let by_remote = normal.as_deref().and_then(|normal| with_remote(&app, normal));
    Ok(Json(match (by_id, by_remote) {
        (Some(by_id), Some(by_remote)) if by_id.id != by_remote.id => conflict(
            &by_remote,
            "The embedded id and the remote belong to two different projects",
        ),
        (Some(project), None) if normal.is_some() && has_another_remote(&project, normal.as_deref()) => conflict(
            &project,
            "The project with the embedded id is connected to another remote",
        ),
        (Some(project), _) | (None, Some(project)) => {
            json!({ "decision": "adopt", "project": disclosed(&app, &caller, &project) })
        }
        (None, None) => {
            let last = normal.as_deref().and_then(|normal| normal.rsplit('/').next());
            let wanted = name.as_deref().or(last).unwrap_or_default();
            json!({ "decision": "mint", "suggestedSlug": slug::suggest(wanted) })
        }
    }))
}

fn with_remote(app: &App, normal: &str) -> Option<Arc<Project>> {
    let mut projects = app.core.projects().into_iter();
    projects.find(|project| project.repo_url.as_deref().and_then(normalise).as_deref() == Some(normal))
}

fn has_another_remote(project: &Project, normal: Option<&str>) -> bool {
    let own = project.repo_url.as_deref().and_then(normalise);
    own.is_some() && own.as_deref() != normal
}

fn conflict(project: &Project, reason: &str) -> Value {
    json!({ "decision": "conflict", "conflictWith": project.id, "reason": reason })
}

/// The whole record for callers who may read the project; only its id for others.
fn disclosed(app: &App, caller: &Caller, project: &Project) -> Value {
    if access::may_read(&app.core, caller, project) {
        return super::projects::describe(app, caller, project);
    }
    json!({ "id": project.id })
}
