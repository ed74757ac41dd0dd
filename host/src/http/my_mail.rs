//! Which mails the caller gets.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::json::Unread;
use super::me::{may_change, own_account};
use crate::accounts::Account;
use crate::identity::Caller;

/// `GET /api/v1/me/mail`: whether notes reach the caller, and whether this instance sends mail at all. It is the switch that
/// the unsubscribe link of a mail turns off.
pub async fn get(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Value>, ApiError> {
    describe(&app, own_account(&caller)?).await
}

/// `PUT /api/v1/me/mail { mentions }`.
pub async fn set(State(app): State<Arc<App>>, caller: Caller, body: Unread) -> Result<Json<Value>, ApiError> {
    let (body, caller) = body.json(&caller, may_change).await?;
    let account = own_account(&caller)?;
    let wanted = body.flag("mentions")?;
    let wanted = wanted.ok_or_else(|| ApiError::bad_request("`mentions` must be true or false"))?;
    app.core.set_unsubscribed(&account.email, !wanted).await?;
    describe(&app, account).await
}

async fn describe(app: &App, account: &Account) -> Result<Json<Value>, ApiError> {
    let mentions = !app.core.is_unsubscribed(&account.email).await?;
    Ok(Json(
        json!({ "mentions": mentions, "configured": app.services.mail.is_configured() }),
    ))
}
