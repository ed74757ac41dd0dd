//! The plugin's own tables (`migrations/`), and every statement on them.

use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;

use crate::store::{Change, NewComment, NewReply, Remark, RemarkId, Store};

/// The columns of a comment's row, for `SELECT` and `RETURNING`.
macro_rules! columns {
    () => {
        "seq, replies, id, body, anchor_selector, page, author_uid, author_name, mentions, resolved, created_at, updated_at"
    };
}

/// Who of `?3` is mentioned in a remark of the table.
macro_rules! still_mentioned {
    ($table:literal) => {
        sql!(
            "SELECT participants.id, email FROM ",
            $table,
            " AS remark JOIN json_each(remark.mentions) AS mentioned \
             JOIN json_each(?3) AS told ON told.value = mentioned.value \
             JOIN participants ON participants.project_id = ?1 AND participants.id = mentioned.value \
             WHERE remark.project_id = ?1 AND remark.id = ?2 AND participants.id <> remark.author_uid"
        )
    };
}

/// `comments`, `replies` and `participants`. A comment counts its replies.
pub enum Tables {}

impl Store for Tables {
    const COMMENTS: &'static str = sql!(
        "SELECT ",
        columns!(),
        " FROM comments WHERE project_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
    );
    const FITTING: &'static str = sql!(
        "SELECT max(1, count(*)) FROM ( \
           SELECT sum(72 + octet_length(id) + octet_length(body) + octet_length(anchor_selector) + octet_length(page) \
             + octet_length(author_uid) + octet_length(author_name) + octet_length(mentions) + octet_length(created_at) \
             + octet_length(updated_at) + iif(replies = 0, 0, ( \
               SELECT total(39 + octet_length(id) + octet_length(body) + octet_length(author_uid) + octet_length(author_name) \
                 + octet_length(mentions) + octet_length(created_at)) \
               FROM replies WHERE project_id = ?1 AND comment_seq = comments.seq))) \
             OVER (ORDER BY seq) AS weight \
           FROM comments WHERE project_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3) \
         WHERE weight <= ?4"
    );
    const IS_FOLLOWED: &'static str = sql!("SELECT EXISTS (SELECT 1 FROM comments WHERE project_id = ?1 AND seq > ?2)");
    const SEQ: &'static str = sql!("SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2");
    const AUTHOR_AND_MENTIONS: &'static str =
        sql!("SELECT author_uid, mentions FROM comments WHERE project_id = ?1 AND id = ?2");
    const IS_RESOLVED: &'static str = sql!("SELECT resolved FROM comments WHERE project_id = ?1 AND id = ?2");
    const REPLIES: &'static str = sql!(
        "SELECT comment_seq, id, body, author_uid, author_name, mentions, created_at FROM replies \
         WHERE project_id = ?1 AND comment_seq BETWEEN ?2 AND ?3 ORDER BY comment_seq, seq"
    );
    const REPLY_COUNT: &'static str = sql!("SELECT replies FROM comments WHERE project_id = ?1 AND id = ?2");
    const PARTICIPANTS: &'static str = sql!(
        "SELECT id, display_name, status, iif(?2, email, NULL) FROM participants WHERE project_id = ?1 ORDER BY seq"
    );
    const PARTICIPANT: &'static str =
        sql!("SELECT id, display_name, status, email FROM participants WHERE project_id = ?1 AND email = ?2");
    const INVITE: &'static str = sql!(
        "INSERT INTO participants (project_id, id, email, display_name, status) \
         VALUES (?1, ?2, ?3, ?4, 'pending') ON CONFLICT (project_id, email) DO NOTHING"
    );
    const ENROLL: &'static str = sql!(
        "INSERT INTO participants (project_id, id, email, display_name, status) \
         VALUES (?1, ?2, ?3, ?4, 'active') \
         ON CONFLICT (project_id, email) DO UPDATE SET status = 'active', display_name = excluded.display_name \
         ON CONFLICT (project_id, id) DO UPDATE SET email = excluded.email, display_name = excluded.display_name"
    );
    const KNOWN: &'static str = sql!(
        "SELECT participants.id, email FROM json_each(?2) AS given JOIN participants \
         ON participants.project_id = ?1 AND participants.id = given.value \
         GROUP BY participants.id ORDER BY min(given.key)"
    );

    fn schema(plugin: Plugin) -> Plugin {
        plugin.migration(1, include_str!("../migrations/1.sql"))
    }

    fn write_comment(batch: Batch, comment: &NewComment<'_>) -> Batch {
        let sql = sql!(
            "INSERT INTO comments (id, project_id, body, anchor_selector, page, author_uid, author_name, mentions, \
             created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9) RETURNING ",
            columns!()
        );
        let values = params![
            comment.id,
            comment.project,
            comment.body,
            comment.anchor_selector,
            comment.page,
            &comment.author.uid,
            &comment.author.display_name,
            comment.mentions,
            comment.now
        ];
        batch.step(sql, values)
    }

    fn change_comment(batch: Batch, change: &Change<'_>) -> Batch {
        let sql = sql!(
            "UPDATE comments SET body = coalesce(?3, body), mentions = coalesce(?4, mentions), \
             resolved = coalesce(?5, resolved), updated_at = ?6 WHERE project_id = ?1 AND id = ?2 RETURNING ",
            columns!()
        );
        let values = params![
            change.project,
            change.comment,
            change.body,
            change.mentions,
            change.resolved,
            change.now
        ];
        batch.step(sql, values)
    }

    fn remove_comment(batch: Batch, project: &str, comment: &str) -> Batch {
        let replies = sql!(
            "DELETE FROM replies WHERE project_id = ?1 AND comment_seq = (SELECT seq FROM comments WHERE id = ?2)"
        );
        let comments = sql!("DELETE FROM comments WHERE project_id = ?1 AND id = ?2");
        batch
            .step(replies, params![project, comment])
            .step(comments, params![project, comment])
            .expect(1)
    }

    /// Counting and writing are one batch, so that two requests cannot both be the last one.
    fn write_reply(batch: Batch, reply: &NewReply<'_>) -> Batch {
        let count = sql!(
            "UPDATE comments SET replies = replies + 1, reply_bytes = reply_bytes + ?4 \
             WHERE project_id = ?1 AND id = ?2 AND replies < ?3 AND reply_bytes + ?4 <= ?5"
        );
        let write = sql!(
            "INSERT INTO replies (id, project_id, comment_seq, body, author_uid, author_name, mentions, created_at) \
             SELECT ?1, project_id, seq, ?4, ?5, ?6, ?7, ?8 FROM comments WHERE project_id = ?2 AND id = ?3 \
             RETURNING id, body, author_uid, author_name, mentions, created_at"
        );
        let bounds = params![
            reply.project,
            reply.comment,
            reply.max_replies,
            reply.body.len() as i64,
            reply.max_bytes as i64
        ];
        let values = params![
            reply.id,
            reply.project,
            reply.comment,
            reply.body,
            &reply.author.uid,
            &reply.author.display_name,
            reply.mentions,
            reply.now
        ];
        batch.step(count, bounds).expect(1).step(write, values)
    }

    fn remark(remark: &RemarkId<'_>) -> Result<Option<Remark>, Problem> {
        let found = match remark.reply {
            None => {
                let sql =
                    sql!("SELECT body, page, author_uid, author_name FROM comments WHERE project_id = ?1 AND id = ?2");
                sql::one(sql, params![remark.project, remark.comment])?
            }
            Some(reply) => {
                let sql = sql!(
                    "SELECT replies.body, page, replies.author_uid, replies.author_name FROM replies \
                     JOIN comments ON comments.seq = comment_seq WHERE replies.project_id = ?1 AND replies.id = ?2"
                );
                sql::one(sql, params![remark.project, reply])?
            }
        };
        Ok(found.map(|(body, page, author_uid, author_name)| Remark {
            body,
            page,
            author_uid,
            author_name,
        }))
    }

    fn still_mentioned(remark: &RemarkId<'_>, people: &str) -> Result<Vec<(String, String)>, Problem> {
        let (sql, id) = match remark.reply {
            None => (still_mentioned!("comments"), remark.comment),
            Some(reply) => (still_mentioned!("replies"), reply),
        };
        sql::query(sql, params![remark.project, id, people])?.all()
    }

    fn remove_project(project: &str) -> Result<(), Problem> {
        sql::batch()
            .step(sql!("DELETE FROM replies WHERE project_id = ?1"), params![project])
            .step(sql!("DELETE FROM comments WHERE project_id = ?1"), params![project])
            .step(sql!("DELETE FROM participants WHERE project_id = ?1"), params![project])
            .run()
            .map(drop)
    }
}
