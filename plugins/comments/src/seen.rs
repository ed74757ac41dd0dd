//! What an account has read: the routes `…/comments/seen` and `/comments/summary`.

use std::collections::BTreeMap;

use galley_sdk::caller::User;
use galley_sdk::clock;
use galley_sdk::prelude::*;
use galley_sdk::projects::{self, Action};
use serde::{Deserialize, Serialize};

use crate::author;
use crate::store::Store;

/// What the caller has seen of a project.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// The number of the last comment.
    number: u32,
    /// The time up to which replies were seen; now without it.
    at: Option<String>,
}

/// PUT `…/comments/seen`: 204. What was seen once stays seen, so an older request that comes late changes nothing.
pub fn put<S: Store>(project: ProjectId, caller: Caller, Json(seen): Json<Seen>) -> Result<NoContent> {
    let user = caller
        .user
        .ok_or_else(|| Error::forbidden("The admin token belongs to no account, so nothing is unread for it"))?;
    let now = clock::now();
    let at = match seen.at {
        None => now,
        // A time to come would hide replies that nobody has seen.
        Some(at) if is_time(&at) => at.min(now),
        Some(_) => {
            return Err(Error::bad_request(
                "`at` must be a time like `2026-01-31T12:00:00.000Z`",
            ));
        }
    };
    S::set_seen(&project, &user.id, seen.number.into(), &at)?;
    Ok(NoContent)
}

/// Whether a text has the form of the times in answers. Such texts sort by time.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00.000Z";
    text.len() == form.len()
        && text.bytes().zip(form).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == *form,
        })
}

/// The comments of one project, in numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Count {
    open: u32,
    unread: u32,
    last_at: String,
}

/// The answer of the summary.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// By the id of the project.
    projects: BTreeMap<String, Count>,
}

/// GET `/comments/summary`: the projects that have comments and that the caller may read.
pub fn summary<S: Store>(user: User) -> Result<Json<Summary>> {
    let rows = S::summary(&author::uid(&user), &user.id)?;
    let mut found = BTreeMap::new();
    for row in rows.iter::<(String, u32, u32, String)>() {
        let (project, open, unread, last_at) = row?;
        if projects::may(&project, Action::Read) {
            found.insert(project, Count { open, unread, last_at });
        }
    }
    Ok(Json(Summary { projects: found }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_time_has_one_form() {
        assert!(super::is_time("2026-01-01T00:00:01.500Z"));
        for text in [
            "",
            "2026-01-01T00:00:01Z",
            "2026-01-01 00:00:01.500Z",
            "2026-01-01T00:00:01.50äZ",
        ] {
            assert!(!super::is_time(text), "{text}");
        }
    }
}
