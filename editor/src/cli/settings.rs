//! The configuration files behind `/api/settings`.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::{SettingError, Settings};
use crate::config::settings::{self, ChangeError};
use crate::config::{Config, Warning};
use crate::gate::Prototype;

/// The files of one prototype, and the configuration the Editor started with.
pub struct Files {
    pub prototype: Arc<Prototype>,
    pub running: Arc<Config>,
}

impl Settings for Files {
    fn list(&self) -> Value {
        let listed = settings::list(&self.prototype, Some(&self.running));
        // Warnings of the files as they are now: what was repaired since the start is not told again.
        let warnings = match Config::load(&self.prototype) {
            Ok(now) => now.warnings,
            Err(stop) => vec![Warning {
                code: "config",
                words: stop.to_string(),
            }],
        };
        json!({ "settings": listed, "warnings": warnings })
    }

    fn write(&self, key: &str, value: &Value) -> Result<(), SettingError> {
        settings::change(&self.prototype, key, kept(value)).map_err(refusal)
    }

    fn identify(&self, keys: &[(&str, Option<Value>)]) -> Result<(), SettingError> {
        settings::save(&self.prototype, keys).map_err(refusal)
    }
}

/// `null` takes a key out of its file; no key needs it as a value.
fn kept(value: &Value) -> Option<Value> {
    Some(value.clone()).filter(|value| !value.is_null())
}

fn refusal(error: ChangeError) -> SettingError {
    let words = error.to_string();
    match error {
        ChangeError::Unknown(_) | ChangeError::Fixed(_) | ChangeError::Invalid(_) => SettingError::Refused(words),
        ChangeError::Broken { .. } | ChangeError::Disk { .. } => SettingError::File(words),
    }
}
