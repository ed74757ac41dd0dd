//! `/api/editor/classes`: what the class field completes.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::error::ApiError;
use crate::source::classes::catalog;

pub(super) async fn classes(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let classes = blocking(move || Ok(catalog(&*app.parts.workspace))).await?;
    Ok(Json(json!({ "ok": true, "classes": classes })))
}
