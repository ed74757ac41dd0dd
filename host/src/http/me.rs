//! Who I am, and leaving.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderName, StatusCode, header};
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::page::wants_page;
use crate::identity::{Caller, session_cookie};

/// `GET /api/v1/me`: `{ user, authEnabled, scopes }`. A session has no scopes (`null`); a token has a list.
pub async fn get(State(app): State<Arc<App>>, caller: Caller) -> impl IntoResponse {
    let user = caller.account().map(|account| {
        json!({
            "id": account.id, "email": account.email, "displayName": account.display_name,
            "role": account.role.as_str(),
        })
    });
    let scopes = match &caller {
        Caller::Anonymous | Caller::Session { .. } => Value::Null,
        Caller::Admin => json!(["read", "write"]),
        Caller::Token {
            can_read, can_write, ..
        } => scopes(*can_read, *can_write),
    };
    let me = json!({ "user": user, "authEnabled": app.config.sign_in.is_some(), "scopes": scopes });
    (renewed_cookie(&app, &caller), Json(me))
}

/// The session's cookie with its full length again. Every page asks who is signed in: whoever comes back within 30 days
/// stays signed in, in the browser as on the server.
pub fn renewed_cookie(app: &App, caller: &Caller) -> Option<[(HeaderName, String); 1]> {
    match caller {
        Caller::Session { secret, .. } => Some([(header::SET_COOKIE, session_cookie(&app.config, Some(secret)))]),
        _ => None,
    }
}

/// Scopes as they stand on the wire.
pub fn scopes(can_read: bool, can_write: bool) -> Value {
    let scopes = [("read", can_read), ("write", can_write)];
    scopes
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
        .collect()
}

/// `POST /api/v1/auth/logout`: ends the session on the server and takes the cookie away. A page's form goes back to `/`,
/// also when the session has ended by itself meanwhile.
pub async fn logout(State(app): State<Arc<App>>, caller: Caller, headers: HeaderMap) -> Result<Response, ApiError> {
    let from_page = wants_page(&headers);
    match caller {
        Caller::Session { secret, .. } => app.core.end_session(&secret).await?,
        _ if from_page => {}
        _ => {
            return Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "There is no browser session to end",
            ));
        }
    }
    let no_cookie = [(header::SET_COOKIE, session_cookie(&app.config, None))];
    Ok(if from_page {
        (no_cookie, Redirect::to("/")).into_response()
    } else {
        (StatusCode::NO_CONTENT, no_cookie).into_response()
    })
}
