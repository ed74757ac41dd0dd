//! Personal access tokens of the signed-in person.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::json::Unread;
use super::me::scopes;
use super::request::Params;
use crate::accounts::{NewToken, Token};
use crate::core::CoreError;
use crate::identity::Caller;
use crate::storage::id::{now_ms, rfc3339};

const MAX_NAME: usize = 64;
const DAYS: std::ops::RangeInclusive<i64> = 1..=365;
const DAY_MS: i64 = 24 * 3600 * 1000;

/// The account of a browser session. Other credentials cannot manage tokens.
fn owner(caller: &Caller) -> Result<&str, ApiError> {
    match caller {
        Caller::Session { account, .. } => Ok(&account.id),
        Caller::Token { .. } => Err(ApiError::forbidden("Personal access tokens cannot manage tokens")),
        Caller::Admin => Err(ApiError::forbidden(
            "The admin token cannot manage personal access tokens",
        )),
        Caller::Anonymous => Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "Sign in with a browser to manage tokens",
        )),
    }
}

fn describe(token: &Token) -> Value {
    json!({
        "id": token.id, "name": token.name, "scopes": scopes(token.can_read, token.can_write),
        "createdAt": rfc3339(token.created_at), "lastUsedAt": token.last_used_at.map(rfc3339),
        "expiresAt": token.expires_at.map(rfc3339),
    })
}

/// `GET /api/v1/tokens`: the caller's own, never a secret.
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Value>, ApiError> {
    let tokens = app.core.tokens(owner(&caller)?).await?;
    Ok(Json(
        json!({ "tokens": tokens.iter().map(describe).collect::<Vec<_>>() }),
    ))
}

/// `POST /api/v1/tokens`: the only answer that holds the token itself.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: Unread,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (body, caller) = body.json(&caller, |caller| owner(caller).map(drop)).await?;
    let user_id = owner(&caller)?.to_owned();
    let name = body.required_name("name", MAX_NAME)?;
    let asked = body.texts("scopes")?.unwrap_or_default();
    if asked.is_empty() || asked.iter().any(|scope| scope != "read" && scope != "write") {
        return Err(ApiError::bad_request(
            "`scopes` must be a list with `read`, `write` or both",
        ));
    }
    let expires_at = match body.integer("expiresInDays")? {
        None => None,
        Some(days) if DAYS.contains(&days) => Some(now_ms() + days * DAY_MS),
        Some(_) => {
            return Err(ApiError::bad_request(
                "`expiresInDays` must be a whole number from 1 to 365",
            ));
        }
    };
    let has = |scope: &str| asked.iter().any(|asked| asked == scope);
    let new = NewToken {
        user_id,
        name,
        can_read: has("read"),
        can_write: has("write"),
        expires_at,
    };
    let (token, plaintext) = app.core.create_token(new).await.map_err(|error| match error {
        CoreError::TooMany => ApiError::conflict("You have 50 live tokens: revoke one before making another"),
        error => error.into(),
    })?;
    let mut described = describe(&token);
    described["token"] = plaintext.into();
    Ok((StatusCode::CREATED, Json(described)))
}

/// `DELETE /api/v1/tokens/:id`. Another person's token and a missing one get the same 404.
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
) -> Result<StatusCode, ApiError> {
    app.core
        .revoke_token(owner(&caller)?, &id)
        .await
        .map_err(|error| match error {
            CoreError::NotFound => ApiError::not_found("Token not found"),
            error => error.into(),
        })?;
    Ok(StatusCode::NO_CONTENT)
}
