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
/// What is away is named in `missing`: `database`, `objects` (the object store), or `commits` while the database answers and
/// acknowledges no change, as without a quorum of standbys. A server that does not reach the database of its cluster is a 503:
/// another one may reach it, and a balancer should ask that one. Without the others it has answers still.
pub async fn get(State(app): State<Arc<App>>) -> (StatusCode, Json<Value>) {
    let mut health = json!({ "status": "ok", "profile": "selfhost" });
    let failing = app.failing();
    if !failing.is_empty() {
        health["status"] = "degraded".into();
        health["slots"] = json!(failing);
    }
    let (database, objects) = tokio::join!(app.core.refresh(), app.services.sites.check_store());
    let is_away = database.is_err();
    let mut missing = Vec::new();
    missing.extend(is_away.then_some("database"));
    missing.extend((!is_away && app.core.is_stuck()).then_some("commits"));
    missing.extend(objects.is_err().then_some("objects"));
    if !missing.is_empty() {
        health["status"] = "degraded".into();
        health["missing"] = json!(missing);
    }
    let status = match is_away {
        true => StatusCode::SERVICE_UNAVAILABLE,
        false => StatusCode::OK,
    };
    (status, Json(health))
}
