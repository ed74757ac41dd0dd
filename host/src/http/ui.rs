//! `GET /api/v1/ui`: what pages need to know of the instance before they draw anything.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;

/// Where the slug stands in the addresses of prototypes.
const SLUG: &str = "{slug}";

/// For everybody, guests included: nothing in it is secret. A slot that is disabled is absent.
pub async fn get(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let config = &app.config;
    let settings = app.core.settings();
    Ok(Json(json!({
        "publicUrl": config.public_url,
        "serving": if config.serve_domain.is_some() { "own-origin" } else { "path" },
        "prototypes": config.project_url(SLUG),
        "openUrl": config.open_url(SLUG),
        "hasAccounts": app.core.count_accounts()? > 0,
        "settings": {
            "allowPublicLinks": settings.allow_public_links,
            "allowAnonymousComments": settings.allow_anonymous_comments,
            "mail": app.services.mail.is_configured(),
            "codeHost": config.repo_app.is_some(),
        },
        "slots": slots(&app),
    })))
}

/// The enabled slots by name. One that serves has no interface of its own yet: `ui` is empty.
fn slots(app: &App) -> Vec<Value> {
    let slots = app.slots();
    let described = slots.into_iter().map(|(slot, serves)| {
        let state = if serves { "ready" } else { "failed" };
        json!({ "slot": slot, "state": state, "ui": [] })
    });
    described.collect()
}
