//! `GET /api/v1/health`: cheap, for probes.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde_json::{Value, json};

use super::App;

/// Answers that the server is running. A slot whose approved plugin does not serve, or that gets no calls because most of them
/// failed, makes it `degraded`, by name; the log says why. It is a 200 all the same: starting the server again would not help.
///
/// A server that does not reach the database of its cluster is a 503, and `missing` names the database: another server may reach it,
/// and a balancer should ask that one.
pub async fn get(State(app): State<Arc<App>>) -> (StatusCode, Json<Value>) {
    let mut health = json!({ "status": "ok", "profile": "selfhost" });
    let failing = app.failing();
    if !failing.is_empty() {
        health["status"] = "degraded".into();
        health["slots"] = json!(failing);
    }
    if app.core.refresh().await.is_err() {
        health["status"] = "degraded".into();
        health["missing"] = json!(["database"]);
        return (StatusCode::SERVICE_UNAVAILABLE, Json(health));
    }
    (StatusCode::OK, Json(health))
}
