//! The settings and secrets of a slot. Secrets are sealed, and nothing shows them again.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde_json::json;

use super::request::SecretText;
use super::switch::act;
use super::{Kind, Operations, Outcome, Refused};
use crate::plugins::entry::Entry;
use crate::storage::core::Actor;
use crate::storage::seal::Sealer;

/// The longest value, in bytes.
const MAX_VALUE_BYTES: usize = 4 << 10;
/// The longest key, in bytes.
const MAX_KEY_BYTES: usize = 64;
/// The most settings and the most secrets of a slot.
const MAX_KEYS: usize = 100;

/// What a secret is sealed for: it opens for this key of this slot only.
pub fn purpose(slot: &str, key: &str) -> String {
    format!("the secret {key} of the slot {slot}")
}

impl Operations {
    pub(super) async fn config(
        &self,
        slot: &str,
        changes: &[String],
        secrets: BTreeMap<String, SecretText>,
        actor: &Actor,
    ) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let mut entry = known.entry(slot)?.clone();
        let mut keys = Vec::new();
        for change in changes {
            let (key, value) = setting(change)?;
            entry.secrets.remove(key);
            put(
                &mut entry.settings,
                key,
                Some(value).filter(|value| !value.is_empty()).map(str::to_owned),
            );
            keys.push(key.to_owned());
        }
        for (key, SecretText(value)) in secrets {
            check(&key, &value)?;
            entry.settings.remove(&key);
            let sealed = match value.is_empty() {
                true => None,
                false => Some(self.seal(slot, &key, &value).await?),
            };
            put(&mut entry.secrets, &key, sealed);
            keys.push(key);
        }
        if entry.settings.len() > MAX_KEYS || entry.secrets.len() > MAX_KEYS {
            let message = format!("`{slot}` would have more than {MAX_KEYS} settings or secrets");
            return Err(Refused::new(Kind::Invalid, message));
        }
        let outcome = describe(&entry);
        if !keys.is_empty() {
            // The values may be nobody's business.
            let details = json!({ "keys": keys });
            self.alter(entry, act(actor, "plugin-configured", details)).await?;
        }
        Ok(outcome)
    }

    async fn seal(&self, slot: &str, key: &str, value: &str) -> Result<String, Refused> {
        let folder = self.loader.data_dir().to_owned();
        let opened = tokio::task::spawn_blocking(move || Sealer::open(&folder)).await;
        let sealer = opened
            .map_err(|error| Refused::failed(&error))?
            .map_err(|error| Refused::failed(&error))?;
        let sealed = sealer.seal(&purpose(slot, key), value.as_bytes());
        Ok(BASE64.encode(&sealed.map_err(|error| Refused::failed(&error))?))
    }
}

fn put(values: &mut BTreeMap<String, String>, key: &str, value: Option<String>) {
    match value {
        Some(value) => drop(values.insert(key.to_owned(), value)),
        None => drop(values.remove(key)),
    }
}

fn describe(entry: &Entry) -> Outcome {
    let slot = &entry.slot;
    let settings = entry
        .settings
        .iter()
        .map(|(key, value)| format!("{slot}: {key}={value}"));
    let secrets = entry
        .secrets
        .keys()
        .map(|key| format!("{slot}: {key} is set, and secret"));
    let lines: Vec<_> = settings.chain(secrets).collect();
    Outcome {
        message: match lines.is_empty() {
            true => format!("{slot} has no settings"),
            false => lines.join("\n"),
        },
        details: json!({
            "slot": slot, "settings": entry.settings, "secrets": entry.secrets.keys().collect::<Vec<_>>(),
        }),
        review: None,
    }
}

/// The parts of `key=value`.
fn setting(change: &str) -> Result<(&str, &str), Refused> {
    let Some((key, value)) = change.split_once('=') else {
        let message = format!("`{change}` is not key=value; `key=` takes a setting out");
        return Err(Refused::new(Kind::Invalid, message));
    };
    check(key, value)?;
    Ok((key, value))
}

/// Refuses keys and values of another form. The text never holds the value.
fn check(key: &str, value: &str) -> Result<(), Refused> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let message = if key.is_empty() || key.len() > MAX_KEY_BYTES || !key.chars().all(is_word) {
        format!("`{key}` is no key: 1 to {MAX_KEY_BYTES} letters, digits, `-`, `_` and `.`")
    } else if value.len() > MAX_VALUE_BYTES {
        let length = value.len();
        format!("the value of `{key}` has {length} bytes, at most {MAX_VALUE_BYTES} are kept")
    } else {
        return Ok(());
    };
    Err(Refused::new(Kind::Invalid, message))
}
