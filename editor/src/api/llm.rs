//! `POST /api/editor/llm-fallback`: what a model could do with an edit that could not be done for certain.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;

use super::app::App;
use super::body::Json as Body;
use super::code::Code;
use super::edit::awake;
use super::error::ApiError;

#[derive(Deserialize)]
pub(super) struct Asked {
    kind: Option<String>,
}

/// Dormant kinds are refused as by the edit itself; the rest needs a key.
pub(super) async fn fallback(State(app): State<Arc<App>>, Body(asked): Body<Asked>) -> ApiError {
    match awake(&app, asked.kind.as_deref()) {
        Err(refusal) => refusal.into(),
        Ok(()) => missing_key(&app.parts.provider),
    }
}

fn missing_key(provider: &str) -> ApiError {
    let reason =
        format!("Missing {provider}_API_KEY. Set it to use Editor's AI features, or add a key from the settings gear.");
    ApiError::new(Code::MissingKey, reason)
}
