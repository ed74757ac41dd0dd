//! `/api/editor/classes`: what the class field completes.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::App;

pub(super) async fn classes(State(_): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "ok": true, "classes": [] }))
}
