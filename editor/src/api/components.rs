//! `/api/editor/components`: the project's own components with their properties, and whether they can be put at a place.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::error::ApiError;
use crate::source::engine;
use crate::source::model::Stamp;

pub(super) async fn components(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    let src: Option<Stamp> = query.parse("src")?;
    blocking(move || {
        let components = engine::components(&*app.parts.workspace, src.as_ref())?;
        Ok(Json(json!({ "ok": true, "components": components })))
    })
    .await
}
