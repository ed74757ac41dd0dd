//! Projects.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::json::{JsonBody, Unread};
use super::request::{Asked, Params};
use super::{repo_url, slug};
use crate::accounts::Role;
use crate::core::{Access, CoreError, Project};
use crate::identity::{Caller, access};
use crate::projects::{NewProject, ProjectChange};
use crate::storage::id::rfc3339;

const MAX_NAME: usize = 200;

/// A project in the API's format. Callers who may manage it also get the values that plugins attached to it, each under its
/// slot's name; the member of the connection to its source is present even when nothing is connected.
pub fn describe(app: &App, caller: &Caller, project: &Project) -> Value {
    // Addresses that were stored before the rules of today are held to them too.
    let repo_url = project.repo_url.as_deref().and_then(repo_url::clean);
    let mut described = json!({
        "id": project.id, "slug": project.slug, "name": project.name, "repoUrl": repo_url,
        "access": project.access.as_str(), "url": app.config.project_url(&project.slug),
        "openUrl": app.config.open_url(&project.slug),
        "canManage": access::manage(&app.core, caller, &project.id, true).is_ok(),
        "createdAt": rfc3339(project.created_at), "updatedAt": rfc3339(project.updated_at),
        "activeDeploymentId": project.live_version,
    });
    if access::editor(caller).is_ok() {
        described["repo"] = Value::Null;
        for (slot, value) in app.core.attachments(&project.id) {
            // A slot with the name of a member does not replace it.
            if described[&slot].is_null() {
                described[&slot] = (*value).clone();
            }
        }
    }
    described
}

/// The query of the list.
#[derive(Deserialize)]
pub struct Wanted {
    slug: Option<String>,
}

/// `GET /api/v1/projects`: those the caller may read. With `?slug=` only the one of that slug, as [`get`] shows it.
pub async fn list(State(app): State<Arc<App>>, caller: Caller, Asked(wanted): Asked<Wanted>) -> Json<Value> {
    let reader = caller.clone().into_reader();
    let is_readable = |project: &Arc<Project>| access::may_read(&app.core, &reader, project);
    let described: Vec<_> = match wanted.slug {
        None => {
            let projects = app.core.projects();
            let readable = projects.iter().filter(|project| is_readable(project));
            readable.map(|project| describe(&app, &reader, project)).collect()
        }
        Some(slug) => {
            let found = app.core.project_by_slug(&slug).filter(is_readable);
            found
                .iter()
                .map(|project| describe_one(&app, &caller, project))
                .collect()
        }
    };
    Json(json!({ "projects": described }))
}

/// A project with whether this caller may add remarks.
fn describe_one(app: &App, caller: &Caller, project: &Project) -> Value {
    let mut described = describe(app, &caller.clone().into_reader(), project);
    described["canComment"] = access::contribute(&app.core, caller, &project.id).is_ok().into();
    described
}

/// `GET /api/v1/projects/:id`, with whether this caller may add remarks.
pub async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
) -> Result<Json<Value>, ApiError> {
    let reader = caller.clone().into_reader();
    let project = access::read(&app.core, &reader, &id)?;
    Ok(Json(describe_one(&app, &caller, &project)))
}

/// `POST /api/v1/projects`.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: Unread,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (body, caller) = body.json(&caller, may_create).await?;
    let wanted = body.exact_text("slug")?.unwrap_or_default();
    slug::check(&wanted)?;
    let name = body.required_name("name", MAX_NAME)?;
    let access = asked_access(&app, &body)?.unwrap_or(Access::AllMembers);
    // Without this an editor could not open the project they just made.
    let creator = caller
        .account()
        .filter(|account| access == Access::Invited && account.role != Role::Admin);
    let listed = creator.map(|account| account.id.clone());
    let new = NewProject {
        slug: wanted,
        name,
        access,
        listed,
    };
    let project = app.core.create_project(new).await.map_err(|error| match error {
        CoreError::TooMany => ApiError::conflict("This slug and its 50 suffixes are taken: choose another slug"),
        error => error.into(),
    })?;
    Ok((StatusCode::CREATED, Json(describe(&app, &caller, &project))))
}

fn may_create(caller: &Caller) -> Result<(), ApiError> {
    if matches!(caller, Caller::Anonymous) {
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "Sign in to create a project"));
    }
    access::write_scope(caller)?;
    Ok(access::editor(caller)?)
}

/// `PATCH /api/v1/projects/:id`.
pub async fn update(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
    body: Unread,
) -> Result<Json<Value>, ApiError> {
    let admit = |caller: &Caller| Ok(access::manage(&app.core, caller, &id, true).map(drop)?);
    let (body, caller) = body.json(&caller, admit).await?;
    let mut change = ProjectChange {
        access: asked_access(&app, &body)?,
        ..ProjectChange::default()
    };
    if body.has("name") {
        change.name = Some(body.required_name("name", MAX_NAME)?);
    }
    if body.has("repoUrl") {
        change.repo_url = Some(asked_repo_url(&body)?);
    }
    let project = app.core.update_project(&id, change).await.map_err(missing)?;
    Ok(Json(describe(&app, &caller, &project)))
}

/// `DELETE /api/v1/projects/:id`, with everything the host and the plugins keep of it.
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
) -> Result<StatusCode, ApiError> {
    access::manage(&app.core, &caller, &id, true)?;
    app.core.delete_project(&id).await.map_err(|error| match error {
        CoreError::Building => ApiError::conflict("A build is already running for this project"),
        error => missing(error),
    })?;
    let services = app.services.clone();
    // The rows are gone: files that a crash leaves behind are swept at the next boot.
    tokio::task::spawn_blocking(move || {
        if let Err(error) = services.sites.remove_project(&id) {
            tracing::warn!("files of a deleted project are left for the next boot: {error}");
        }
    });
    Ok(StatusCode::NO_CONTENT)
}

fn missing(error: CoreError) -> ApiError {
    match error {
        CoreError::NotFound => access::project_not_found().into(),
        error => error.into(),
    }
}

fn asked_access(app: &App, body: &JsonBody) -> Result<Option<Access>, ApiError> {
    let Some(text) = body.text("access")? else {
        return Ok(None);
    };
    let access = Access::parse(&text)
        .ok_or_else(|| ApiError::bad_request("`access` must be `all-members`, `invited` or `public-link`"))?;
    if access == Access::PublicLink && !app.core.settings().allow_public_links {
        return Err(ApiError::conflict(
            "Public links are turned off on this instance: an admin can allow them",
        ));
    }
    Ok(Some(access))
}

fn asked_repo_url(body: &JsonBody) -> Result<Option<String>, ApiError> {
    let Some(url) = body.text("repoUrl")?.filter(|url| !url.is_empty()) else {
        return Ok(None);
    };
    let cleaned = repo_url::clean(&url);
    cleaned.map(Some).ok_or_else(|| ApiError::bad_request(repo_url::RULE))
}
