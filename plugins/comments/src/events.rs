//! What other slots may learn of comments, after it happened. The events are published with their writes.

use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;
use serde::Serialize;

use crate::author::Author;
use crate::store::Store;

/// Somebody wrote a comment or a reply.
pub(crate) const WRITTEN: &str = "comments/written";

/// The data of [`WRITTEN`]: [`Written`].
pub(crate) const WRITTEN_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "commentId", "excerpt", "authorName"],
    "properties": {
        "projectId": { "type": "string" },
        "commentId": { "type": "string" },
        "replyId": { "type": "string", "description": "Present when a reply to the comment was written." },
        "page": { "type": "string", "description": "The page the comment is pinned to; absent for a reply." },
        "excerpt": { "type": "string", "description": "The first 200 characters of the text." },
        "authorName": { "type": "string" },
        "authorUid": { "type": "string", "description": "user:ID of an account, or viewer:NAME." }
    }
}"#;

/// Somebody resolved a comment, or opened it again.
pub(crate) const RESOLVED: &str = "comments/resolved";

/// The data of [`RESOLVED`]: [`Resolved`].
pub(crate) const RESOLVED_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "commentId", "resolved"],
    "properties": {
        "projectId": { "type": "string" },
        "commentId": { "type": "string" },
        "resolved": { "type": "boolean", "description": "false: it was opened again." },
        "by": { "type": "string", "description": "The account's id; absent for somebody without one." }
    }
}"#;

/// The most characters of [`Written::excerpt`].
const MAX_EXCERPT: usize = 200;

/// The data of [`WRITTEN`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Written<'a> {
    pub(crate) project_id: &'a str,
    pub(crate) comment_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reply_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<&'a str>,
    pub(crate) excerpt: &'a str,
    pub(crate) author_name: &'a str,
    pub(crate) author_uid: &'a str,
}

impl<'a> Written<'a> {
    /// A new comment or reply with this text.
    pub(crate) fn new(project_id: &'a str, comment_id: &'a str, body: &'a str, author: &'a Author) -> Written<'a> {
        let end = body.char_indices().nth(MAX_EXCERPT).map_or(body.len(), |(end, _)| end);
        Written {
            project_id,
            comment_id,
            reply_id: None,
            page: None,
            excerpt: &body[..end],
            author_name: &author.display_name,
            author_uid: &author.uid,
        }
    }

    /// Adds the event to the batch that writes it.
    pub(crate) fn publish(&self, batch: Batch) -> Batch {
        batch.publish(WRITTEN, self)
    }
}

/// The data of [`RESOLVED`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Resolved<'a> {
    project_id: &'a str,
    comment_id: &'a str,
    resolved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
}

/// Adds [`RESOLVED`] to the batch that changes the comment, if it changes whether it is resolved.
pub(crate) fn resolved<S: Store>(
    batch: Batch,
    project: &str,
    comment: &str,
    resolved: Option<bool>,
    caller: &Caller,
) -> Result<Batch> {
    let Some(resolved) = resolved else { return Ok(batch) };
    match S::is_resolved(project, comment)? {
        Some(before) if before != resolved => Ok(changed(batch, project, comment, resolved, caller)),
        _ => Ok(batch),
    }
}

/// Adds [`RESOLVED`] to the batch that resolves the comment, or opens it again.
pub(crate) fn changed(batch: Batch, project: &str, comment: &str, resolved: bool, caller: &Caller) -> Batch {
    let event = Resolved {
        project_id: project,
        comment_id: comment,
        resolved,
        by: caller.user.as_ref().map(|user| user.id.as_str()),
    };
    batch.publish(RESOLVED, &event)
}
