//! What changes a slot without another plugin: enable, disable, remove, limits.

use serde_json::{Map, Value, json};

use super::{Kind, Operations, Outcome, Refused, data};
use crate::accounts::Actor;
use crate::plugins::approvals::{Act, Known};
use crate::plugins::entry::Entry;
use crate::plugins::shared_data;

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
            let (services, name) = (self.loader.services().clone(), slot.to_owned());
            let data = self.loader.data_dir().to_owned();
            let left = |error: &dyn std::fmt::Display| {
                Refused::failed(&format!("{slot} is removed, and its data is not: {error}"))
            };
            services.logs.remove_all(slot).await.map_err(|error| left(&error))?;
            let delete = move || data::delete(&data, &services.blobs, &name);
            let deleted = tokio::task::spawn_blocking(delete).await;
            deleted
                .unwrap_or_else(|error| Err(std::io::Error::other(error)))
                .map_err(|error| left(&error))?;
            if let Some(cluster) = &self.loader.services().config.cluster {
                let deleted = shared_data::delete(self.loader.services(), cluster, slot).await;
                deleted.map_err(|error| left(&error))?;
            }
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

    /// Writes an entry down whose plugin stays the same. One that serves gets it at once.
    pub(super) async fn alter(&self, entry: Entry, act: Act<'_>) -> Result<(), Refused> {
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

/// An act with these details.
pub fn act<'a>(actor: &'a Actor, action: &'static str, details: Value) -> Act<'a> {
    Act { actor, action, details }
}

fn state(slot: &str, state: &str, message: String) -> Outcome {
    Outcome {
        message,
        details: json!({ "slot": slot, "state": state }),
        review: None,
    }
}
