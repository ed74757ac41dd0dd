//! The route `…/comments/resolve`: several comments at once, all or none.

use std::collections::BTreeSet;

use galley_sdk::prelude::*;
use galley_sdk::{bells, clock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::author::Author;
use crate::events;
use crate::ids;
use crate::record::not_found;
use crate::store::{Resolving, Store};

/// The most comments of one request. Each is an event, and a call publishes at most a hundred.
const MAX_IDS: usize = 100;
/// How often it is tried when others resolve the same comments meanwhile.
const MAX_ATTEMPTS: u32 = 5;

/// The body of a request. `author` is read only when the caller has no identity.
#[derive(Debug, Deserialize)]
pub struct Several {
    ids: Vec<String>,
    resolved: bool,
    author: Option<Value>,
}

/// The answer: the ids of the comments that were not what they are now.
#[derive(Debug, Serialize)]
pub struct Changed {
    changed: Vec<String>,
}

/// POST `…/comments/resolve`: 200. Every writer may resolve.
pub fn several<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Json(several): Json<Several>,
) -> Result<Json<Changed>> {
    let ids: BTreeSet<String> = several.ids.into_iter().collect();
    if ids.is_empty() || ids.len() > MAX_IDS {
        return Err(Error::bad_request(format!("`ids` must name 1 to {MAX_IDS} comments")));
    }
    let by = Author::resolving(&caller, several.author)?;
    for _ in 0..MAX_ATTEMPTS {
        match attempt::<S>(&project, &caller, &ids, several.resolved, &by) {
            Err(error) if error.is("expectation") => {}
            answer => return answer,
        }
    }
    Err(Error::conflict(
        "Others are resolving these comments right now: try again",
    ))
}

/// Finds out which of the comments have to change, and changes them. `expectation` when one was changed in between.
fn attempt<S: Store>(
    project: &str,
    caller: &Caller,
    ids: &BTreeSet<String>,
    resolved: bool,
    by: &Author,
) -> Result<Json<Changed>> {
    let states = S::states(project, &ids::keys(ids))?;
    if states.len() < ids.len() {
        return Err(not_found());
    }
    let others = states.into_iter().filter(|(_, before)| *before != resolved);
    let changed: Vec<String> = others.map(|(id, _)| id).collect();
    if !changed.is_empty() {
        let change = Resolving {
            project,
            comments: &ids::keys(&changed),
            resolved,
            by,
            now: &clock::now(),
        };
        let batch = S::resolve(sql::batch(), &change).expect(changed.len() as u64);
        let tell = |batch, id: &String| events::changed(batch, project, id, resolved, caller);
        changed.iter().fold(batch, tell).run()?;
        bells::ring(project);
    }
    Ok(Json(Changed { changed }))
}
