//! Comments in the API's format, read from the database's rows without copying texts. A list is two queries (one without
//! replies) and one pass over their rows.

use galley_sdk::json::Raw;
use galley_sdk::prelude::*;
use galley_sdk::sql::{Row, Rows};
use serde::Serialize;

use crate::author;
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
    /// 1, 2, … in its project.
    number: i64,
    body: &'r str,
    position: Position<'r>,
    /// The deployment that its author saw.
    deployment_id: Option<&'r str>,
    author: Author<'r>,
    mentions: Raw<'r>,
    images: Raw<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_key: Option<&'r str>,
    resolved: bool,
    resolved_by: Option<Author<'r>>,
    resolved_at: Option<&'r str>,
    /// Whether the [`Reader`] has not seen it, or its last reply.
    unread: bool,
    replies: Vec<Reply<'r>>,
    /// When its text was last changed. `updated_at` moves with every change.
    edited_at: Option<&'r str>,
    created_at: &'r str,
    updated_at: &'r str,
}

/// Where a comment is pinned.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Position<'r> {
    anchor_selector: &'r str,
    page: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<Raw<'r>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    client_key: Option<&'r str>,
    /// When its text was last changed.
    edited_at: Option<&'r str>,
    created_at: &'r str,
    updated_at: &'r str,
}

/// Who reads comments, and what they have seen of the project: that decides what is unread.
#[derive(Debug, Default)]
pub struct Reader {
    /// `None` for callers without an account, for whom nothing is unread.
    uid: Option<String>,
    /// The number of the last comment that was seen.
    number: i64,
    /// When replies were last seen.
    at: String,
}

impl Reader {
    /// The caller of a request.
    pub fn of<S: Store>(project: &str, caller: &Caller) -> Result<Reader, Problem> {
        let Some(user) = &caller.user else {
            return Ok(Reader::default());
        };
        let (number, at) = S::seen(project, &user.id)?.unwrap_or_default();
        Ok(Reader {
            uid: Some(author::uid(user)),
            number,
            at,
        })
    }

    fn is_unread(&self, number: i64, author: &str, last_reply_uid: &str, last_reply_at: &str) -> bool {
        self.uid.as_deref().is_some_and(|own| {
            (number > self.number && author != own) || (last_reply_at > self.at.as_str() && last_reply_uid != own)
        })
    }
}

/// A text that is there.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// The most that the rows of one answer may weigh, in bytes. The JSON made of them can be six times as long (`\u0001`),
/// is written into a buffer that doubles, and must fit the 64 MiB of an instance.
pub(crate) const MAX_WEIGHT: usize = 3 << 20;

impl<'r> Comment<'r> {
    /// Its number in its project.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Its place in the order of its project's comments.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    fn from_row(row: &mut Row<'_, 'r>, project_id: &'r str, reader: &Reader) -> Result<Comment<'r>, Problem> {
        let mut comment = Comment {
            seq: row.take()?,
            reply_count: row.take()?,
            id: row.take()?,
            project_id,
            number: row.take()?,
            body: row.take()?,
            position: Position {
                anchor_selector: row.take()?,
                page: row.take()?,
                anchor: given(row.take()?).map(Raw),
            },
            deployment_id: given(row.take()?),
            author: Author::from_row(row)?,
            mentions: Raw(row.take()?),
            images: Raw(row.take()?),
            client_key: given(row.take()?),
            resolved: row.take()?,
            resolved_by: Some(Author::from_row(row)?).filter(|by| !by.uid.is_empty()),
            resolved_at: given(row.take()?),
            unread: false,
            replies: Vec::new(),
            edited_at: None,
            created_at: "",
            updated_at: "",
        };
        let (last_reply_uid, last_reply_at) = (row.take()?, row.take()?);
        comment.unread = reader.is_unread(comment.number, comment.author.uid, last_reply_uid, last_reply_at);
        comment.edited_at = given(row.take()?);
        comment.created_at = row.take()?;
        comment.updated_at = row.take()?;
        Ok(comment)
    }
}

impl<'r> Author<'r> {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Author<'r>, Problem> {
        Ok(Author {
            uid: row.take()?,
            display_name: row.take()?,
        })
    }
}

impl<'r> Reply<'r> {
    /// Reads a row of [`Store::write_reply`].
    pub fn from_row(row: &mut Row<'_, 'r>) -> Result<Reply<'r>, Problem> {
        Ok(Reply {
            id: row.take()?,
            body: row.take()?,
            author: Author::from_row(row)?,
            mentions: Raw(row.take()?),
            client_key: given(row.take()?),
            edited_at: given(row.take()?),
            created_at: row.take()?,
            updated_at: row.take()?,
        })
    }
}

/// How many comments of a project behind `after` fit into one answer: 1 to `most`.
pub fn how_many_fit<S: Store>(project: &str, after: i64, most: u32) -> Result<u32, Problem> {
    S::how_many_fit(project, after, most, MAX_WEIGHT as i64 - 8)
}

/// Makes an answer of the comments in `rows` (those of [`Store::comments`]) and their replies. They live as long as the
/// rows, so the answer is made here. `too-large` when more than one comes to more than [`MAX_WEIGHT`].
pub fn with<S: Store, T>(
    project: &str,
    rows: &Rows,
    reader: &Reader,
    answer: impl FnOnce(&[Comment<'_>]) -> T,
) -> Result<T, Problem> {
    let replies;
    let mut weight = rows.size();
    let mut comments = rows
        .map(|row| Comment::from_row(row, project, reader))
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
pub fn one<S: Store>(project: &str, rows: Option<&Rows>, reader: &Reader) -> Result<Response> {
    let rows = rows.ok_or_else(not_found)?;
    with::<S, _>(project, rows, reader, |comments| {
        comments.first().map(|comment| Json(comment).into_response())
    })?
    .ok_or_else(not_found)
}

/// Missing and unreadable comments get the same 404.
pub fn not_found() -> Error {
    Error::not_found("Comment not found")
}
