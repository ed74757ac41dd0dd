//! `/api/editor/inspect`: what is known about one element.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::error::ApiError;
use crate::source::engine;
use crate::source::model::{Inspect, Project, Viewport};

/// The page that is shown: `width`, and `holds` as a JSON object.
fn viewport(query: &Query) -> Result<Viewport, ApiError> {
    let holds = match query.get("holds") {
        Some(text) => serde_json::from_str(text)
            .map_err(|error| ApiError::bad_request(format!("`holds`: {error}")).with("key", "holds"))?,
        None => Default::default(),
    };
    let width = query.parse("width")?;
    checked(Viewport { width, holds })
}

/// A viewport whose values are in their bounds.
pub(super) fn checked(viewport: Viewport) -> Result<Viewport, ApiError> {
    match viewport.check() {
        Ok(()) => Ok(viewport),
        Err((key, reason)) => Err(ApiError::bad_request(reason).with("key", key)),
    }
}

/// Inspects, and remembers the text the answer speaks of.
pub(super) async fn inspect(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    let question = Inspect {
        src: query.require("src")?,
        item: query.parse("item")?,
        within: query.parse("within")?,
        viewport: viewport(&query)?,
    };
    blocking(move || look(&app, &question).map(Json)).await
}

/// What is known about an element.
pub(super) fn look(app: &App, question: &Inspect) -> Result<Value, ApiError> {
    let workspace = &*app.parts.workspace;
    let found = engine::inspect(workspace, question, app.lanes())?;
    if let Some(text) = workspace.read(&found.path) {
        workspace.remember(&found.hash, &text);
    }
    let mut answer = json!(found);
    answer["ok"] = json!(true);
    answer["readOnly"] = json!(workspace.why_read_only(&found.path));
    Ok(answer)
}
