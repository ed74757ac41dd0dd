//! What changes a slot without another plugin: enable, disable, remove, limits, config.

use serde_json::{Map, Value, json};

use super::change::{Act, Known};
use super::{Kind, Operations, Outcome, Refused, data};
use crate::plugins::entry::Entry;
use crate::storage::core::Actor;

impl Operations {
    pub(super) async fn enable(&self, slot: &str, actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let mut entry = known.entry(slot)?.clone();
        if entry.enabled && self.present().plugin(slot).is_some() {
            return Ok(state(slot, "serving", format!("{slot} is enabled already")));
        }
        entry.enabled = true;
        self.serve(entry, act(actor, "plugin-enabled", json!({}))).await?;
        Ok(state(slot, "serving", format!("{slot} is enabled and serves")))
    }

    pub(super) async fn disable(&self, slot: &str, actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let entry = known.entry(slot)?;
        if entry.enabled {
            entry.enabled = false;
            let entry = entry.clone();
            self.retire(slot, Some(entry), act(actor, "plugin-disabled", json!({})))
                .await?;
        }
        Ok(state(slot, "disabled", format!("{slot} is disabled; its data stays")))
    }

    pub(super) async fn remove(&self, slot: &str, purge: bool, actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let entry = known.entry(slot)?;
        let version = entry.version.clone();
        if known.bundle.plugins.iter().any(|built| built.manifest.slot == slot) {
            let message = format!(
                "the program comes with a plugin for `{slot}`: `galley plugins rollback {slot} --bundled` puts it back, \
                 `galley plugins disable {slot}` switches it off"
            );
            return Err(Refused::new(Kind::Conflict, message));
        }
        let details = json!({ "version": version, "purged": purge });
        self.retire(slot, None, act(actor, "plugin-removed", details)).await?;
        if purge {
            data::delete(self.loader.data_dir(), slot)
                .map_err(|error| Refused::failed(&format!("{slot} is removed, and its data is not: {error}")))?;
        }
        let what = if purge {
            "and its data is deleted"
        } else {
            "its data stays"
        };
        Ok(state(slot, "removed", format!("{slot} {version} is removed; {what}")))
    }

    pub(super) async fn limits(&self, slot: &str, changes: &[String], actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let mut entry = known.entry(slot)?.clone();
        for change in changes {
            entry
                .limits
                .set(change)
                .map_err(|error| Refused::new(Kind::Invalid, error.to_string()))?;
        }
        let pairs: Map<String, Value> = entry
            .limits
            .pairs()
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect();
        let message = format!("{slot}: {}", entry.limits);
        if !changes.is_empty() {
            let details = json!({ "limits": changes });
            self.alter(entry, act(actor, "plugin-limits-changed", details)).await?;
        }
        Ok(Outcome {
            message,
            details: json!({ "slot": slot, "limits": pairs }),
            review: None,
        })
    }

    pub(super) async fn config(&self, slot: &str, changes: &[String], actor: &Actor) -> Result<Outcome, Refused> {
        let mut known = self.known().await?;
        let mut entry = known.entry(slot)?.clone();
        let mut keys = Vec::new();
        for change in changes {
            let (key, value) = setting(change)?;
            match value {
                "" => drop(entry.settings.remove(key)),
                value => drop(entry.settings.insert(key.to_owned(), value.to_owned())),
            }
            keys.push(key.to_owned());
        }
        let settings = json!(entry.settings);
        let lines = entry
            .settings
            .iter()
            .map(|(key, value)| format!("{slot}: {key}={value}"));
        let lines: Vec<_> = lines.collect();
        let message = match lines.is_empty() {
            true => format!("{slot} has no settings"),
            false => lines.join("\n"),
        };
        if !changes.is_empty() {
            // The values may be nobody's business.
            let details = json!({ "keys": keys });
            self.alter(entry, act(actor, "plugin-configured", details)).await?;
        }
        Ok(Outcome {
            message,
            details: json!({ "slot": slot, "settings": settings }),
            review: None,
        })
    }

    /// Writes an entry down whose plugin stays the same. One that serves gets it at once.
    async fn alter(&self, entry: Entry, act: Act<'_>) -> Result<(), Refused> {
        match entry.enabled {
            true => self.serve(entry, act).await,
            false => self.write_down(&entry.slot.clone(), Some(entry), act).await,
        }
    }
}

impl Known {
    /// The entry of a slot.
    pub fn entry(&mut self, slot: &str) -> Result<&mut Entry, Refused> {
        let known: Vec<_> = self.lock.plugins.iter().map(|entry| entry.slot.clone()).collect();
        self.lock.entry(slot).ok_or_else(|| {
            let known = if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            };
            Refused::new(Kind::Unknown, format!("there is no slot `{slot}`; there are: {known}"))
        })
    }
}

fn act<'a>(actor: &'a Actor, action: &'static str, details: Value) -> Act<'a> {
    Act { actor, action, details }
}

fn state(slot: &str, state: &str, message: String) -> Outcome {
    Outcome {
        message,
        details: json!({ "slot": slot, "state": state }),
        review: None,
    }
}

/// The parts of `key=value`.
fn setting(change: &str) -> Result<(&str, &str), Refused> {
    let wrong = |why: &str| Refused::new(Kind::Invalid, format!("`{change}` {why}"));
    let (key, value) = change
        .split_once('=')
        .ok_or_else(|| wrong("is not key=value; `key=` takes a setting out"))?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if key.is_empty() || key.len() > 64 || !key.chars().all(is_word) {
        return Err(wrong(
            "has no key of 1 to 64 letters, digits, `-`, `_` and `.` before the `=`",
        ));
    }
    match value.len() {
        0..=4096 => Ok((key, value)),
        length => {
            let message = format!("the value of `{key}` has {length} bytes, at most 4096 are kept");
            Err(Refused::new(Kind::Invalid, message))
        }
    }
}
