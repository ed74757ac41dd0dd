//! `/api/editor/tree`: the elements of a file, or which files have any.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::error::ApiError;
use crate::source::model::memo::{Kept, Memo};
use crate::source::model::{Code, Language, Outline, Project, Refusal};
use crate::source::{engine, model};

/// Deeper trees are no pages, and would be a strain to everyone who walks them.
const MAX_DEPTH: usize = 1000;

/// How many elements a file has.
#[derive(Clone, Copy)]
struct Count {
    elements: usize,
    components: usize,
}

pub(super) async fn tree(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    let path: Option<String> = query.get("path").map(str::to_owned);
    blocking(move || match path {
        Some(path) => one(&app, &path),
        None => Ok(all(&app)),
    })
    .await
    .map(Json)
}

pub(super) fn one(app: &App, path: &str) -> Result<Value, ApiError> {
    let workspace = &*app.parts.workspace;
    let missing = || ApiError::not_found(format!("The prototype has no text file {path}"));
    let text = workspace.read(path).ok_or_else(missing)?;
    let outline = engine::outline_of(workspace, path, &text).map_err(|broken| {
        let reason = format!("{path} has an error in it, so its elements cannot be listed: {broken}");
        Refusal::uncertain(Code::SyntaxError, reason)
    })?;
    if depth(&outline) > MAX_DEPTH {
        let reason = format!(
            "The elements of {path} are nested more than {MAX_DEPTH} deep, which is too much to be shown: select an element in the page"
        );
        return Err(Refusal::uncertain(Code::TooDeep, reason).into());
    }
    let hash = model::hash(&text);
    workspace.remember(&hash, &text);
    Ok(json!({ "ok": true, "path": path, "hash": hash, "nodes": outline.tree(path) }))
}

fn depth(outline: &Outline) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(outline.elements.len());
    for element in &outline.elements {
        let above = element.parent.and_then(|parent| depths.get(parent)).copied();
        depths.push(above.unwrap_or_default() + 1);
    }
    depths.into_iter().max().unwrap_or_default()
}

pub(super) fn all(app: &App) -> Value {
    let workspace = &*app.parts.workspace;
    let counts = workspace.kept().map(Kept::of::<Memo<Count>>).unwrap_or_default();
    let mut files = Vec::new();
    for path in workspace.files().iter().filter(|path| Language::of(path).is_some()) {
        let Some(text) = workspace.read(path) else { continue };
        let count = counts.get(path, &text, || count(path, &text));
        if count.elements + count.components > 0 {
            files.push(json!({ "path": path, "elements": count.elements, "components": count.components }));
        }
    }
    json!({ "ok": true, "files": files })
}

fn count(path: &str, text: &str) -> Count {
    let outline = engine::outline(path, text).unwrap_or_default();
    let components = outline.elements.iter().filter(|element| element.component).count();
    Count {
        elements: outline.elements.len() - components,
        components,
    }
}
