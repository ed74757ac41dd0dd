//! `/api/settings`: what the files of configuration say, and changing it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::chats::chats;
use super::code::Code;
use super::error::ApiError;
use crate::config;
use crate::config::settings::{self, ChangeError};

#[derive(Deserialize)]
pub(super) struct Set {
    key: String,
    value: Value,
}

pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || Ok(Json(listed(&app)))).await
}

fn listed(app: &App) -> Value {
    let settings = settings::list(&app.parts.prototype, Some(&app.parts.config));
    json!({ "ok": true, "settings": settings, "warnings": app.parts.config.warnings })
}

pub(super) async fn write(State(app): State<Arc<App>>, Body(set): Body<Set>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let _one_at_a_time = app.parts.workspace.writer();
        // `null` takes the key out of the file, so that its default holds.
        let value = Some(set.value).filter(|value| !value.is_null());
        settings::change(&app.parts.prototype, &set.key, value)
            .map_err(|error| refused(&error).with("key", set.key.clone()))?;
        // What the dialog changes counts from the next message on; what a hand changes in the file, after a restart.
        if set.key == "readRoots"
            && let Ok(roots) = config::read_roots_now(&app.parts.prototype)
        {
            chats(&app).set_read_roots(roots);
        }
        Ok(Json(listed(&app)))
    })
    .await
}

/// Why a setting was not written.
pub(super) fn refused(error: &ChangeError) -> ApiError {
    let reason = error.to_string();
    match error {
        ChangeError::Unknown(_) | ChangeError::Fixed(_) | ChangeError::Invalid(_) => {
            ApiError::new(Code::Setting, reason)
        }
        ChangeError::Broken { .. } => ApiError::new(Code::SettingFile, reason),
        ChangeError::Disk { .. } => ApiError::internal(reason),
    }
}
