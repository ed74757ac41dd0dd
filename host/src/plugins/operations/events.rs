//! The events that a slot did not take: shown, delivered once more, or forgotten.

use serde_json::json;

use super::request::EventDeed;
use super::{Kind, Operations, Outcome, Refused};
use crate::accounts::Actor;
use crate::storage::id::rfc3339;

impl Operations {
    pub(super) async fn events(&self, slot: &str, deed: Option<EventDeed>, actor: &Actor) -> Result<Outcome, Refused> {
        self.known().await?.entry(slot)?;
        let core = &self.loader.services().core;
        let events = core.set_aside(slot).await?;
        let Some(deed) = deed else {
            let line = |event: &crate::core::SetAside| {
                let (since, state) = (
                    rfc3339(event.set_aside_at),
                    if event.is_retried { ", comes again" } else { "" },
                );
                let (id, topic, attempts, reason) = (event.id, &event.topic, event.attempts, &event.reason);
                format!("{id} {topic}: set aside {since} after {attempts} attempts{state}: {reason}")
            };
            let lines: Vec<_> = events.iter().map(line).collect();
            return Ok(Outcome {
                message: match lines.is_empty() {
                    true => format!("no event of {slot} is set aside"),
                    false => lines.join("\n"),
                },
                details: json!({ "slot": slot, "events": events }),
                review: None,
            });
        };
        let (id, action, what) = match deed {
            EventDeed::Retry { id } => (id, "plugin-event-retried", "is delivered once more"),
            EventDeed::Drop { id } => (id, "plugin-event-dropped", "is forgotten"),
        };
        if !events.iter().any(|event| event.id == id) {
            let message = format!("no event {id} of `{slot}` is set aside; `galley plugins events {slot}` lists them");
            return Err(Refused::new(Kind::Unknown, message));
        }
        core.record_act(actor, action, slot, json!({ "event": id })).await?;
        match deed {
            EventDeed::Retry { id } => core.retry_set_aside(slot, id).await?,
            EventDeed::Drop { id } => core.drop_set_aside(slot, id).await?,
        };
        Ok(Outcome {
            message: format!("event {id} of {slot} {what}"),
            details: json!({ "slot": slot, "event": id }),
            review: None,
        })
    }
}
