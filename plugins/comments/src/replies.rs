//! The routes `…/comments/{comment}/replies` and `…/replies/{reply}`.

use galley_sdk::prelude::*;
use galley_sdk::sql::Rows;
use galley_sdk::{bells, clock, random};
use serde::Deserialize;
use serde_json::Value;

use crate::author::{self, Author};
use crate::comments::One;
use crate::events::Written;
use crate::notifications::Notifier;
use crate::record::{Reply, not_found};
use crate::store::{NewReply, ReplyChange, Store};
use crate::{notifications, participants, text};

/// The most replies of one comment.
const MAX_REPLIES: u32 = 500;
/// The most bytes of all replies to one comment. ASCII texts cannot reach it.
const MAX_WEIGHT: usize = 5 << 20;

/// The body of a new reply. `author` is read only when the caller has no identity.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct New {
    body: String,
    client_key: Option<String>,
    author: Option<Value>,
    mentions: Option<Vec<String>>,
}

/// POST `…/replies`: 201 with the reply; 200 with the first one when this author sent it before, by its client's key.
pub fn create<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Json(new): Json<New>,
) -> Result<(Status, Response)> {
    let body = text::body(&new.body)?;
    let client_key = text::client_key(new.client_key.as_deref())?;
    let author = Author::of(&caller, new.author)?;
    let first = || -> Result<Option<Response>> {
        match client_key {
            "" => Ok(None),
            key => reply(&S::reply_of_client(&project, &comment, &author.uid, key)?),
        }
    };
    if let Some(first) = first()? {
        return Ok((Status::OK, first));
    }
    let mentions = participants::mentions::<S>(&project, new.mentions.unwrap_or_default(), author.email.as_deref())?;
    let id = random::id();

    let batch = participants::enroll::<S>(sql::batch(), &project, &author);
    let new = NewReply {
        id: &id,
        project: &project,
        comment: &comment,
        body,
        client_key,
        author: &author,
        mentions: &mentions.json,
        now: &clock::now(),
        max_replies: MAX_REPLIES,
        max_bytes: MAX_WEIGHT,
    };
    let batch = S::write_reply(batch, &new);
    let written = Written {
        reply_id: Some(&id),
        ..Written::new(&project, &comment, body, &author)
    };
    let batch = written.publish(batch);
    let by = Notifier::Author(&author);
    let rows = match notifications::add(batch, &project, &comment, Some(&id), mentions, by).run() {
        Err(problem) if problem.is("expectation") => return Err(refusal::<S>(&project, &comment)),
        // The same request came twice at once.
        Err(problem) if problem.is("constraint") => return Ok((Status::OK, first()?.ok_or(problem)?)),
        rows => rows?,
    };
    bells::ring(&project);
    let written = rows.last().map(reply).transpose()?.flatten();
    Ok((Status::CREATED, written.ok_or_else(not_found)?))
}

/// The first reply in `rows` as an answer.
fn reply(rows: &Rows) -> Result<Option<Response>> {
    let reply = rows.map(Reply::from_row).next().transpose()?;
    Ok(reply.map(|reply| Json(reply).into_response()))
}

/// The reply of a path.
#[derive(Debug, Deserialize)]
pub struct OneReply {
    comment: String,
    reply: String,
}

/// What a PATCH changes; what is left out stays.
#[derive(Debug, Deserialize)]
pub struct Change {
    body: Option<String>,
    mentions: Option<Vec<String>>,
}

/// PATCH `…/replies/{reply}`: 200 with the reply.
pub fn update<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(id): Path<OneReply>,
    Json(change): Json<Change>,
) -> Result<Response> {
    let before = may_change::<S>(&project, &caller, &id)?;
    if change.body.is_none() && change.mentions.is_none() {
        return Err(Error::bad_request("Nothing to change: send `body` or `mentions`"));
    }
    let body = change.body.as_deref().map(text::body).transpose()?;
    let mentions = participants::changed::<S>(&project, &caller, change.mentions, &before)?;
    let stored = ReplyChange {
        project: &project,
        comment: &id.comment,
        reply: &id.reply,
        body,
        mentions: mentions.as_ref().map(|mentions| mentions.json.as_str()),
        now: &clock::now(),
        max_bytes: MAX_WEIGHT,
    };
    let mut batch = S::change_reply(sql::batch(), &stored);
    if let Some(mentions) = mentions {
        let by = Notifier::Editor(&caller);
        batch = notifications::add(batch, &project, &id.comment, Some(&id.reply), mentions, by);
    }
    let rows = match batch.run() {
        Err(problem) if problem.is("expectation") => {
            // It may have been deleted in between.
            may_change::<S>(&project, &caller, &id)?;
            return Err(too_long());
        }
        rows => rows?,
    };
    let answer = rows.last().map(reply).transpose()?.flatten();
    let answer = answer.ok_or_else(missing)?;
    bells::ring(&project);
    Ok(answer)
}

/// DELETE `…/replies/{reply}`: 204.
pub fn remove<S: Store>(project: CommentableProject, caller: Caller, Path(id): Path<OneReply>) -> Result<NoContent> {
    may_change::<S>(&project, &caller, &id)?;
    match S::remove_reply(sql::batch(), &project, &id.comment, &id.reply).run() {
        Err(problem) if problem.is("expectation") => return Err(missing()),
        done => done?,
    };
    bells::ring(&project);
    Ok(NoContent)
}

/// Checks that the caller may change the reply; for everybody else it does not exist. Returns its mentions as they are stored.
fn may_change<S: Store>(project: &str, caller: &Caller, id: &OneReply) -> Result<String> {
    let found = S::reply_author_and_mentions(project, &id.comment, &id.reply)?;
    match found {
        Some((author, mentions)) if author::may_change(project, caller, &author) => Ok(mentions),
        _ => Err(missing()),
    }
}

/// Missing replies, and those that the caller may not change, get the same 404.
fn missing() -> Error {
    Error::not_found("Reply not found")
}

fn too_long() -> Error {
    Error::bad_request("The replies of this comment are too long together: write a new comment")
}

/// Why no reply was counted: the comment has the most replies it may have, or does not exist.
fn refusal<S: Store>(project: &str, comment: &str) -> Error {
    match S::reply_count(project, comment) {
        Ok(Some(MAX_REPLIES..)) => Error::bad_request(format!("A comment can have at most {MAX_REPLIES} replies")),
        Ok(Some(_)) => too_long(),
        Ok(None) => not_found(),
        Err(problem) => problem.into(),
    }
}
