//! `/api/editor/notes/…`: Markdown beside the prototype, while it is switched on.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::code::Code;
use super::error::ApiError;
use crate::source::model;
use crate::source::model::Refusal;
use crate::workspace::{Workspace, is_plain_name};

const MAX_TEXT: usize = 1 << 20;

#[derive(Deserialize)]
pub(super) struct Saved {
    text: String,
    /// Of the text that was read; absent for a new note.
    hash: Option<String>,
}

fn allowed(app: &App) -> Result<(), ApiError> {
    if app.features.notes {
        return Ok(());
    }
    Err(ApiError::switched_off("Notes", "editor.notes", "EDITOR_NOTES"))
}

fn place(workspace: &Workspace, name: &str) -> Result<PathBuf, ApiError> {
    if !is_plain_name(name) {
        return Err(ApiError::bad_request(format!(
            "“{name}” cannot be the name of a note: use letters, digits, spaces, - and _"
        )));
    }
    Ok(folder(workspace)?.join(format!("{name}.md")))
}

fn folder(workspace: &Workspace) -> Result<PathBuf, ApiError> {
    Ok(workspace.own_folder("notes")?)
}

fn load(path: &std::path::Path) -> Result<Option<String>, ApiError> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ApiError::internal(format!("{}: {error}", path.display()))),
    }
}

/// The names of all notes.
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let listed = fs::read_dir(folder(&app.parts.workspace)?)
            .into_iter()
            .flatten()
            .flatten();
        let names = listed.filter_map(|entry| entry.file_name().into_string().ok());
        let mut notes: Vec<String> = names
            .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
            .filter(|name| is_plain_name(name))
            .collect();
        notes.sort_unstable();
        Ok(Json(json!({ "ok": true, "notes": notes })))
    })
    .await
}

/// One note.
pub(super) async fn read(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let missing = || ApiError::not_found(format!("There is no note “{name}”"));
        let text = load(&place(&app.parts.workspace, &name)?)?.ok_or_else(missing)?;
        Ok(Json(
            json!({ "ok": true, "name": name, "hash": model::hash(&text), "text": text }),
        ))
    })
    .await
}

/// Saves a note that is still what was read, or a new one.
pub(super) async fn write(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Body(saved): Body<Saved>,
) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        if saved.text.len() > MAX_TEXT {
            return Err(ApiError::new(
                Code::TooLarge,
                "A note may hold 1 MiB: save the rest as another one",
            ));
        }
        let _one_at_a_time = app.parts.workspace.writer();
        let path = place(&app.parts.workspace, &name)?;
        let now = load(&path)?.map(|text| model::hash(&text));
        if now != saved.hash {
            let reason = format!("The note “{name}” was changed meanwhile: read it again first");
            return Err(Refusal::changed(reason).into());
        }
        app.parts.workspace.write_own(&path, saved.text.as_bytes())?;
        Ok(Json(json!({ "ok": true, "hash": model::hash(&saved.text) })))
    })
    .await
}
