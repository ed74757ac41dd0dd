//! `/api/editor/file`: the code view, while it is switched on.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::{Json as Body, Query};
use super::edit::told;
use super::error::ApiError;
use crate::source::model;
use crate::source::model::Project;
use crate::workspace::{EntryKind, WorkspaceError, checked};

#[derive(Deserialize)]
pub(super) struct Saved {
    path: String,
    text: String,
    hash: String,
}

fn allowed(app: &App) -> Result<(), ApiError> {
    if app.features.code_view {
        return Ok(());
    }
    Err(ApiError::switched_off(
        "The code view",
        "editor.codeView",
        "EDITOR_CODE_VIEW",
    ))
}

fn text(app: &App, path: &str) -> Result<Arc<str>, ApiError> {
    checked(path).map_err(WorkspaceError::from)?;
    let missing = || ApiError::not_found(format!("The prototype has no text file {path}"));
    app.parts.workspace.read(path).ok_or_else(missing)
}

/// Reads a file.
pub(super) async fn read(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    let path: String = query.require("path")?;
    blocking(move || {
        let text = text(&app, &path)?;
        let hash = model::hash(&text);
        app.parts.workspace.remember(&hash, &text);
        Ok(Json(json!({ "ok": true, "path": path, "text": &*text, "hash": hash })))
    })
    .await
}

/// Saves a file that is still what was read: a step of the history like any other.
pub(super) async fn write(State(app): State<Arc<App>>, Body(saved): Body<Saved>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let mut writer = app.parts.workspace.writer();
        let now = text(&app, &saved.path)?;
        if model::hash(&now) != saved.hash {
            return Err(WorkspaceError::Changed(saved.path).into());
        }
        let hash = model::hash(&saved.text);
        if *now == *saved.text {
            return Ok(Json(json!({ "ok": true, "hash": hash })));
        }
        let title = format!("Save {}", saved.path);
        let done = writer.replace(EntryKind::File, &title, &[(saved.path, now, saved.text)])?;
        let mut answer = told(&app, &done);
        answer["hash"] = json!(hash);
        Ok(Json(answer))
    })
    .await
}
