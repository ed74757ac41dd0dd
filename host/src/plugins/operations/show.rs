//! What is there: the slots, and what filled them.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Kind, Operations, Outcome, Refused};
use crate::plugins::entry::Entry;
use crate::plugins::registry::{Slot, SlotStatus};
use crate::plugins::review;
use crate::storage::id::rfc3339;

impl Operations {
    pub(super) async fn list(&self) -> Result<Outcome, Refused> {
        let lock = self.loader.known().await?.lock;
        let mut rows = Vec::new();
        for entry in &lock.plugins {
            let jobs = self.jobs(&entry.slot).await;
            rows.push(self.describe(entry, jobs));
        }
        Ok(Outcome {
            message: format!("{} slots", rows.len()),
            details: json!({ "plugins": rows }),
            review: None,
        })
    }

    /// The approvals as they stand, for commands that look at the files of this machine.
    pub(super) async fn approvals(&self) -> Result<Outcome, Refused> {
        let lock = self.loader.known().await?.lock;
        let text = lock.to_text().map_err(|reason| Refused::failed(&reason))?;
        Ok(Outcome {
            message: text.clone(),
            details: json!({ "approvals": text }),
            review: None,
        })
    }

    /// One slot for a list.
    fn describe(&self, entry: &Entry, jobs: Vec<Value>) -> Value {
        let registry = self.present();
        let slot = registry.slot(&entry.slot);
        let (state, figures) = match slot.map(|slot| &slot.status) {
            _ if !entry.enabled => ("disabled", None),
            Some(SlotStatus::Ready(plugin)) => {
                let figures = plugin.state.counters.figures();
                let state = if plugin.breaker.is_tripped() {
                    "tripped"
                } else {
                    "serving"
                };
                (state, Some(figures))
            }
            Some(SlotStatus::Failed { .. }) => ("failed", None),
            None => ("waiting", None),
        };
        json!({
            "slot": entry.slot, "id": entry.id(), "version": entry.version, "file": entry.file, "source": entry.source,
            "sha256": entry.sha256, "publisher": entry.publisher, "since": entry.since,
            "enabled": entry.enabled, "bundled": entry.bundled, "imports": entry.imports, "hosts": entry.hosts,
            "engines": slot.and_then(Slot::manifest).map(|manifest| &manifest.engines),
            "may": review::powers(entry, slot.and_then(Slot::manifest)),
            "state": state, "problem": slot.and_then(|slot| slot.problem.clone()), "errors": figures.map(|figures| figures.errors),
            "calls": figures.map(|figures| figures.calls),
            "p99Ms": figures.and_then(|figures| figures.p99_ms),
            "memoryBytes": figures.map(|figures| figures.memory_bytes),
            "instances": figures.map(|figures| figures.instances),
            "jobs": jobs,
        })
    }

    /// The jobs of a slot for a list.
    async fn jobs(&self, slot: &str) -> Vec<Value> {
        let kept = self.loader.services().core.jobs(slot).await.unwrap_or_default();
        let rows = kept.into_iter().map(|job| {
            json!({
                "name": job.name, "when": job.schedule, "dueAt": rfc3339(job.due_at), "ranAt": job.ran_at.map(rfc3339),
                "failures": job.failures, "reason": job.reason,
            })
        });
        rows.collect()
    }

    pub(super) async fn history(&self, slot: &str) -> Result<Outcome, Refused> {
        let mut lock = self.loader.known().await?.lock;
        let Some(entry) = lock.entry(slot) else {
            return Err(Refused::new(Kind::Unknown, format!("there is no slot `{slot}`")));
        };
        let mut text = String::new();
        let now = entry.filling();
        for (mark, filling) in std::iter::once(('*', &now)).chain(entry.before.iter().map(|filling| (' ', filling))) {
            let since = filling.since.as_deref().unwrap_or("-");
            let from = match (&filling.source, filling.bundled) {
                (_, true) => "came with the program",
                (Some(source), false) => source,
                (None, false) => "-",
            };
            let line = writeln!(
                text,
                "{mark} {:<10} {since:<24} {} {from}",
                filling.version,
                &filling.sha256[..filling.sha256.len().min(12)]
            );
            line.map_err(|error| Refused::failed(&error))?;
        }
        Ok(Outcome {
            message: text.trim_end().to_owned(),
            details: json!({ "slot": slot, "present": now, "before": entry.before }),
            review: None,
        })
    }
}
