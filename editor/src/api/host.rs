//! `/api/host`: the dev server.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::App;
use super::code::Code;
use super::error::ApiError;

/// `POST /api/host/restart`: answers at once. How it goes on, the events tell.
pub(super) async fn restart(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    if app.restart_host() {
        return Ok(Json(json!({ "ok": true })));
    }
    Err(ApiError::new(
        Code::NotStartedHere,
        "The Editor did not start this dev server: restart it where it was started",
    ))
}
