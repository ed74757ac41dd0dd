//! The current caller, and signing out.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use galley_people::name;
use http::{HeaderMap, HeaderName, StatusCode, header};
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::json::Unread;
use super::page::wants_page;
use crate::accounts::Account;
use crate::identity::{Caller, access, session_cookie, session_secrets};

/// `GET /api/v1/me`: `{ user, authEnabled, scopes }`. A session has no scopes (`null`); a token has a list.
pub async fn get(State(app): State<Arc<App>>, caller: Caller) -> impl IntoResponse {
    (
        renewed_cookie(&app, &caller),
        Json(describe(&app, &caller, caller.account())),
    )
}

/// `PATCH /api/v1/me { displayName }`: the caller's own name. Answers as [`get`] does.
pub async fn update(State(app): State<Arc<App>>, caller: Caller, body: Unread) -> Result<Json<Value>, ApiError> {
    let (body, caller) = body.json(&caller, may_change).await?;
    let account = own_account(&caller)?;
    let asked = body.exact_text("displayName")?.unwrap_or_default();
    let name = name::checked(&asked).ok_or_else(|| {
        ApiError::bad_request("`displayName` must have 1 to 100 characters, and none that turns or breaks the line")
    })?;
    let account = app.core.rename_account(&account.id, name).await?;
    Ok(Json(describe(&app, &caller, Some(&account))))
}

/// Whether the caller may change what is their account's.
pub fn may_change(caller: &Caller) -> Result<(), ApiError> {
    own_account(caller)?;
    Ok(access::write_scope(caller)?)
}

/// The account of a session or a token.
pub fn own_account(caller: &Caller) -> Result<&Account, ApiError> {
    caller.account().ok_or_else(|| match caller {
        Caller::Admin => ApiError::forbidden("The admin token belongs to no account"),
        _ => ApiError::new(StatusCode::UNAUTHORIZED, "Sign in first"),
    })
}

fn describe(app: &App, caller: &Caller, account: Option<&Account>) -> Value {
    let user = account.map(|account| {
        json!({
            "id": account.id, "email": account.email, "displayName": account.display_name,
            "role": account.role.as_str(),
        })
    });
    let scopes = match caller {
        Caller::Anonymous | Caller::Session { .. } => Value::Null,
        Caller::Admin => json!(["read", "write"]),
        Caller::Token {
            can_read, can_write, ..
        } => scopes(*can_read, *can_write),
    };
    json!({ "user": user, "authEnabled": app.config.sign_in.is_some(), "scopes": scopes })
}

/// The session's cookie with its full length again. Every page asks who is signed in, so a person who comes back within 30
/// days stays signed in, in the browser as on the server.
pub fn renewed_cookie(app: &App, caller: &Caller) -> Option<[(HeaderName, String); 1]> {
    match caller {
        Caller::Session { secret, .. } => Some([(header::SET_COOKIE, session_cookie(&app.config, Some(secret)))]),
        _ => None,
    }
}

/// Scopes in the API's format.
pub fn scopes(can_read: bool, can_write: bool) -> Value {
    let scopes = [("read", can_read), ("write", can_write)];
    scopes
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
        .collect()
}

/// `POST /api/v1/auth/logout`: ends the session on the server, with every view of a prototype that came from it, and takes
/// the cookie away. A page's form goes back to `/`, also when the session has expired meanwhile.
pub async fn logout(State(app): State<Arc<App>>, caller: Caller, headers: HeaderMap) -> Result<Response, ApiError> {
    if signed_in(&caller, &headers)?.is_some() {
        // Another cookie of the same name may hold a session, too: it must end as well.
        let secrets: Vec<&str> = session_secrets(&app.config, &headers).collect();
        app.core.end_sessions(&secrets).await?;
    }
    Ok(signed_out(&app, &headers))
}

/// `POST /api/v1/auth/logout/all`: the same for every session of this person, in whatever browser.
pub async fn logout_all(State(app): State<Arc<App>>, caller: Caller, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(account) = signed_in(&caller, &headers)? {
        app.core.end_sessions_of(&account.id).await?;
    }
    Ok(signed_out(&app, &headers))
}

/// The account of the session to end. `None`, and not an error, for a page's form without a session.
fn signed_in<'c>(caller: &'c Caller, headers: &HeaderMap) -> Result<Option<&'c Account>, ApiError> {
    match caller {
        Caller::Session { account, .. } => Ok(Some(account)),
        Caller::Token { .. } | Caller::Admin => Err(ApiError::forbidden(
            "Only a browser signs out: revoke the token, or change SERVICE_ADMIN_TOKEN",
        )),
        Caller::Anonymous if wants_page(headers) => Ok(None),
        Caller::Anonymous => Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "There is no browser session to end",
        )),
    }
}

fn signed_out(app: &App, headers: &HeaderMap) -> Response {
    let from_page = wants_page(headers);
    let no_cookie = [(header::SET_COOKIE, session_cookie(&app.config, None))];
    if from_page {
        (no_cookie, Redirect::to("/")).into_response()
    } else {
        (StatusCode::NO_CONTENT, no_cookie).into_response()
    }
}
