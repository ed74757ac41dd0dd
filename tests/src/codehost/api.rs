//! The REST API for tokens of people and of installations.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::paging::page;
use super::router::{message, not_found};
use super::state::State;
use super::world::{Installation, Person, Repository, World};
use super::{API_PATH, APP_SLUG};

/// The token of an `Authorization` header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").or_else(|| value.strip_prefix("token "))
}

fn bad_credentials() -> Response {
    message(401, "Bad credentials")
}

/// The person behind a request.
fn person(state: &State, headers: &HeaderMap) -> Result<(World, Person), Response> {
    let login = bearer(headers).and_then(|token| state.user_of(token));
    let world = state.world();
    let person = login.and_then(|login| world.person(&login).cloned());
    match person {
        Some(person) => Ok((world, person)),
        None => Err(bad_credentials()),
    }
}

/// `GET /user`.
pub async fn user(Shared(state): Shared<Arc<State>>, headers: HeaderMap) -> Result<Response, Response> {
    let (_, person) = person(&state, &headers)?;
    let name = &person.name;
    // The address of a profile is public and seldom shown; it says nothing about being verified.
    Ok(
        Json(json!({ "id": person.id, "login": person.login, "name": name, "email": null, "type": "User" }))
            .into_response(),
    )
}

/// `GET /user/emails`.
pub async fn emails(Shared(state): Shared<Arc<State>>, headers: HeaderMap, uri: Uri) -> Result<Response, Response> {
    let (_, person) = person(&state, &headers)?;
    let entry = |(email, primary, verified): &(String, bool, bool)| json!({ "email": email, "primary": primary, "verified": verified, "visibility": null });
    let all: Vec<Value> = person.emails.iter().map(entry).collect();
    let (links, emails) = page(&state, &uri, &all);
    Ok((links, Json(emails)).into_response())
}

/// An installation on the wire.
pub fn installation_json(installation: &Installation) -> Value {
    json!({
        "id": installation.id,
        "account": { "login": installation.account, "type": "Organization", "avatar_url": "https://avatars.example/1" },
        "app_slug": APP_SLUG, "repository_selection": "selected", "target_type": "Organization",
        "permissions": { "contents": "read", "metadata": "read" },
    })
}

/// A repository on the wire.
pub fn repository_json(repository: &Repository) -> Value {
    json!({
        "id": repository.id, "name": repository.name, "full_name": repository.full_name(), "private": true,
        "owner": { "login": repository.owner, "type": "Organization" },
        "default_branch": repository.default_branch, "archived": false,
    })
}

/// `GET /user/installations`.
pub async fn user_installations(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Response> {
    let (world, person) = person(&state, &headers)?;
    let visible = person.installations.iter().filter_map(|id| world.installation(*id));
    let all: Vec<Value> = visible.map(installation_json).collect();
    let (links, installations) = page(&state, &uri, &all);
    Ok((
        links,
        Json(json!({ "total_count": all.len(), "installations": installations })),
    )
        .into_response())
}

/// `GET /user/installations/{id}/repositories`.
pub async fn user_repositories(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Response> {
    let (world, person) = person(&state, &headers)?;
    let visible = person.installations.contains(&id);
    let installation = world.installation(id).filter(|_| visible).ok_or_else(not_found)?;
    Ok(repositories(&state, &uri, installation.repositories.iter()))
}

fn repositories<'r>(state: &State, uri: &Uri, all: impl Iterator<Item = &'r Repository>) -> Response {
    let all: Vec<Value> = all.map(repository_json).collect();
    let (links, repositories) = page(state, uri, &all);
    (
        links,
        Json(json!({ "total_count": all.len(), "repositories": repositories })),
    )
        .into_response()
}

/// `GET /installation/repositories`: what an installation token reaches.
pub async fn installation_repositories(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Response> {
    let token = bearer(&headers).and_then(|token| state.installation_token(token));
    let token = token.ok_or_else(bad_credentials)?;
    let world = state.world();
    let installation = world.installation(token.installation).ok_or_else(not_found)?;
    let reached = installation
        .repositories
        .iter()
        .filter(|repository| token.reaches(repository));
    Ok(repositories(&state, &uri, reached))
}

/// The repository a request names, when its token reaches it.
fn reached(state: &State, headers: &HeaderMap, owner: &str, name: &str) -> Result<Repository, Response> {
    let token = bearer(headers).ok_or_else(bad_credentials)?;
    let world = state.world();
    let found = world.repository(owner, name);
    let sees = |installation: &Installation, repository: &Repository| match (
        state.user_of(token),
        state.installation_token(token),
    ) {
        (Some(login), _) => world
            .person(&login)
            .is_some_and(|person| person.installations.contains(&installation.id)),
        (None, Some(token)) => token.installation == installation.id && token.reaches(repository),
        (None, None) => false,
    };
    if state.user_of(token).is_none() && state.installation_token(token).is_none() {
        return Err(bad_credentials());
    }
    let (_, repository) = found
        .filter(|(installation, repository)| sees(installation, repository))
        .ok_or_else(not_found)?;
    Ok(repository.clone())
}

/// `GET /repos/{owner}/{name}`.
pub async fn repository(
    Shared(state): Shared<Arc<State>>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let former = format!("{owner}/{name}");
    if let Some(id) = state.world().renamed.get(&former.to_lowercase()) {
        let to = format!("http://{}{API_PATH}/repositories/{id}", state.address);
        return Ok((StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, to)]).into_response());
    }
    let repository = reached(&state, &headers, &owner, &name)?;
    Ok(Json(repository_json(&repository)).into_response())
}

/// `GET /repositories/{id}`, where the former name of a repository leads.
pub async fn repository_by_id(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let world = state.world();
    let mut all = world
        .installations
        .iter()
        .flat_map(|installation| &installation.repositories);
    let named = all.find(|repository| repository.id == id).ok_or_else(not_found)?;
    let repository = reached(&state, &headers, &named.owner, &named.name)?;
    Ok(Json(repository_json(&repository)).into_response())
}

/// `GET /repos/{owner}/{name}/branches`.
pub async fn branches(
    Shared(state): Shared<Arc<State>>,
    Path((owner, name)): Path<(String, String)>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Response> {
    let repository = reached(&state, &headers, &owner, &name)?;
    let entry = |name: &String| json!({ "name": name, "commit": { "sha": "0".repeat(40) }, "protected": false });
    let all: Vec<Value> = repository.branches.iter().map(entry).collect();
    let (links, branches) = page(&state, &uri, &all);
    Ok((links, Json(branches)).into_response())
}
