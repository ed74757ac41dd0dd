//! The routes `…/comments` and `…/comments/{comment}`.

use galley_sdk::prelude::*;
use galley_sdk::{bells, clock, projects, random};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::author::{self, Author};
use crate::events::{self, Written};
use crate::notifications::Notifier;
use crate::record::{self, Comment, not_found};
use crate::store::{NewComment, Store};
use crate::{notifications, participants, store, text};

/// The most characters of a selector or a page's address.
const MAX_POSITION: usize = 2_000;

/// The most comments of one answer; what it weighs is bounded as well ([`record::MAX_WEIGHT`]).
const MAX_COMMENTS: u32 = 10_000;

/// The query of a list.
#[derive(Debug, Deserialize)]
pub struct Page {
    after: Option<String>,
}

/// GET `…/comments`: `{ "comments": […] }`, oldest first. A list that is too long for one answer has the member `next`,
/// and goes on at `?after=<next>`.
pub fn list<S: Store>(project: ProjectId, Query(page): Query<Page>) -> Result<Response> {
    let after = page.after.map_or(Ok(0), |id| place::<S>(&project, &id))?;
    match stretch::<S>(&project, after, MAX_COMMENTS) {
        Err(problem) if problem.is("too-large") => {}
        answer => return Ok(answer?),
    }
    let mut most = record::how_many_fit::<S>(&project, after, MAX_COMMENTS)?;
    loop {
        match stretch::<S>(&project, after, most) {
            // One was written or became longer in between.
            Err(problem) if problem.is("too-large") && most > 1 => most -= most.div_ceil(10),
            answer => return Ok(answer?),
        }
    }
}

/// A comment's position in its project's order.
fn place<S: Store>(project: &str, id: &str) -> Result<i64> {
    S::seq(project, id)?.ok_or_else(|| Error::bad_request("`after` must be the id of a comment of this project"))
}

/// At most `most` comments behind `after`; `too-large` when they weigh more than an answer may.
fn stretch<S: Store>(project: &str, after: i64, most: u32) -> Result<Response, Problem> {
    #[derive(Serialize)]
    struct List<'a> {
        comments: &'a [Comment<'a>],
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<&'a str>,
    }

    let rows = S::comments(project, after, most)?;
    record::with::<S, _>(project, &rows, |comments| {
        let next = match comments.last() {
            Some(last) if comments.len() == most as usize && S::is_followed(project, last.seq())? => Some(last.id()),
            _ => None,
        };
        Ok(Json(List { comments, next }).into_response())
    })?
}

/// The body of a new comment. `author` is read only when the caller has no identity.
#[derive(Debug, Deserialize)]
pub struct New {
    body: String,
    position: Position,
    author: Option<Value>,
    mentions: Option<Vec<String>>,
}

/// Where a new comment is pinned.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Position {
    anchor_selector: String,
    page: String,
}

/// POST `…/comments`: 201 with the comment.
pub fn create<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Json(new): Json<New>,
) -> Result<(Status, Response)> {
    let body = text::body(&new.body)?;
    let anchor = text::at_most("position.anchorSelector", &new.position.anchor_selector, MAX_POSITION)?;
    let page = text::at_most("position.page", &new.position.page, MAX_POSITION)?;
    let author = Author::of(caller, new.author)?;
    let mentions = participants::mentions::<S>(&project, new.mentions.unwrap_or_default(), author.email.as_deref())?;

    let id = random::id();
    let batch = participants::enroll::<S>(sql::batch(), &project, &author);
    let comment = NewComment {
        id: &id,
        project: &project,
        body,
        anchor_selector: anchor,
        page,
        author: &author,
        mentions: &mentions.json,
        now: &clock::now(),
    };
    let batch = S::write_comment(batch, &comment);
    let written = Written {
        page: Some(page),
        ..Written::new(&project, &id, body, &author)
    };
    let batch = written.publish(batch);
    let rows = notifications::add(batch, &project, &id, None, mentions, Notifier::Author(&author)).run()?;
    bells::ring(&project);
    Ok((Status::CREATED, record::one::<S>(&project, rows.last())?))
}

/// The comment of a path.
#[derive(Debug, Deserialize)]
pub struct One {
    pub(crate) comment: String,
}

/// What a PATCH changes; what is left out stays.
#[derive(Debug, Deserialize)]
pub struct Change {
    body: Option<String>,
    resolved: Option<bool>,
    mentions: Option<Vec<String>>,
}

/// PATCH `…/comments/{comment}`: 200 with the comment. Every writer may resolve; [`may_change`] decides about the other changes.
pub fn update<S: Store>(
    project: CommentableProject,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Json(change): Json<Change>,
) -> Result<Response> {
    let mut before = String::new();
    if change.body.is_some() || change.mentions.is_some() {
        before = may_change::<S>(&project, &caller, &comment)?;
    } else if change.resolved.is_none() {
        return Err(Error::bad_request(
            "Nothing to change: send `body`, `resolved` or `mentions`",
        ));
    }
    let body = change.body.as_deref().map(text::body).transpose()?;
    let own = caller.user.as_ref();
    let mut mentions = change
        .mentions
        .map(|ids| participants::mentions::<S>(&project, ids, own.map(|user| user.email.as_str())))
        .transpose()?;
    if let Some(mentions) = &mut mentions {
        // People who were mentioned before were notified then.
        let before: Vec<String> = serde_json::from_str(&before).unwrap_or_default();
        mentions.tell.retain(|id| !before.contains(id));
    }

    let stored = store::Change {
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
    let answer = record::one::<S>(&project, rows.last())?;
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
    bells::ring(&project);
    Ok(NoContent)
}

/// A comment by a signed-in author may be changed by that author, by admins, and by people on the project's access list;
/// for everybody else it does not exist. Visitors cannot prove that a comment is theirs, so any writer may change it.
/// Returns the comment's mentions as they are stored.
fn may_change<S: Store>(project: &str, caller: &Caller, comment: &str) -> Result<String> {
    let (author, mentions) = S::author_and_mentions(project, comment)?.ok_or_else(not_found)?;
    let listed =
        |user: &galley_sdk::caller::User| author == author::uid(user) || projects::is_listed(project, &user.id);
    if !author.starts_with("user:") || caller.is_admin() || caller.user.as_ref().is_some_and(listed) {
        return Ok(mentions);
    }
    Err(not_found())
}
