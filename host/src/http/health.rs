//! `GET /api/v1/health`: cheap, for probes.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;

/// Answers that the server is running. A slot whose approved plugin does not serve, or that gets no calls because most of them
/// failed, makes it `degraded`, by name; the log says why. It is a 200 all the same: starting the server again would not help.
pub async fn get(State(app): State<Arc<App>>) -> Json<Value> {
    let failing = app.failing();
    Json(if failing.is_empty() {
        json!({ "status": "ok", "profile": "selfhost" })
    } else {
        json!({ "status": "degraded", "profile": "selfhost", "slots": failing })
    })
}
