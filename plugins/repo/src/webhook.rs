//! POST `/webhooks/codehost`: deliveries of the code host, whose signature the host has checked.

use galley_sdk::extract::{Bytes, Request};
use galley_sdk::prelude::*;
use galley_sdk::{attachments, info, json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::payload::{Installation, Push, RepositoryRef};
use crate::push::{self, Delivery};

/// The longest id of a delivery, in bytes.
const MAX_DELIVERY_ID: usize = 100;

/// The fields of events about installations that matter here.
#[derive(Debug, Deserialize)]
struct Change {
    action: Option<String>,
    installation: Installation,
    repositories_removed: Option<Vec<RepositoryRef>>,
}

/// The fields of events about a repository that matter here.
#[derive(Debug, Deserialize)]
struct Renaming {
    action: Option<String>,
    repository: RepositoryRef,
    installation: Option<Installation>,
}

/// 200 with `{ "queued": N }` for a push, with `ignored` beside it when nothing could be built of it, and
/// `{ "ignored": true }` for every other event.
pub fn receive(request: Request, Bytes(body): Bytes) -> Result<Json<Value>> {
    let event = request.header("x-github-event").unwrap_or_default();
    let answer = match event.as_str() {
        "push" => push::take(&delivery(&request), &parse::<Push>(&body)?)?,
        "installation" | "installation_repositories" => {
            disconnect(&event, &parse(&body)?)?;
            json!({ "ignored": true })
        }
        "repository" => {
            rename(&parse(&body)?)?;
            json!({ "ignored": true })
        }
        _ => json!({ "ignored": true }),
    };
    Ok(Json(answer))
}

fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T> {
    if body.starts_with(b"payload=") {
        return Err(Error::bad_request(
            "Deliveries are taken as JSON: set the content type to application/json at the code host",
        ));
    }
    json::from_slice(body)
}

/// The delivery by its id at the code host; by its signature when it has no id.
fn delivery(request: &Request) -> Delivery {
    let signature = request.header("x-hub-signature-256");
    let given = request.header("x-github-delivery");
    let given = given.filter(|id| !id.is_empty() && id.len() <= MAX_DELIVERY_ID);
    Delivery {
        id: given.or_else(|| signature.clone()).unwrap_or_default(),
        signature,
    }
}

/// Disconnects projects whose repository the app cannot read any more, because it was removed from the account or from the
/// repository.
fn disconnect(event: &str, change: &Change) -> Result<()> {
    let removed = change.repositories_removed.as_deref().unwrap_or_default();
    for (project, connection) in attachments::all::<Connection>()? {
        let is_gone = match (event, change.action.as_deref()) {
            ("installation", Some("deleted")) => true,
            ("installation_repositories", Some("removed")) => removed
                .iter()
                .any(|repository| connection.is_of(repository, Some(change.installation.id))),
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

/// Updates owner and name of the connections to a repository that was renamed or transferred.
fn rename(change: &Renaming) -> Result<()> {
    if !matches!(change.action.as_deref(), Some("renamed" | "transferred")) {
        return Ok(());
    }
    let installation = change.installation.as_ref().map(|installation| installation.id);
    for (project, mut connection) in attachments::all::<Connection>()? {
        // A connection without an id knows the old name only; this event has the new one.
        if connection.repository_id == Some(change.repository.id) {
            connection.refresh(&project, &change.repository, installation)?;
        }
    }
    Ok(())
}
