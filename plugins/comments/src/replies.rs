//! The route `…/comments/{comment}/replies`.

use galley_sdk::prelude::*;
use galley_sdk::{bells, clock, random};
use serde::Deserialize;
use serde_json::Value;

use crate::author::Author;
use crate::comments::One;
use crate::events::Written;
use crate::notifications::Notifier;
use crate::record::{Reply, not_found};
use crate::store::{NewReply, Store};
use crate::{notifications, participants, text};

/// The most replies of one comment.
const MAX_REPLIES: u32 = 500;
/// The most bytes of all replies to one comment. ASCII texts cannot reach it.
const MAX_WEIGHT: usize = 5 << 20;

/// The body of a new reply. `author` is read only when the caller has no identity.
#[derive(Debug, Deserialize)]
pub struct New {
    body: String,
    author: Option<Value>,
    mentions: Option<Vec<String>>,
}

/// POST `…/replies`: 201 with the reply.
pub fn create<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Json(new): Json<New>,
) -> Result<(Status, Response)> {
    let body = text::body(&new.body)?;
    let author = Author::of(caller, new.author)?;
    let mentions = participants::mentions::<S>(&project, new.mentions.unwrap_or_default(), author.email.as_deref())?;
    let id = random::id();

    let batch = participants::enroll::<S>(sql::batch(), &project, &author);
    let reply = NewReply {
        id: &id,
        project: &project,
        comment: &comment,
        body,
        author: &author,
        mentions: &mentions.json,
        now: &clock::now(),
        max_replies: MAX_REPLIES,
        max_bytes: MAX_WEIGHT,
    };
    let batch = S::write_reply(batch, &reply);
    let written = Written {
        reply_id: Some(&id),
        ..Written::new(&project, &comment, body, &author)
    };
    let rows = notifications::add(
        written.publish(batch),
        &project,
        &comment,
        Some(&id),
        mentions,
        Notifier::Author(&author),
    )
    .run()
    .map_err(|problem| {
        if problem.is("expectation") {
            refusal::<S>(&project, &comment)
        } else {
            problem.into()
        }
    })?;
    bells::ring(&project);
    let reply = rows
        .last()
        .and_then(|rows| rows.map(Reply::from_row).next())
        .ok_or_else(not_found)??;
    Ok((Status::CREATED, Json(reply).into_response()))
}

/// Why no reply was counted: the comment has the most replies it may have, or does not exist.
fn refusal<S: Store>(project: &str, comment: &str) -> Error {
    match S::reply_count(project, comment) {
        Ok(Some(MAX_REPLIES..)) => Error::bad_request(format!("A comment can have at most {MAX_REPLIES} replies")),
        Ok(Some(_)) => Error::bad_request("The replies of this comment are too long together: write a new comment"),
        Ok(None) => not_found(),
        Err(problem) => problem.into(),
    }
}
