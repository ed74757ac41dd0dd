//! Comments in the API's format, read from the database's rows without copying texts. A list is two queries (one without
//! replies) and one pass over their rows.

use galley_sdk::json::Raw;
use galley_sdk::prelude::*;
use galley_sdk::sql::{Row, Rows};
use serde::Serialize;

use crate::store::Store;

/// A comment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment<'r> {
    #[serde(skip)]
    seq: i64,
    #[serde(skip)]
    reply_count: u32,
    id: &'r str,
    project_id: &'r str,
    body: &'r str,
    position: Position<'r>,
    author: Author<'r>,
    mentions: Raw<'r>,
    resolved: bool,
    replies: Vec<Reply<'r>>,
    created_at: &'r str,
    updated_at: &'r str,
}

/// Where a comment is pinned.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Position<'r> {
    anchor_selector: &'r str,
    page: &'r str,
}

/// Who wrote it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Author<'r> {
    uid: &'r str,
    display_name: &'r str,
}

/// A reply.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply<'r> {
    id: &'r str,
    body: &'r str,
    author: Author<'r>,
    mentions: Raw<'r>,
    created_at: &'r str,
}

/// The most that the rows of one answer may weigh, in bytes. The JSON made of them can be six times as long (`\u0001`),
/// is written into a buffer that doubles, and must fit the 64 MiB of an instance.
pub(crate) const MAX_WEIGHT: usize = 3 << 20;

impl<'r> Comment<'r> {
    /// The comment's id.
    pub fn id(&self) -> &'r str {
        self.id
    }

    /// Its place in the order of its project's comments.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    fn from_row(row: &mut Row<'_, 'r>, project_id: &'r str) -> Result<Comment<'r>, Problem> {
        Ok(Comment {
            seq: row.take()?,
            reply_count: row.take()?,
            id: row.take()?,
            project_id,
            body: row.take()?,
            position: Position {
                anchor_selector: row.take()?,
                page: row.take()?,
            },
            author: Author {
                uid: row.take()?,
                display_name: row.take()?,
            },
            mentions: Raw(row.take()?),
            resolved: row.take()?,
            replies: Vec::new(),
            created_at: row.take()?,
            updated_at: row.take()?,
        })
    }
}

impl<'r> Reply<'r> {
    /// Reads a row of [`Store::write_reply`].
    pub fn from_row(row: &mut Row<'_, 'r>) -> Result<Reply<'r>, Problem> {
        Ok(Reply {
            id: row.take()?,
            body: row.take()?,
            author: Author {
                uid: row.take()?,
                display_name: row.take()?,
            },
            mentions: Raw(row.take()?),
            created_at: row.take()?,
        })
    }
}

/// How many comments of a project behind `after` fit into one answer: 1 to `most`.
pub fn how_many_fit<S: Store>(project: &str, after: i64, most: u32) -> Result<u32, Problem> {
    S::how_many_fit(project, after, most, MAX_WEIGHT as i64 - 8)
}

/// Makes an answer of the comments in `rows` (those of [`Store::comments`]) and their replies. They live as long as the
/// rows, so the answer is made here. `too-large` when more than one comes to more than [`MAX_WEIGHT`].
pub fn with<S: Store, T>(project: &str, rows: &Rows, answer: impl FnOnce(&[Comment<'_>]) -> T) -> Result<T, Problem> {
    let replies;
    let mut weight = rows.size();
    let mut comments = rows
        .map(|row| Comment::from_row(row, project))
        .collect::<Result<Vec<_>, _>>()?;
    if let (Some(first), Some(last)) = (comments.first(), comments.last())
        && comments.iter().any(|comment| comment.reply_count > 0)
    {
        replies = S::replies(project, first.seq, last.seq)?;
        weight += replies.size();
        attach(&mut comments, &replies)?;
    }
    if weight > MAX_WEIGHT && comments.len() > 1 {
        return Err(Problem {
            code: "too-large".into(),
            message: "These comments are too many for one answer".into(),
        });
    }
    Ok(answer(&comments))
}

/// Gives each reply to its comment; both are in the order of `seq`. A reply may be of a comment that is not there: written
/// or deleted between the two queries.
fn attach<'r>(comments: &mut [Comment<'r>], replies: &'r Rows) -> Result<(), Problem> {
    let mut comments = comments.iter_mut().peekable();
    for row in replies.map(|row| Ok((row.take::<i64>()?, Reply::from_row(row)?))) {
        let (seq, reply) = row?;
        while comments.next_if(|comment| comment.seq < seq).is_some() {}
        if let Some(comment) = comments.peek_mut().filter(|comment| comment.seq == seq) {
            comment.replies.push(reply);
        }
    }
    Ok(())
}

/// The first comment in `rows` as an answer; 404 when there is none.
pub fn one<S: Store>(project: &str, rows: Option<&Rows>) -> Result<Response> {
    let rows = rows.ok_or_else(not_found)?;
    with::<S, _>(project, rows, |comments| {
        comments.first().map(|comment| Json(comment).into_response())
    })?
    .ok_or_else(not_found)
}

/// Missing and unreadable comments get the same 404.
pub fn not_found() -> Error {
    Error::not_found("Comment not found")
}
