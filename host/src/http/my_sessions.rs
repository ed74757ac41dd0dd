//! The browsers in which the caller is signed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::request::Params;
use crate::accounts::{Account, Session};
use crate::core::CoreError;
use crate::identity::{Caller, session_cookie};
use crate::storage::id::rfc3339;

/// The account of a browser session, and the session's id. Other credentials have no sessions.
fn own(caller: &Caller) -> Result<(&Account, String), ApiError> {
    match caller {
        Caller::Session { account, secret, .. } => Ok((account, Session::id_of(secret))),
        Caller::Token { .. } => Err(ApiError::forbidden("Personal access tokens cannot manage sessions")),
        Caller::Admin => Err(ApiError::forbidden("The admin token has no sessions")),
        Caller::Anonymous => Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "Sign in with a browser to see its sessions",
        )),
    }
}

/// `GET /api/v1/me/sessions`: the caller's live sessions; this one first, then by last use.
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Value>, ApiError> {
    let (account, current) = own(&caller)?;
    let mut sessions = app.core.sessions_of(&account.id).await?;
    sessions.sort_by_key(|session| session.id != current);
    let described = sessions.iter().map(|session| {
        json!({
            "id": session.id, "browser": session.browser, "createdAt": rfc3339(session.created_at),
            "lastSeenAt": rfc3339(session.last_seen_at), "current": session.id == current,
        })
    });
    Ok(Json(json!({ "sessions": described.collect::<Vec<_>>() })))
}

/// `DELETE /api/v1/me/sessions/:id`. Somebody else's session and a missing one get the same 404. Ending this one signs out.
pub async fn end(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
) -> Result<Response, ApiError> {
    let (account, current) = own(&caller)?;
    app.core
        .end_session_of(&account.id, &id)
        .await
        .map_err(|error| match error {
            CoreError::NotFound => ApiError::not_found("Session not found"),
            error => error.into(),
        })?;
    if id == current {
        let no_cookie = [(header::SET_COOKIE, session_cookie(&app.config, None))];
        return Ok((StatusCode::NO_CONTENT, no_cookie).into_response());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
