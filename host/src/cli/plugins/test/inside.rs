//! What a plugin gets from the server itself: events, runs of jobs, settings and secrets.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde_json::Value;

use super::difference::Answer;
use super::script::{Config, Event, fill, fill_json};
use crate::accounts::Actor;
use crate::capabilities::objects::{Delivery, Job};
use crate::capabilities::{Call, Problem};
use crate::core::Event as Published;
use crate::plugins::operations::{Operations, Refused, Request, SecretText};
use crate::plugins::plugin::CallError;
use crate::storage::id::now_ms;

/// Delivers an event, whose number is `id`.
pub async fn deliver(
    operations: &Operations,
    slot: &str,
    id: i64,
    event: &Event,
    values: &BTreeMap<String, String>,
) -> anyhow::Result<Answer> {
    let present = operations.present();
    let plugin = present.plugin(slot).context("the plugin does not serve")?;
    let topics = &plugin.manifest.subscriptions;
    if !topics.contains(&event.topic) {
        bail!(
            "the plugin is not subscribed to `{}`, but to: {}",
            event.topic,
            list(topics.iter().map(String::as_str))
        );
    }
    let source = event.topic.split_once('/').map(|(slot, _)| slot.to_owned());
    let published = Published {
        id,
        topic: event.topic.clone(),
        source,
        data: fill_json(&event.data, values).to_string(),
        attempts: 0,
    };
    let call = Call::system(format!("event-{id}"), &plugin.state.limits());
    let delivery = Delivery {
        event: published,
        attempt: 1,
    };
    Ok(ended(plugin.receive(call, delivery).await))
}

/// Runs a job as if it were due now.
pub async fn run_job(operations: &Operations, slot: &str, name: &str) -> anyhow::Result<Answer> {
    let present = operations.present();
    let plugin = present.plugin(slot).context("the plugin does not serve")?;
    let jobs = &plugin.manifest.jobs;
    if jobs.iter().all(|job| job.name != name) {
        let names = jobs.iter().map(|job| job.name.as_str());
        bail!("the plugin has no job `{name}`, but: {}", list(names));
    }
    let due = now_ms();
    let call = Call::system(format!("job-{name}-{due}"), &plugin.state.limits());
    let job = Job {
        name: name.to_owned(),
        due: due.unsigned_abs(),
    };
    Ok(ended(plugin.run_job(call, job).await))
}

/// Changes settings and secrets, as an operator would.
pub async fn configure(
    operations: &std::sync::Arc<Operations>,
    slot: &str,
    config: &Config,
    values: &BTreeMap<String, String>,
) -> Result<(), Refused> {
    if config.settings.is_empty() && config.secrets.is_empty() {
        return Ok(());
    }
    let text = |value: &Value| match value {
        Value::String(text) => fill(text, values),
        other => other.to_string(),
    };
    let settings = config.settings.iter();
    let secrets = config.secrets.iter();
    let request = Request::Config {
        slot: slot.to_owned(),
        changes: settings.map(|(key, value)| format!("{key}={}", text(value))).collect(),
        secrets: secrets
            .map(|(key, value)| (key.clone(), SecretText(fill(value, values))))
            .collect(),
    };
    operations.run(request, Actor::System).await.map(drop)
}

/// What has no answer of its own, as one: 204, or a status and the reason.
pub fn answer(done: Result<(), (u16, String)>) -> Answer {
    let (status, body) = match done {
        Ok(()) => (204, String::new()),
        Err((status, reason)) => (status, serde_json::json!({ "error": reason }).to_string()),
    };
    Answer {
        status,
        headers: Vec::new(),
        body: body.into_bytes(),
    }
}

/// How a call of the plugin ended: 409 with its own reason, 500 where it failed.
fn ended(done: Result<Result<(), Problem>, CallError>) -> Answer {
    answer(match done {
        Ok(Ok(())) => Ok(()),
        Ok(Err(problem)) => Err((409, problem.message)),
        Err(error) => Err((500, error.to_string())),
    })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    }
}
