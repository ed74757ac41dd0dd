//! `GET /api/v1/ui`: what pages need to know of the instance before they draw anything.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::error::ApiError;
use super::plugin_ui;

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
        "hasAccounts": app.core.count_accounts().await? > 0,
        "settings": {
            "allowPublicLinks": settings.allow_public_links,
            "allowAnonymousComments": settings.allow_anonymous_comments,
            "mail": app.services.mail.is_configured(),
            "codeHost": config.repo_app.is_some(),
        },
        "slots": slots(&app),
    })))
}

/// The enabled slots by name, with their parts of the pages where they serve.
fn slots(app: &App) -> Vec<Value> {
    let serving = app.serving();
    let parts = |slot: &str| {
        let plugin = serving.slots.iter().find(|plugin| plugin.state.name == slot);
        plugin.map_or_else(Vec::new, |plugin| plugin_ui::parts(plugin))
    };
    let described = app.slots().into_iter().map(|(slot, serves)| {
        let state = if serves { "ready" } else { "failed" };
        json!({ "slot": slot, "state": state, "ui": parts(&slot) })
    });
    described.collect()
}
