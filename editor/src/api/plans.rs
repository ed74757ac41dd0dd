//! `/api/editor/plans/…`: plans of pictures and their runs, while the canvas is switched on.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::canvas::{allowed, canvas, png, shows_pages};
use super::error::ApiError;
use crate::canvas::{PictureName, Plan, Shot};

#[derive(Deserialize)]
pub(super) struct Saved {
    shots: Vec<Shot>,
    /// Of the file that was read; absent for a new plan.
    hash: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Renamed {
    name: String,
}

/// A plan, and what its last run gave.
pub(super) async fn read(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let (stored, record) = canvas(&app).read(&name)?;
        let step = app.parts.workspace.last_step();
        let shots = stored.plan.as_ref().ok().map(|plan| plan.shots.as_slice());
        let run = record.map(|record| {
            let stale = record.is_stale(shots, step.as_deref());
            json!({ "at": record.at, "stale": stale, "shots": record.shots })
        });
        let (shots, problem) = match stored.plan {
            Ok(plan) => (Some(plan.shots), None),
            Err(problem) => (None, Some(problem)),
        };
        Ok(Json(json!({
            "ok": true,
            "name": name,
            "shots": shots,
            "problem": problem,
            "hash": stored.hash,
            "run": run,
        })))
    })
    .await
}

/// Saves a plan that is still what was read, or a new one.
pub(super) async fn write(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Body(saved): Body<Saved>,
) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let plan = Plan { shots: saved.shots };
        let hash = canvas(&app).write(&name, &plan, saved.hash.as_deref())?;
        Ok(Json(json!({ "ok": true, "hash": hash })))
    })
    .await
}

/// Deletes a plan with its pictures.
pub(super) async fn delete(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        canvas(&app).delete(&name)?;
        Ok(Json(json!({ "ok": true })))
    })
    .await
}

/// Gives a plan another name.
pub(super) async fn rename(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Body(renamed): Body<Renamed>,
) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        canvas(&app).rename(&name, &renamed.name)?;
        Ok(Json(json!({ "ok": true, "name": renamed.name })))
    })
    .await
}

/// Begins a run; events tell how it goes on.
pub(super) async fn run(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let canvas = canvas(&app);
        // What is wrong with the plan is said first.
        canvas.plan(&name)?;
        canvas.browser()?;
        shows_pages(&app)?;
        Ok(Json(json!({ "ok": true, "running": canvas.run(&name)? })))
    })
    .await
}

/// Stops a run.
pub(super) async fn stop(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let canvas = canvas(&app);
        canvas.read(&name)?;
        Ok(Json(json!({ "ok": true, "stopped": canvas.stop(&name) })))
    })
    .await
}

/// A picture that a run gave.
pub(super) async fn picture(
    State(app): State<Arc<App>>,
    Path((name, picture)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    allowed(&app)?;
    let picture =
        PictureName::try_from(picture).map_err(|words| ApiError::bad_request(words).with("key", "picture"))?;
    blocking(move || png(canvas(&app).picture(&name, &picture)?)).await
}
