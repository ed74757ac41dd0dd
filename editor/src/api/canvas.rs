//! `/api/editor/canvas…`: pages of the prototype in several widths, while the canvas is switched on.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::header;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Query;
use super::code::Code;
use super::error::ApiError;
use super::event::Event;
use crate::canvas::{Canvas, CanvasError, Listed, PagePath, Shot, Width};
use crate::review::Scheme;
use crate::source::model::Refusal;

pub(super) fn allowed(app: &App) -> Result<(), ApiError> {
    if app.features.canvas {
        return Ok(());
    }
    Err(ApiError::switched_off("The canvas", "editor.canvas", "EDITOR_CANVAS"))
}

/// The canvas of this run. The first time it looks at files: not for asynchronous code.
pub(super) fn canvas(app: &Arc<App>) -> &Arc<Canvas> {
    app.canvas.get_or_init(|| {
        // It is the program's, and goes with it.
        let weak = Arc::downgrade(app);
        let tell = move |progress| {
            if let Some(app) = weak.upgrade() {
                app.tell(Event::new("canvas", json!(progress)));
            }
        };
        Canvas::new(Arc::clone(&app.parts.workspace), app.review.clone(), Arc::new(tell))
    })
}

/// There is something to take a picture of.
pub(super) fn shows_pages(app: &App) -> Result<(), ApiError> {
    match app.why_no_preview() {
        None => Ok(()),
        Some(words) => {
            let reason = format!("There is no page to take a picture of: {words}");
            Err(ApiError::new(Code::NoPicture, reason))
        }
    }
}

/// All plans, and whether pictures can be taken.
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    allowed(&app)?;
    blocking(move || {
        let canvas = canvas(&app);
        let step = app.parts.workspace.last_step();
        let plans = canvas.list()?.into_iter().map(|listed| told(listed, step.as_deref()));
        Ok(Json(json!({
            "ok": true,
            "plans": plans.collect::<Vec<_>>(),
            "running": canvas.running(),
            "browser": canvas.browser().err().map(|error| error.to_string()),
        })))
    })
    .await
}

fn told(listed: Listed, step: Option<&str>) -> Value {
    let Listed { name, stored, record } = listed;
    let shots = stored.plan.as_ref().ok().map(|plan| plan.shots.as_slice());
    let run = record.map(|record| {
        let differ = record.shots.iter().filter_map(|shot| shot.difference.as_ref());
        json!({
            "at": record.at,
            "differ": differ.filter(|difference| difference.share > 0.0).count(),
            "problems": record.shots.iter().filter(|shot| shot.problem.is_some()).count(),
            "stale": record.is_stale(shots, step),
        })
    });
    json!({
        "name": name,
        "shots": stored.plan.as_ref().map_or(0, |plan| plan.shots.len()),
        "problem": stored.plan.err(),
        "run": run,
    })
}

/// A picture of a page as it is now.
pub(super) async fn picture(State(app): State<Arc<App>>, query: Query) -> Result<Response, ApiError> {
    allowed(&app)?;
    let shot = Shot {
        page: query.require::<PagePath>("page")?,
        width: query.require::<Width>("width")?,
        scheme: scheme(query.get("scheme"))?,
    };
    let canvas = {
        let app = Arc::clone(&app);
        blocking(move || Ok(Arc::clone(canvas(&app)))).await?
    };
    canvas.browser()?;
    shows_pages(&app)?;
    png(canvas.take(&shot).await?.png)
}

fn scheme(text: Option<&str>) -> Result<Scheme, ApiError> {
    match text {
        None | Some("light") => Ok(Scheme::Light),
        Some("dark") => Ok(Scheme::Dark),
        Some(_) => Err(ApiError::bad_request("`scheme`: it is light or dark").with("key", "scheme")),
    }
}

pub(super) fn png(bytes: Vec<u8>) -> Result<Response, ApiError> {
    Response::builder()
        .header(header::CONTENT_TYPE, "image/png")
        .body(Body::from(bytes))
        .map_err(|error| ApiError::internal(error.to_string()))
}

impl From<CanvasError> for ApiError {
    fn from(error: CanvasError) -> Self {
        let reason = error.to_string();
        match error {
            CanvasError::Name(_) => Self::bad_request(reason).with("key", "name"),
            CanvasError::Unfit(problem) => Self::bad_request(reason).with("key", problem.key),
            CanvasError::NoPlan(_) | CanvasError::NoPicture(_) => Self::not_found(reason),
            CanvasError::Broken { problem, .. } => Self::new(Code::PlanFile, reason).with("key", problem.key),
            CanvasError::Changed(_) => Refusal::changed(reason).into(),
            CanvasError::Exists(_) => Self::new(Code::PlanExists, reason),
            CanvasError::TooMany => Self::new(Code::TooLarge, reason).status(http::StatusCode::UNPROCESSABLE_ENTITY),
            CanvasError::Running(plan) => Self::new(Code::PlanRunning, reason).with("plan", plan),
            CanvasError::NoBrowser(_) => Self::new(Code::NoBrowser, reason),
            CanvasError::Page { .. } => Self::new(Code::NoPicture, reason),
            CanvasError::Workspace(error) => error.into(),
        }
    }
}
