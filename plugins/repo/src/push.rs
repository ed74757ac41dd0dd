//! Pushes: which projects they build.
//!
//! A push asks for a build of every project that is connected to the branch and builds by itself. The delivery and the
//! events that ask are one transaction. A delivery that is repeated, because our answer was lost or somebody pressed
//! "Redeliver", is known by its id and asks for nothing again. The id is not signed, so the signature of the body is
//! remembered too: a recorded delivery under another id does nothing.

use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;
use galley_sdk::{attachments, clock};
use serde::Serialize;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::delivery_log::{self, Entry};
use crate::earlier;
use crate::payload::Push;

/// How long a delivery is remembered, in milliseconds: a day.
const MEMORY: u64 = 86_400_000;
/// Markers in the message of the newest commit that say not to build it.
const SKIP: [&str; 5] = ["[skip galley]", "[galley skip]", "[skip ci]", "[ci skip]", "[no ci]"];

/// A delivery without its body.
#[derive(Debug)]
pub struct Delivery {
    /// What the code host calls it; the same when it is delivered again.
    pub id: String,
    /// Of the body; the host checked it.
    pub signature: Option<String>,
}

/// The topic of [`BuildRequested`].
pub(crate) const BUILD_REQUESTED: &str = "repo/build-requested";

/// Its data.
pub(crate) const BUILD_REQUESTED_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "commitSha", "branch", "deliveryId"],
    "properties": {
        "projectId": { "type": "string" },
        "commitSha": { "type": "string" },
        "branch": { "type": "string" },
        "deliveryId": { "type": "string" }
    }
}"#;

/// The event that asks for a build.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BuildRequested<'p> {
    project_id: &'p str,
    commit_sha: &'p str,
    branch: &'p str,
    delivery_id: &'p str,
}

/// The branch to build, or why nothing is built of this push, whatever it is connected to.
fn to_build(push: &Push) -> Result<&str, String> {
    let Some(branch) = push.branch() else {
        return Err(format!("Only branches are built, and this is {}", push.reference));
    };
    if push.deleted == Some(true) || push.after.bytes().all(|digit| digit == b'0') {
        return Err("The branch was deleted".to_owned());
    }
    let message = push.head_commit.as_ref().and_then(|commit| commit.message.as_deref());
    let message = message.unwrap_or_default().to_lowercase();
    match SKIP.iter().find(|marker| message.contains(**marker)) {
        Some(marker) => Err(format!("The message of the newest commit holds {marker}")),
        None => Ok(branch),
    }
}

/// Whether a push builds the project of this connection, or why not.
fn decide(push: &Push, connection: &Connection) -> Result<(), String> {
    let branch = to_build(push)?;
    if !connection.auto_deploy {
        return Err("The project is not built by pushes: autoDeploy is off".to_owned());
    }
    if connection.branch != branch {
        return Err(format!("The project is built from the branch {}", connection.branch));
    }
    Ok(())
}

/// Requests the builds of a push, unless this delivery was handled before. Returns the body of the answer.
pub fn take(delivery: &Delivery, push: &Push) -> Result<Value> {
    let answer = |queued: u32| match to_build(push) {
        Ok(_) => json!({ "queued": queued }),
        Err(_) => json!({ "queued": 0, "ignored": true }),
    };
    let now = clock::now_ms();
    if let Some(queued) = noted(delivery, now)? {
        return Ok(answer(queued));
    }
    let connected = connected(push)?;
    if let Some(earlier) = recorded_as(delivery, now)? {
        // The same delivery may have come at once, and was handled meanwhile.
        return match noted(delivery, now)? {
            Some(queued) => Ok(answer(queued)),
            None => replayed(delivery, push, &connected, &earlier),
        };
    }
    let queued = connected.iter().filter(|(_, refused)| refused.is_none()).count() as u32;
    let mut batch = remember(delivery, queued, now);
    for (project, refused) in &connected {
        let entry = Entry {
            project,
            delivery: &delivery.id,
            push,
            ignored: refused.as_deref(),
        };
        batch = delivery_log::add(batch, &entry);
        if let (None, Some(branch)) = (refused, push.branch()) {
            let event = BuildRequested {
                project_id: project,
                commit_sha: &push.after,
                branch,
                delivery_id: &delivery.id,
            };
            batch = batch.publish(BUILD_REQUESTED, &event);
        }
    }
    match batch.run() {
        Ok(_) => Ok(answer(queued)),
        // The same delivery came twice at once, and the other one was first.
        Err(problem) if problem.is("expectation") => match noted(delivery, now)? {
            Some(queued) => Ok(answer(queued)),
            None => replayed(delivery, push, &connected, "another one"),
        },
        Err(problem) => Err(problem.into()),
    }
}

/// Notes the delivery by its id and its signature. Undone, with the code `expectation`, when either is known.
fn remember(delivery: &Delivery, queued: u32, now: u64) -> Batch {
    let forgotten = now.saturating_sub(MEMORY) as i64;
    let batch = sql::batch()
        .step(
            sql!("DELETE FROM deliveries WHERE received_at <= ?1"),
            params![forgotten],
        )
        .step(
            sql!("DELETE FROM signatures WHERE received_at <= ?1"),
            params![forgotten],
        )
        .step(
            sql!("INSERT INTO deliveries (id, queued, received_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"),
            params![delivery.id.as_str(), queued, now as i64],
        )
        .expect(1);
    match delivery.signature.as_deref() {
        Some(signature) => batch
            .step(
                sql!("INSERT INTO signatures (signature, delivery_id, received_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"),
                params![signature, delivery.id.as_str(), now as i64],
            )
            .expect(1),
        None => batch,
    }
}

/// The projects that are connected to the repository, each with why it is not built. What the connections say of the
/// repository is brought up to date.
fn connected(push: &Push) -> Result<Vec<(String, Option<String>)>> {
    let installation = push.installation.as_ref().map(|installation| installation.id);
    earlier::identify(installation)?;
    let mut connected = Vec::new();
    for (project, mut connection) in attachments::all::<Connection>()? {
        if connection.is_of(&push.repository, installation) {
            connection.refresh(&project, &push.repository, installation)?;
            let refused = decide(push, &connection).err();
            connected.push((project, refused));
        }
    }
    Ok(connected)
}

/// How many builds a delivery asked for, when it came within the last day.
fn noted(delivery: &Delivery, now: u64) -> Result<Option<u32>> {
    let sql = sql!("SELECT queued FROM deliveries WHERE id = ?1 AND received_at > ?2");
    let since = now.saturating_sub(MEMORY) as i64;
    let row: Option<(i64,)> = sql::one(sql, params![delivery.id.as_str(), since])?;
    Ok(row.map(|(queued,)| queued as u32))
}

/// The id under which the same signed body came within the last day.
fn recorded_as(delivery: &Delivery, now: u64) -> Result<Option<String>> {
    let sql = sql!("SELECT delivery_id FROM signatures WHERE signature = ?1 AND received_at > ?2");
    let since = now.saturating_sub(MEMORY) as i64;
    let row: Option<(String,)> = sql::one(sql, params![delivery.signature.as_deref(), since])?;
    Ok(row.map(|(id,)| id))
}

/// Does nothing but say so in the log of the projects concerned.
fn replayed(delivery: &Delivery, push: &Push, connected: &[(String, Option<String>)], earlier: &str) -> Result<Value> {
    let reason = format!("The same delivery came before, as {earlier}");
    let mut batch = sql::batch();
    for (project, _) in connected {
        let entry = Entry {
            project,
            delivery: &delivery.id,
            push,
            ignored: Some(&reason),
        };
        batch = delivery_log::add(batch, &entry);
    }
    if !connected.is_empty() {
        batch.run()?;
    }
    Ok(json!({ "queued": 0, "ignored": true }))
}
