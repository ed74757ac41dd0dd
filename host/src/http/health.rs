//! `GET /api/v1/health`: cheap, for probes.

use axum::Json;
use serde_json::{Value, json};

/// Answers that the server is running.
pub async fn get() -> Json<Value> {
    Json(json!({ "status": "ok", "profile": "selfhost" }))
}
