//! POST `/webhooks/codehost`: deliveries of the code host, whose signature the host has checked.
//!
//! A push asks for a build of every project that is connected to the branch and builds by itself. The delivery and the
//! events that ask are one transaction: a delivery that is repeated, because our answer was lost or somebody pressed
//! "Redeliver", finds itself noted and asks for nothing again.

use galley_sdk::extract::{Bytes, Request};
use galley_sdk::prelude::*;
use galley_sdk::{attachments, clock, info, json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::connection::Connection;

/// How long a delivery is remembered, in milliseconds: a day.
const MEMORY: u64 = 86_400_000;
/// The longest id of a delivery.
const DELIVERY_ID: usize = 100;
/// What in the message of the newest commit says that it is not to be built.
const SKIP: [&str; 5] = ["[skip galley]", "[galley skip]", "[skip ci]", "[ci skip]", "[no ci]"];

/// What of a push matters here.
#[derive(Debug, Deserialize)]
struct Push {
    #[serde(rename = "ref")]
    reference: String,
    /// The newest commit; zeros when the branch was deleted.
    after: String,
    deleted: Option<bool>,
    repository: Repository,
    head_commit: Option<Commit>,
}

#[derive(Debug, Deserialize)]
struct Repository {
    full_name: String,
}

#[derive(Debug, Deserialize)]
struct Commit {
    message: Option<String>,
}

/// What of the events about installations matters here.
#[derive(Debug, Deserialize)]
struct Change {
    action: Option<String>,
    installation: Installation,
    repositories_removed: Option<Vec<Repository>>,
}

#[derive(Debug, Deserialize)]
struct Installation {
    id: u64,
}

/// The event that asks for a build.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BuildRequested<'p> {
    project_id: &'p str,
    commit_sha: &'p str,
    branch: &'p str,
    delivery_id: &'p str,
}

impl Push {
    /// The branch that moved; `None` for a tag, a deletion, and a commit that asks not to be built.
    fn branch(&self) -> Option<&str> {
        let branch = self.reference.strip_prefix("refs/heads/")?;
        let is_gone = self.deleted == Some(true) || self.after.bytes().all(|digit| digit == b'0');
        let message = self.head_commit.as_ref().and_then(|commit| commit.message.as_deref());
        let message = message.unwrap_or_default().to_lowercase();
        let is_skipped = SKIP.iter().any(|marker| message.contains(marker));
        (!is_gone && !is_skipped).then_some(branch)
    }
}

/// 202 with `{ "queued": N }` for a push, with `ignored` beside it when it is none that could be built, and
/// `{ "ignored": true }` for every other event.
pub fn receive(request: Request, Bytes(body): Bytes) -> Result<(Status, Json<Value>)> {
    let event = request.header("x-github-event").unwrap_or_default();
    let answer = match event.as_str() {
        "push" => {
            let push: Push = parse(&body)?;
            match push.branch() {
                Some(branch) => {
                    let delivery = delivery_id(&request);
                    json!({ "queued": once(&delivery, &push, branch)? })
                }
                None => json!({ "queued": 0, "ignored": true }),
            }
        }
        "installation" | "installation_repositories" => {
            follow(&event, &parse(&body)?)?;
            json!({ "ignored": true })
        }
        _ => json!({ "ignored": true }),
    };
    Ok((Status::ACCEPTED, Json(answer)))
}

fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T> {
    if body.starts_with(b"payload=") {
        return Err(Error::bad_request(
            "Deliveries are taken as JSON: set the content type to application/json at the code host",
        ));
    }
    json::from_slice(body)
}

/// What the code host calls the delivery; without that its signature, which differs with what is in it.
fn delivery_id(request: &Request) -> String {
    let given = request.header("x-github-delivery");
    let given = given.filter(|id| !id.is_empty() && id.len() <= DELIVERY_ID);
    given
        .or_else(|| request.header("x-hub-signature-256"))
        .unwrap_or_default()
}

/// Asks for the builds of a push, unless this delivery did; how many it asked for.
fn once(delivery: &str, push: &Push, branch: &str) -> Result<u32> {
    let now = clock::now_ms();
    if let Some(queued) = noted(delivery, now)? {
        return Ok(queued);
    }
    let all = attachments::all::<Connection>()?;
    let matching = |(_, connection): &(String, Connection)| {
        connection.auto_deploy && connection.branch == branch && connection.is_of(&push.repository.full_name)
    };
    let projects: Vec<_> = all.into_iter().filter(matching).map(|(project, _)| project).collect();
    let mut batch = sql::batch()
        .step(
            "DELETE FROM deliveries WHERE received_at <= ?1",
            params![now.saturating_sub(MEMORY) as i64],
        )
        .step(
            "INSERT INTO deliveries (id, queued, received_at) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING",
            params![delivery, projects.len() as i64, now as i64],
        )
        .expect(1);
    for project in &projects {
        let event = BuildRequested {
            project_id: project,
            commit_sha: &push.after,
            branch,
            delivery_id: delivery,
        };
        batch = batch.publish("build-requested", &event);
    }
    match batch.run() {
        Ok(_) => Ok(projects.len() as u32),
        // The same delivery came twice at once, and the other one was first.
        Err(problem) if problem.is("expectation") => Ok(noted(delivery, now)?.unwrap_or_default()),
        Err(problem) => Err(problem.into()),
    }
}

/// How many builds a delivery asked for, when it came within the last day.
fn noted(delivery: &str, now: u64) -> Result<Option<u32>> {
    let sql = "SELECT queued FROM deliveries WHERE id = ?1 AND received_at > ?2";
    let row: Option<(i64,)> = sql::one(sql, params![delivery, now.saturating_sub(MEMORY) as i64])?;
    Ok(row.map(|(queued,)| queued as u32))
}

/// The app was taken away from an account, or from repositories of it: what was connected through it cannot be built any
/// more, and says so by not being connected.
fn follow(event: &str, change: &Change) -> Result<()> {
    let removed = change.repositories_removed.as_deref().unwrap_or_default();
    for (project, connection) in attachments::all::<Connection>()? {
        let is_gone = match (event, change.action.as_deref()) {
            ("installation", Some("deleted")) => true,
            ("installation_repositories", Some("removed")) => {
                removed.iter().any(|repository| connection.is_of(&repository.full_name))
            }
            _ => false,
        };
        if is_gone && connection.installation_id == change.installation.id {
            info!("the project {project} is not connected any more: the app lost its repository");
            match attachments::clear(&project) {
                Err(problem) if !problem.is("not-found") => return Err(problem.into()),
                _ => {}
            }
        }
    }
    Ok(())
}
