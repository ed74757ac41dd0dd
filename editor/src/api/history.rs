//! Undo, redo, and what was done.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::edit::told;
use super::error::ApiError;

/// `POST /api/editor/undo`
pub(super) async fn undo(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let done = app.parts.workspace.writer().undo()?;
        Ok(Json(told(&app, &done)))
    })
    .await
}

/// `POST /api/editor/redo`
pub(super) async fn redo(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let done = app.parts.workspace.writer().redo()?;
        Ok(Json(told(&app, &done)))
    })
    .await
}

/// `/api/editor/history`: newest first.
pub(super) async fn history(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let writer = app.parts.workspace.writer();
        let history = writer.history();
        let entries = history.entries.iter().rev().map(|entry| {
            let files: Vec<&str> = entry.files.iter().map(|file| file.path.as_str()).collect();
            json!({
                "editId": entry.id,
                "at": entry.at,
                "title": entry.title,
                "files": files,
                "undone": history.is_undone(&entry.id),
            })
        });
        Ok(Json(json!({
            "ok": true,
            "entries": entries.collect::<Vec<_>>(),
            "canUndo": !history.done.is_empty(),
            "canRedo": !history.undone.is_empty(),
        })))
    })
    .await
}
