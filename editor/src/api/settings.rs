//! `/api/settings`: what the files of configuration say, and changing it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::error::ApiError;

/// The files of configuration, as the interface shows and changes them.
pub trait Settings: Send + Sync {
    /// `{ settings: [{ key, value, file, default, description, restart, problem }], warnings }`
    fn list(&self) -> Value;

    /// Writes one key into the file that owns it.
    ///
    /// # Errors
    /// When the key is unknown or cannot be set from here, the value does not fit, or the file cannot be written.
    fn write(&self, key: &str, value: &Value) -> Result<(), SettingError>;

    /// Writes keys that say which project this is into `.tool/config.json`, all of them or none; `None` removes one.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn identify(&self, keys: &[(&str, Option<Value>)]) -> Result<(), SettingError>;
}

/// Why a setting was not written. The text is for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The key or the value is wrong.
    #[error("{0}")]
    Refused(String),
    /// The file cannot be written as it is.
    #[error("{0}")]
    File(String),
}

#[derive(Deserialize)]
pub(super) struct Set {
    key: String,
    value: Value,
}

pub(super) async fn list(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || Ok(Json(listed(&app)))).await
}

fn listed(app: &App) -> Value {
    let mut answer = app.parts.settings.list();
    answer["ok"] = json!(true);
    answer
}

pub(super) async fn write(State(app): State<Arc<App>>, Body(set): Body<Set>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let _one_at_a_time = app.parts.workspace.writer();
        match app.parts.settings.write(&set.key, &set.value) {
            Ok(()) => Ok(Json(listed(&app))),
            Err(SettingError::Refused(reason)) => {
                Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "setting", reason).with("key", set.key))
            }
            Err(SettingError::File(reason)) => Err(ApiError::conflict("setting-file", reason).with("key", set.key)),
        }
    })
    .await
}
