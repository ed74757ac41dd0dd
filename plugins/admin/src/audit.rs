//! The audit log: the route `…/instance/audit`.

use galley_sdk::administration::audit::{self, Entry};
use galley_sdk::clock;
use galley_sdk::json::Raw;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// The default number of entries of a page.
const PAGE: u32 = 50;
/// The most entries of a page.
const MAX_PAGE: u32 = 200;

/// An entry in the API's format.
#[derive(Debug, Serialize)]
struct Record<'e> {
    id: String,
    at: String,
    actor: Actor<'e>,
    action: &'e str,
    subject: &'e str,
    details: Raw<'e>,
}

/// Who did it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Actor<'e> {
    kind: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'e str>,
}

impl<'e> From<&'e Entry> for Record<'e> {
    fn from(entry: &'e Entry) -> Record<'e> {
        Record {
            id: entry.id.to_string(),
            at: clock::format(entry.at),
            actor: Actor {
                kind: &entry.actor.kind,
                user_id: entry.actor.user_id.as_deref(),
                email: entry.actor.email.as_deref(),
            },
            action: &entry.action,
            subject: &entry.subject,
            details: Raw(&entry.details),
        }
    }
}

/// The answer of the list.
#[derive(Debug, Serialize)]
struct Page<'e> {
    entries: Vec<Record<'e>>,
    /// The value of `before` for the next page; null at the end.
    next: Option<String>,
}

/// The query of the list.
#[derive(Debug, Deserialize)]
pub struct ListQuery {
    before: Option<u64>,
    limit: Option<u32>,
}

/// GET `…/audit?before=ID&limit=N`: `{ "entries": […], "next" }`, newest first.
pub fn list(Query(query): Query<ListQuery>) -> Result<Response> {
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(Error::bad_request(format!("`limit` must be 1 to {MAX_PAGE}")));
    }
    let entries = audit::read(query.before, limit)?;
    let last = entries.last().map(|entry| entry.id);
    // A short page is the last one. Only after a full one another entry is looked up.
    let next = match last {
        Some(last) if entries.len() == limit as usize && !audit::read(Some(last), 1)?.is_empty() => Some(last),
        _ => None,
    };
    let page = Page {
        entries: entries.iter().map(Record::from).collect(),
        next: next.map(|id| id.to_string()),
    };
    Ok(Json(page).into_response())
}
