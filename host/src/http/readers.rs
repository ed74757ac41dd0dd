//! `GET /api/v1/projects/:id/access`: who may read a project now, by name.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::caller::Reader;
use super::directory;
use super::error::ApiError;
use super::request::Params;
use crate::accounts::{Account, Role};
use crate::core::{Access, Project};
use crate::identity::access;

/// The active accounts that may read the project, by name, each with the reason; and whether everybody may who has the link.
/// For those who manage the project.
pub async fn get(
    State(app): State<Arc<App>>,
    Reader(caller): Reader,
    Params(id): Params<String>,
) -> Result<Json<Value>, ApiError> {
    let project = access::manage(&app.core, &caller, &id, false)?;
    let mut accounts = app.core.accounts().await?;
    accounts.retain(|account| !account.removed && access::account_may_read(&app.core, Some(account), &project));
    accounts.sort_by_cached_key(|account| (account.display_name.to_lowercase(), account.email.clone()));
    let people: Vec<_> = accounts.iter().map(|account| describe(account, &project)).collect();
    Ok(Json(json!({
        "access": project.access.as_str(),
        "everybody": access::account_may_read(&app.core, None, &project),
        "people": people,
    })))
}

fn describe(account: &Account, project: &Project) -> Value {
    let mut described = directory::describe(account);
    described["by"] = match (account.role, project.access) {
        (Role::Admin, _) => "admin".into(),
        (_, Access::Invited) => "list".into(),
        _ => "member".into(),
    };
    described
}
