//! The routes `…/comments` and `…/comments/{comment}`.

use galley_sdk::prelude::*;
use galley_sdk::{bells, clock, random};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::author::{self, Author};
use crate::events::{self, Written};
use crate::notifications::Notifier;
use crate::position::{self, Position};
use crate::record::{self, Comment, Reader, not_found};
use crate::store::{NewComment, Pin, Store};
use crate::{image_files, notifications, participants, store, text};

/// The most comments of one answer; what it weighs is bounded as well ([`record::MAX_WEIGHT`]).
const MAX_COMMENTS: u32 = 10_000;

/// The query of a list.
#[derive(Debug, Deserialize)]
pub struct Page {
    after: Option<String>,
}

/// GET `…/comments`: `{ "comments": […] }`, oldest first. A list that is too long for one answer has the member `next`,
/// and goes on at `?after=<next>`.
pub fn list<S: Store>(project: ProjectId, caller: Caller, Query(page): Query<Page>) -> Result<Response> {
    let after = page.after.map_or(Ok(0), |id| place::<S>(&project, &id))?;
    let reader = Reader::of::<S>(&project, &caller)?;
    match stretch::<S>(&project, &reader, after, MAX_COMMENTS) {
        Err(problem) if problem.is("too-large") => {}
        answer => return Ok(answer?),
    }
    let mut most = record::how_many_fit::<S>(&project, after, MAX_COMMENTS)?;
    loop {
        match stretch::<S>(&project, &reader, after, most) {
            // One was written or became longer in between.
            Err(problem) if problem.is("too-large") && most > 1 => most -= most.div_ceil(10),
            answer => return Ok(answer?),
        }
    }
}

/// Where a list goes on. `next` is the number of the last comment of an answer: it may be deleted before the next one is asked.
fn place<S: Store>(project: &str, after: &str) -> Result<i64> {
    if let Ok(number) = after.parse() {
        return Ok(S::seq_of_number(project, number)?);
    }
    let seq = S::seq(project, after)?;
    seq.ok_or_else(|| {
        Error::bad_request("`after` must be the `next` of a list, or the id of a comment of this project")
    })
}

/// At most `most` comments behind `after`; `too-large` when they weigh more than an answer may.
fn stretch<S: Store>(project: &str, reader: &Reader, after: i64, most: u32) -> Result<Response, Problem> {
    #[derive(Serialize)]
    struct List<'a> {
        comments: &'a [Comment<'a>],
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<String>,
    }

    let rows = S::comments(project, after, most)?;
    record::with::<S, _>(project, &rows, reader, |comments| {
        let next = match comments.last() {
            Some(last) if comments.len() == most as usize && S::is_followed(project, last.seq())? => {
                Some(last.number().to_string())
            }
            _ => None,
        };
        Ok(Json(List { comments, next }).into_response())
    })?
}

/// The body of a new comment. `author` is read only when the caller has no identity.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct New {
    body: String,
    position: Position,
    deployment_id: Option<String>,
    client_key: Option<String>,
    author: Option<Value>,
    mentions: Option<Vec<String>>,
}

/// POST `…/comments`: 201 with the comment; 200 with the first one when this author sent it before, by its client's key.
pub fn create<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Json(new): Json<New>,
) -> Result<(Status, Response)> {
    let body = text::body(&new.body)?;
    let position = new.position.checked()?;
    let client_key = text::client_key(new.client_key.as_deref())?;
    let author = Author::of(&caller, new.author)?;
    let reader = Reader::of::<S>(&project, &caller)?;
    let first = || first::<S>(&project, &author, client_key, &reader);
    if let Some(first) = first()? {
        return Ok((Status::OK, first));
    }
    let deployment = position::deployment(&project, new.deployment_id)?;
    let mentions = participants::mentions::<S>(&project, new.mentions.unwrap_or_default(), author.email.as_deref())?;

    let id = random::id();
    let batch = participants::enroll::<S>(sql::batch(), &project, &author);
    let comment = NewComment {
        id: &id,
        project: &project,
        body,
        anchor_selector: position.anchor_selector,
        page: position.page,
        anchor: &position.anchor,
        deployment: &deployment,
        client_key,
        author: &author,
        mentions: &mentions.json,
        now: &clock::now(),
    };
    let batch = S::write_comment(batch, &comment);
    let written = Written {
        page: Some(position.page),
        ..Written::new(&project, &id, body, &author)
    };
    let batch = written.publish(batch);
    let rows = match notifications::add(batch, &project, &id, None, mentions, Notifier::Author(&author)).run() {
        // The same request came twice at once.
        Err(problem) if problem.is("constraint") => {
            return Ok((Status::OK, first()?.ok_or(problem)?));
        }
        rows => rows?,
    };
    bells::ring(&project);
    Ok((Status::CREATED, record::one::<S>(&project, rows.last(), &reader)?))
}

/// What the author wrote with this key before.
fn first<S: Store>(project: &str, author: &Author, client_key: &str, reader: &Reader) -> Result<Option<Response>> {
    if client_key.is_empty() {
        return Ok(None);
    }
    let rows = S::comment_of_client(project, &author.uid, client_key)?;
    Ok(match rows.is_empty() {
        true => None,
        false => Some(record::one::<S>(project, Some(&rows), reader)?),
    })
}

/// The comment of a path.
#[derive(Debug, Deserialize)]
pub struct One {
    pub(crate) comment: String,
}

/// What a PATCH changes; what is left out stays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    body: Option<String>,
    resolved: Option<bool>,
    position: Option<Position>,
    /// The deployment that was pinned on; read only with `position`.
    deployment_id: Option<String>,
    mentions: Option<Vec<String>>,
    /// Who resolves it; read only then, and when the caller has no identity.
    author: Option<Value>,
}

/// PATCH `…/comments/{comment}`: 200 with the comment. Every writer may resolve it and pin it again; [`may_change`] decides about
/// the other changes.
pub fn update<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Json(change): Json<Change>,
) -> Result<Response> {
    let mut before = String::new();
    if change.body.is_some() || change.mentions.is_some() {
        before = may_change::<S>(&project, &caller, &comment)?;
    } else if change.resolved.is_none() && change.position.is_none() {
        return Err(Error::bad_request(
            "Nothing to change: send `body`, `resolved`, `mentions` or `position`",
        ));
    }
    let position = change.position.as_ref().map(Position::checked).transpose()?;
    let deployment = match position {
        Some(_) => position::deployment(&project, change.deployment_id)?,
        None => String::new(),
    };
    let body = change.body.as_deref().map(text::body).transpose()?;
    let mentions = participants::changed::<S>(&project, &caller, change.mentions, &before)?;
    let stored = store::Change {
        by: &Author::resolving(&caller, change.author.filter(|_| change.resolved == Some(true)))?,
        pin: position.as_ref().map(|position| Pin {
            anchor_selector: position.anchor_selector,
            page: position.page,
            anchor: &position.anchor,
            deployment: &deployment,
        }),
        project: &project,
        comment: &comment,
        body,
        mentions: mentions.as_ref().map(|mentions| mentions.json.as_str()),
        resolved: change.resolved,
        now: &clock::now(),
    };
    let batch = S::change_comment(sql::batch(), &stored);
    let mut batch = events::resolved::<S>(batch, &project, &comment, change.resolved, &caller)?;
    if let Some(mentions) = mentions {
        batch = notifications::add(batch, &project, &comment, None, mentions, Notifier::Editor(&caller));
    }
    let rows = batch.run()?;
    let answer = record::one::<S>(&project, rows.last(), &Reader::of::<S>(&project, &caller)?)?;
    bells::ring(&project);
    Ok(answer)
}

/// DELETE `…/comments/{comment}`: 204.
pub fn remove<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
) -> Result<NoContent> {
    may_change::<S>(&project, &caller, &comment)?;
    S::remove_comment(sql::batch(), &project, &comment)
        .run()
        .map_err(|problem| {
            if problem.is("expectation") {
                not_found()
            } else {
                problem.into()
            }
        })?;
    image_files::tidy_now::<S>();
    bells::ring(&project);
    Ok(NoContent)
}

/// Checks that the caller may change the comment; for everybody else it does not exist. Returns the comment's mentions as they
/// are stored.
pub(crate) fn may_change<S: Store>(project: &str, caller: &Caller, comment: &str) -> Result<String> {
    let (author, mentions) = S::author_and_mentions(project, comment)?.ok_or_else(not_found)?;
    match author::may_change(project, caller, &author) {
        true => Ok(mentions),
        false => Err(not_found()),
    }
}
