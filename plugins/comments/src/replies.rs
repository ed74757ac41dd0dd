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
///
/// The comment counts its replies; counting and writing are one batch, so that two requests cannot both be the last one.
pub fn create(
    project: ProjectId,
    caller: Caller,
    Path(One { comment }): Path<One>,
    Json(new): Json<New>,
) -> Result<(Status, Response)> {
    let body = text::body(&new.body)?;
    let author = Author::of(caller, new.author)?;
    let mentions = participants::mentions(&project, new.mentions.unwrap_or_default(), author.email.as_deref())?;
    let id = random::id();

    let count = "UPDATE comments SET replies = replies + 1, reply_bytes = reply_bytes + ?4 \
                 WHERE project_id = ?1 AND id = ?2 AND replies < ?3 AND reply_bytes + ?4 <= ?5";
    let write = "INSERT INTO replies (id, project_id, comment_seq, body, author_uid, author_name, mentions, created_at) \
                 SELECT ?1, project_id, seq, ?4, ?5, ?6, ?7, ?8 FROM comments WHERE project_id = ?2 AND id = ?3 \
                 RETURNING id, body, author_uid, author_name, mentions, created_at";
    let values = params![
        &id,
        &project,
        &comment,
        body,
        &author.uid,
        &author.display_name,
        &mentions.json,
        clock::now()
    ];
    let batch = participants::enroll(sql::batch(), &project, &author)
        .step(
            count,
            params![&project, &comment, MAX_REPLIES, body.len() as i64, MAX_WEIGHT as i64],
        )
        .expect(1)
        .step(write, values);
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
            refusal(&project, &comment)
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
fn refusal(project: &str, comment: &str) -> Error {
    let sql = "SELECT replies FROM comments WHERE project_id = ?1 AND id = ?2";
    match sql::one::<(u32,)>(sql, params![project, comment]) {
        Ok(Some((MAX_REPLIES..,))) => Error::bad_request(format!("A comment can have at most {MAX_REPLIES} replies")),
        Ok(Some(_)) => Error::bad_request("The replies of this comment are too long together: write a new comment"),
        Ok(None) => not_found(),
        Err(problem) => problem.into(),
    }
}
