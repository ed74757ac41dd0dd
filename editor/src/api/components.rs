//! `/api/editor/components`: the components of the project and of libraries with their properties, and whether they can be put
//! at a place; `/api/editor/libraries`: where the others come from.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::error::ApiError;
use crate::source::engine;
use crate::source::model::Stamp;

/// `/api/editor/libraries`: what became of each library that was looked at.
pub(super) async fn libraries(State(app): State<Arc<App>>) -> Json<Value> {
    let reports = app.libraries();
    let told = reports.iter().flatten().map(|report| {
        let mut told = json!(report);
        told["hints"] = report.library.map_or(Value::Null, |library| app.hints_told(library));
        told
    });
    Json(json!({ "ok": true, "ready": reports.is_some(), "libraries": told.collect::<Vec<_>>() }))
}

pub(super) async fn components(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    let src: Option<Stamp> = query.parse("src")?;
    blocking(move || {
        let components = engine::components(&*app.parts.workspace, src.as_ref())?;
        Ok(Json(json!({ "ok": true, "components": components })))
    })
    .await
}
