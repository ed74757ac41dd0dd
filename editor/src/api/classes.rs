//! `/api/editor/classes`: what the class field and the pickers offer: classes, Tailwind's theme, the project's variables.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::error::ApiError;
use crate::source::classes::{CatalogEntry, breakpoints, catalog};
use crate::source::styles::{property_of, tokens};

/// A class with the property it is for.
#[derive(Serialize)]
struct Offered {
    #[serde(flatten)]
    class: CatalogEntry,
    sets: Option<&'static str>,
}

pub(super) async fn classes(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let answer = blocking(move || {
        let project = &*app.parts.workspace;
        let (classes, breakpoints) = (catalog(project), breakpoints(project));
        // Without Tailwind a class named `flex` sets whatever its rule says.
        let tailwind = !breakpoints.is_empty();
        let offered = |class: CatalogEntry| Offered {
            sets: property_of(&class.name).filter(|_| tailwind),
            class,
        };
        let classes: Vec<Offered> = classes.into_iter().map(offered).collect();
        Ok(json!({ "ok": true, "classes": classes, "breakpoints": breakpoints, "tokens": tokens(project) }))
    });
    Ok(Json(answer.await?))
}
