//! The access list of a project.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use galley_people::email;
use http::StatusCode;
use serde_json::{Value, json};

use super::App;
use super::caller::Reader;
use super::error::ApiError;
use super::json::Unread;
use super::request::Params;
use crate::accounts::Account;
use crate::core::CoreError;
use crate::identity::{Caller, access};

fn describe(account: &Account, with_email: bool) -> Value {
    let mut described = json!({ "userId": account.id, "displayName": account.display_name });
    if with_email {
        described["email"] = account.email.clone().into();
    }
    described
}

/// `GET /api/v1/projects/:id/members`. Addresses are for people on the list, and for editors and admins.
pub async fn list(
    State(app): State<Arc<App>>,
    Reader(caller): Reader,
    Params(id): Params<String>,
) -> Result<Json<Value>, ApiError> {
    let project = access::read(&app.core, &caller, &id)?;
    let listed = caller
        .account()
        .is_some_and(|account| app.core.is_listed(&project.id, &account.id));
    let with_email = listed || access::editor(&caller).is_ok();
    let accounts = app.core.listed(&project.id).await?;
    let members: Vec<_> = accounts.iter().map(|account| describe(account, with_email)).collect();
    Ok(Json(json!({ "members": members })))
}

/// `POST /api/v1/projects/:id/members`: an existing, active account.
pub async fn add(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(id): Params<String>,
    body: Unread,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let admit = |caller: &Caller| Ok(access::manage(&app.core, caller, &id, true).map(drop)?);
    let (body, _) = body.json(&caller, admit).await?;
    let email = email::normal(&body.required_text("email", email::MAX_EMAIL)?);
    let account = app
        .core
        .account_by_email(&email)
        .await?
        .filter(|account| !account.removed);
    let account = account.ok_or_else(|| {
        ApiError::not_found("Nobody on this instance has this email address: invite them to the instance first")
    })?;
    app.core
        .add_listed(&id, &account.id)
        .await
        .map_err(|error| match error {
            CoreError::NotFound => access::project_not_found().into(),
            error => ApiError::from(error),
        })?;
    Ok((StatusCode::CREATED, Json(describe(&account, true))))
}

/// `DELETE /api/v1/projects/:id/members/:userId`. The last one may go, too.
pub async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params((id, user)): Params<(String, String)>,
) -> Result<StatusCode, ApiError> {
    access::manage(&app.core, &caller, &id, true)?;
    app.core.remove_listed(&id, &user).await.map_err(|error| match error {
        CoreError::NotFound => ApiError::not_found("Member not found"),
        error => error.into(),
    })?;
    Ok(StatusCode::NO_CONTENT)
}
