//! The REST API for the app itself, which shows a token it signed with its key.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode};
use serde_json::{Value, json};

use super::api::{bearer, installation_json, repository_json};
use super::paging::page;
use super::router::{message, not_found};
use super::state::{InstallationToken, State};
use super::{APP_ID, APP_SLUG};

/// The longest life of an app's token in seconds.
const MAX_LIFE: i64 = 600;

/// Checks the app's token as GitHub does: the signature, who it is from, and that it lives ten minutes at most.
fn verify(state: &State, headers: &HeaderMap) -> Result<(), Response> {
    let refuse = |why: &str| Err(message(401, why));
    let Some(token) = bearer(headers) else {
        return refuse("A JSON web token could not be decoded");
    };
    let key = DecodingKey::from_rsa_pem(state.public_key.as_bytes()).expect("the double's own key");
    let mut rules = Validation::new(Algorithm::RS256);
    rules.leeway = 0;
    let claims = match decode::<Value>(token, &key, &rules) {
        Ok(token) => token.claims,
        Err(error) => return refuse(&format!("A JSON web token could not be decoded: {error}")),
    };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs() as i64);
    let (Some(issued), Some(expires)) = (claims["iat"].as_i64(), claims["exp"].as_i64()) else {
        return refuse("'Issued at' and 'Expiration time' claims must be numbers");
    };
    if issued > now {
        return refuse(
            "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
        );
    }
    if expires > now + MAX_LIFE || expires - issued > MAX_LIFE {
        return refuse("'Expiration time' claim ('exp') is too far in the future");
    }
    if claims["iss"].as_str() != Some(APP_ID) {
        return refuse("Integration not found");
    }
    Ok(())
}

/// `GET /app`.
pub async fn app(Shared(state): Shared<Arc<State>>, headers: HeaderMap) -> Result<Response, Response> {
    verify(&state, &headers)?;
    Ok(Json(json!({ "id": 424_242, "slug": APP_SLUG, "name": "Galley review" })).into_response())
}

/// `GET /app/installations`.
pub async fn installations(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Response> {
    verify(&state, &headers)?;
    let all: Vec<Value> = state.world().installations.iter().map(installation_json).collect();
    let (links, installations) = page(&state, &uri, &all);
    Ok((links, Json(installations)).into_response())
}

/// `GET /app/installations/{id}`.
pub async fn installation(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
) -> Result<Response, Response> {
    verify(&state, &headers)?;
    let world = state.world();
    let installation = world.installation(id).ok_or_else(not_found)?;
    Ok(Json(installation_json(installation)).into_response())
}

/// `POST /app/installations/{id}/access_tokens`: the body may narrow the token to repositories and permissions.
pub async fn access_token(
    Shared(state): Shared<Arc<State>>,
    Path(id): Path<u64>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Response> {
    verify(&state, &headers)?;
    let world = state.world();
    let installation = world.installation(id).ok_or_else(not_found)?;
    let asked: Value = serde_json::from_str(&body).unwrap_or_default();
    let names: Option<Vec<String>> = asked["repositories"].as_array().map(|names| {
        let names = names.iter().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    });
    let has = |name: &String| {
        installation
            .repositories
            .iter()
            .any(|there| there.name.eq_ignore_ascii_case(name))
    };
    let ids: Option<Vec<u64>> = asked["repository_ids"].as_array().map(|ids| {
        let ids = ids.iter().filter_map(Value::as_u64);
        ids.collect()
    });
    let has_id = |id: &u64| installation.repositories.iter().any(|there| there.id == *id);
    if !names.iter().flatten().all(has) || !ids.iter().flatten().all(has_id) {
        return Err(message(
            422,
            "There is at least one repository that does not exist or is not accessible to the parent installation.",
        ));
    }
    let permissions = asked.get("permissions").cloned();
    let token = InstallationToken {
        installation: id,
        repositories: names,
        repository_ids: ids,
        permissions: permissions.clone(),
    };
    let reached: Vec<Value> = installation
        .repositories
        .iter()
        .filter(|repository| token.reaches(repository))
        .map(repository_json)
        .collect();
    let answer = json!({
        "token": state.issue_installation_token(token),
        "expires_at": state.installation_tokens_end(),
        "permissions": permissions.unwrap_or_else(|| json!({ "contents": "read", "metadata": "read" })),
        "repository_selection": "selected", "repositories": reached,
    });
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}
