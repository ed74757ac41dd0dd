//! Undo, redo, and what was done.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Maybe;
use super::edit::told;
use super::error::ApiError;
use super::event::Event;
use crate::workspace::Step;

/// Which step, and whether it is only passed by.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asked {
    edit_id: Option<String>,
    #[serde(default)]
    skip: bool,
}

/// `POST /api/editor/undo`
pub(super) async fn undo(State(app): State<Arc<App>>, Maybe(asked): Maybe<Asked>) -> Result<Json<Value>, ApiError> {
    go(app, Step::Undo, asked.unwrap_or_default()).await
}

/// `POST /api/editor/redo`
pub(super) async fn redo(State(app): State<Arc<App>>, Maybe(asked): Maybe<Asked>) -> Result<Json<Value>, ApiError> {
    let asked = asked.unwrap_or_default();
    if asked.edit_id.is_some() && !asked.skip {
        let reason = "`editId`: steps are done again in their order, so none can be named";
        return Err(ApiError::bad_request(reason).with("key", "editId"));
    }
    go(app, Step::Redo, asked).await
}

async fn go(app: Arc<App>, step: Step, asked: Asked) -> Result<Json<Value>, ApiError> {
    blocking(move || step_once(&app, step, &asked).map(Json)).await
}

fn step_once(app: &App, step: Step, asked: &Asked) -> Result<Value, ApiError> {
    let mut writer = app.parts.workspace.writer();
    let id = asked.edit_id.as_deref();
    if asked.skip {
        let id = writer.skip(step, id)?;
        drop(writer);
        app.tell(Event::new("edited", json!({ "editId": id, "files": [] })));
        return Ok(json!({ "ok": true, "editId": id, "skipped": true, "files": [] }));
    }
    let done = match step {
        Step::Undo => writer.undo(id),
        Step::Do | Step::Redo => writer.redo(),
    };
    drop(writer);
    Ok(told(app, &done?))
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
                "skipped": history.is_skipped(&entry.id),
                "by": entry.by,
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
