//! The plugin's own tables (`migrations/`), and every statement on them.

use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;

use crate::store::{
    Change, HiddenImage, NewComment, NewImage, NewReply, Remark, RemarkId, ReplyChange, Resolving, Store,
};

#[cfg(test)]
mod plans;

/// The columns of a comment's row, for `SELECT` and `RETURNING`.
macro_rules! columns {
    () => {
        "seq, replies, id, number, body, anchor_selector, page, anchor, deployment_id, author_uid, author_name, mentions, images, \
         client_key, resolved, resolved_by_uid, resolved_by_name, resolved_at, last_reply_uid, last_reply_at, edited_at, \
         created_at, updated_at"
    };
}

/// The columns of a reply's row.
macro_rules! reply_columns {
    () => {
        "id, body, author_uid, author_name, mentions, client_key, edited_at, created_at, updated_at"
    };
}

/// A column of who resolved a comment and when: `$value` where `resolved` becomes `$to` and was not, empty where the comment is
/// opened again.
macro_rules! resolved_column {
    ($column:literal, $to:literal, $value:literal) => {
        concat!(
            $column,
            " = CASE WHEN ",
            $to,
            " = resolved THEN ",
            $column,
            " WHEN ",
            $to,
            " = 1 THEN ",
            $value,
            " ELSE '' END"
        )
    };
}

/// The three of them.
macro_rules! resolved_by {
    ($to:literal, $uid:literal, $name:literal, $now:literal) => {
        concat!(
            resolved_column!("resolved_by_uid", $to, $uid),
            ", ",
            resolved_column!("resolved_by_name", $to, $name),
            ", ",
            resolved_column!("resolved_at", $to, $now)
        )
    };
}

/// Who of `?3` is mentioned in a remark of the table. Ids hold nothing that JSON writes in another way, so a mention is found in
/// the text of the list, with its quotation marks.
macro_rules! still_mentioned {
    ($table:literal) => {
        sql!(
            "SELECT participants.id, email FROM ",
            $table,
            " AS remark JOIN participants \
             ON participants.project_id = ?1 AND participants.id IN (SELECT key FROM json_each(?3)) \
             WHERE remark.project_id = ?1 AND remark.id = ?2 AND participants.id <> remark.author_uid \
             AND replace(remark.mentions, '\"' || participants.id || '\"', '') <> remark.mentions ORDER BY participants.seq"
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
        "SELECT CASE WHEN count(*) > 1 THEN count(*) ELSE 1 END FROM ( \
           SELECT sum(131 + octet_length(id) + octet_length(body) + octet_length(anchor_selector) + octet_length(page) \
             + octet_length(anchor) + octet_length(deployment_id) + octet_length(author_uid) + octet_length(author_name) \
             + octet_length(mentions) + octet_length(images) + octet_length(client_key) + octet_length(resolved_by_uid) \
             + octet_length(resolved_by_name) + octet_length(resolved_at) + octet_length(last_reply_uid) \
             + octet_length(last_reply_at) + octet_length(edited_at) + octet_length(created_at) + octet_length(updated_at) \
             + CASE WHEN replies = 0 THEN 0 ELSE ( \
               SELECT coalesce(sum(54 + octet_length(id) + octet_length(body) + octet_length(author_uid) + octet_length(author_name) \
                 + octet_length(mentions) + octet_length(client_key) + octet_length(edited_at) + octet_length(created_at) \
                 + octet_length(updated_at)), 0) \
               FROM replies WHERE project_id = ?1 AND comment_seq = comments.seq) END) \
             OVER (ORDER BY seq) AS weight \
           FROM comments WHERE project_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3) AS page \
         WHERE weight <= CAST(?4 AS bigint)"
    );
    const IS_FOLLOWED: &'static str = sql!("SELECT EXISTS (SELECT 1 FROM comments WHERE project_id = ?1 AND seq > ?2)");
    const SEQ: &'static str = sql!("SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2");
    const SEQ_OF_NUMBER: &'static str =
        sql!("SELECT coalesce(max(seq), 0) FROM comments WHERE project_id = ?1 AND number <= ?2");
    const COMMENT_OF_CLIENT: &'static str = sql!(
        "SELECT ",
        columns!(),
        " FROM comments WHERE project_id = ?1 AND author_uid = ?2 AND client_key = ?3 AND client_key <> ''"
    );
    const AUTHOR_AND_MENTIONS: &'static str =
        sql!("SELECT author_uid, mentions FROM comments WHERE project_id = ?1 AND id = ?2");
    const IS_RESOLVED: &'static str = sql!("SELECT resolved FROM comments WHERE project_id = ?1 AND id = ?2");
    const STATES: &'static str = sql!(
        "SELECT id, resolved FROM comments WHERE project_id = ?1 AND id IN (SELECT key FROM json_each(?2)) ORDER BY seq"
    );
    const SEEN: &'static str = sql!("SELECT number, at FROM seen WHERE project_id = ?1 AND account_id = ?2");
    const SET_SEEN: &'static str = sql!(
        "INSERT INTO seen (project_id, account_id, number, at) \
         SELECT ?1, ?2, CASE WHEN ?3 > last THEN last ELSE ?3 END, ?4 FROM numbers WHERE project_id = ?1 \
         ON CONFLICT (project_id, account_id) DO UPDATE SET \
         number = CASE WHEN excluded.number > seen.number THEN excluded.number ELSE seen.number END, \
         at = CASE WHEN excluded.at > seen.at THEN excluded.at ELSE seen.at END"
    );
    // `number <= last` holds for every comment. It makes SQLite read the index that has all of these columns, and none else.
    const SUMMARY: &'static str = sql!(
        "SELECT numbers.project_id, count(*) FILTER (WHERE resolved = 0), \
         count(*) FILTER (WHERE (comments.number > coalesce(seen.number, 0) AND author_uid <> ?1) \
           OR (last_reply_at > coalesce(seen.at, '') AND last_reply_uid <> ?1)), \
         max(CASE WHEN last_reply_at > created_at THEN last_reply_at ELSE created_at END) \
         FROM numbers JOIN comments ON comments.project_id = numbers.project_id AND comments.number <= last \
         LEFT JOIN seen ON seen.project_id = numbers.project_id AND seen.account_id = ?2 GROUP BY numbers.project_id"
    );
    const REPLIES: &'static str = sql!(
        "SELECT comment_seq, ",
        reply_columns!(),
        " FROM replies WHERE project_id = ?1 AND comment_seq BETWEEN ?2 AND ?3 ORDER BY comment_seq, seq"
    );
    const REPLY_OF_CLIENT: &'static str = sql!(
        "SELECT ",
        reply_columns!(),
        " FROM replies WHERE comment_seq = (SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2) \
         AND author_uid = ?3 AND client_key = ?4 AND client_key <> ''"
    );
    const REPLY_AUTHOR_AND_MENTIONS: &'static str = sql!(
        "SELECT author_uid, mentions FROM replies WHERE project_id = ?1 AND id = ?3 \
         AND comment_seq = (SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2)"
    );
    const IMAGES: &'static str = sql!("SELECT images FROM comments WHERE project_id = ?1 AND id = ?2");
    const IMAGE: &'static str =
        sql!("SELECT type, bytes FROM image_files WHERE project_id = ?1 AND comment_id = ?2 AND id = ?3 AND shown = 1");
    const IMAGE_BYTES: &'static str =
        sql!("SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM image_files WHERE project_id = ?1");
    const UNSHOWN_IMAGES: &'static str =
        sql!("SELECT id FROM image_files WHERE shown = 0 AND since < ?1 ORDER BY since LIMIT ?2");
    const FORGET_IMAGES: &'static str =
        sql!("DELETE FROM image_files WHERE shown = 0 AND id IN (SELECT key FROM json_each(?1))");
    const REPLY_COUNT: &'static str = sql!("SELECT replies FROM comments WHERE project_id = ?1 AND id = ?2");
    const PARTICIPANTS: &'static str = sql!(
        "SELECT id, display_name, status, CASE WHEN ?2 = 1 THEN email END FROM participants WHERE project_id = ?1 ORDER BY seq"
    );
    const PARTICIPANT: &'static str =
        sql!("SELECT id, display_name, status, email FROM participants WHERE project_id = ?1 AND email = ?2");
    const INVITE: &'static str = sql!(
        "INSERT INTO participants (project_id, id, email, display_name, status) \
         VALUES (?1, ?2, ?3, ?4, 'pending') ON CONFLICT (project_id, email) DO NOTHING"
    );
    // PostgreSQL has one `ON CONFLICT`, so a row of the same id and another address, which nobody has, is found by that.
    const ENROLL: &'static str = sql!(
        "INSERT INTO participants (project_id, id, email, display_name, status) \
         VALUES (?1, ?2, CASE WHEN EXISTS (SELECT 1 FROM participants WHERE project_id = ?1 AND email = ?3) THEN ?3 \
           ELSE coalesce((SELECT email FROM participants WHERE project_id = ?1 AND id = ?2), ?3) END, ?4, 'active') \
         ON CONFLICT (project_id, email) DO UPDATE SET status = 'active', email = ?3, display_name = excluded.display_name \
         WHERE participants.status <> 'active' OR participants.email <> ?3 \
           OR participants.display_name <> excluded.display_name"
    );
    const KNOWN: &'static str = sql!(
        "SELECT participants.id, email FROM json_each(?2) AS given JOIN participants \
         ON participants.project_id = ?1 AND participants.id = given.key \
         ORDER BY CAST(CAST(given.value AS text) AS bigint)"
    );

    fn schema(plugin: Plugin) -> Plugin {
        plugin
            .postgres()
            .migration(1, include_str!("../migrations/1.sql"))
            .postgres_migration(1, include_str!("../migrations/1.postgres.sql"))
            .migration_with_down(
                2,
                include_str!("../migrations/2.sql"),
                include_str!("../migrations/2.down.sql"),
            )
            .postgres_migration_with_down(
                2,
                include_str!("../migrations/2.postgres.sql"),
                include_str!("../migrations/2.down.sql"),
            )
    }

    fn write_comment(batch: Batch, comment: &NewComment<'_>) -> Batch {
        let number = sql!(
            "INSERT INTO numbers (project_id, last) VALUES (?1, 1) \
             ON CONFLICT (project_id) DO UPDATE SET last = numbers.last + 1"
        );
        let sql = sql!(
            "INSERT INTO comments (id, project_id, number, body, anchor_selector, page, anchor, deployment_id, client_key, \
             author_uid, author_name, mentions, created_at, updated_at) \
             VALUES (?1, ?2, (SELECT last FROM numbers WHERE project_id = ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12) \
             RETURNING ",
            columns!()
        );
        let values = params![
            comment.id,
            comment.project,
            comment.body,
            comment.anchor_selector,
            comment.page,
            comment.anchor,
            comment.deployment,
            comment.client_key,
            &comment.author.uid,
            &comment.author.display_name,
            comment.mentions,
            comment.now
        ];
        batch.step(number, params![comment.project]).step(sql, values)
    }

    fn change_comment(batch: Batch, change: &Change<'_>) -> Batch {
        let sql = sql!(
            "UPDATE comments SET body = coalesce(?3, body), edited_at = CASE WHEN coalesce(?3, body) = body THEN edited_at ELSE ?6 END, \
             mentions = coalesce(?4, mentions), resolved = coalesce(?5, resolved), updated_at = ?6, \
             anchor_selector = coalesce(?9, anchor_selector), page = coalesce(?10, page), anchor = coalesce(?11, anchor), \
             deployment_id = coalesce(?12, deployment_id), ",
            resolved_by!("coalesce(?5, resolved)", "?7", "?8", "?6"),
            " WHERE project_id = ?1 AND id = ?2 RETURNING ",
            columns!()
        );
        let values = params![
            change.project,
            change.comment,
            change.body,
            change.mentions,
            change.resolved,
            change.now,
            &change.by.uid,
            &change.by.display_name,
            change.pin.map(|pin| pin.anchor_selector),
            change.pin.map(|pin| pin.page),
            change.pin.map(|pin| pin.anchor),
            change.pin.map(|pin| pin.deployment)
        ];
        batch.step(sql, values)
    }

    fn resolve(batch: Batch, change: &Resolving<'_>) -> Batch {
        let sql = sql!(
            "UPDATE comments SET resolved = ?3, updated_at = ?6, ",
            resolved_by!("?3", "?4", "?5", "?6"),
            " WHERE project_id = ?1 AND id IN (SELECT key FROM json_each(?2)) AND resolved <> ?3"
        );
        let values = params![
            change.project,
            change.comments,
            change.resolved,
            &change.by.uid,
            &change.by.display_name,
            change.now
        ];
        batch.step(sql, values)
    }

    fn remove_comment(batch: Batch, project: &str, comment: &str) -> Batch {
        let replies = sql!(
            "DELETE FROM replies WHERE project_id = ?1 AND comment_seq = (SELECT seq FROM comments WHERE id = ?2)"
        );
        let images = sql!("UPDATE image_files SET shown = 0, since = '' WHERE project_id = ?1 AND comment_id = ?2");
        let comments = sql!("DELETE FROM comments WHERE project_id = ?1 AND id = ?2");
        batch
            .step(replies, params![project, comment])
            .step(images, params![project, comment])
            .step(comments, params![project, comment])
            .expect(1)
    }

    /// Counting and writing are one batch, so that two requests cannot both be the last one.
    fn write_reply(batch: Batch, reply: &NewReply<'_>) -> Batch {
        let count = sql!(
            "UPDATE comments SET replies = replies + 1, reply_bytes = reply_bytes + ?4, last_reply_uid = ?6, last_reply_at = ?7 \
             WHERE project_id = ?1 AND id = ?2 AND replies < ?3 AND reply_bytes + ?4 <= ?5"
        );
        let write = sql!(
            "INSERT INTO replies (id, project_id, comment_seq, body, client_key, author_uid, author_name, mentions, created_at, \
             updated_at) \
             SELECT ?1, project_id, seq, ?4, ?5, ?6, ?7, ?8, ?9, ?9 FROM comments WHERE project_id = ?2 AND id = ?3 RETURNING ",
            reply_columns!()
        );
        let bounds = params![
            reply.project,
            reply.comment,
            reply.max_replies,
            reply.body.len() as i64,
            reply.max_bytes as i64,
            &reply.author.uid,
            reply.now
        ];
        let values = params![
            reply.id,
            reply.project,
            reply.comment,
            reply.body,
            reply.client_key,
            &reply.author.uid,
            &reply.author.display_name,
            reply.mentions,
            reply.now
        ];
        batch.step(count, bounds).expect(1).step(write, values)
    }

    fn change_reply(batch: Batch, change: &ReplyChange<'_>) -> Batch {
        let weigh = sql!(
            "UPDATE comments SET reply_bytes = reply_bytes + ?4 - octet_length(one.body) FROM replies AS one \
             WHERE comments.project_id = ?1 AND comments.id = ?2 AND one.id = ?3 AND one.comment_seq = comments.seq \
             AND reply_bytes + ?4 - octet_length(one.body) <= ?5"
        );
        let write = sql!(
            "UPDATE replies SET body = coalesce(?4, body), edited_at = CASE WHEN coalesce(?4, body) = body THEN edited_at ELSE ?6 END, \
             mentions = coalesce(?5, mentions), updated_at = ?6 WHERE project_id = ?1 AND id = ?3 \
             AND comment_seq = (SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2) RETURNING ",
            reply_columns!()
        );
        let batch = match change.body {
            Some(body) => {
                let bounds = params![
                    change.project,
                    change.comment,
                    change.reply,
                    body.len() as i64,
                    change.max_bytes as i64
                ];
                batch.step(weigh, bounds).expect(1)
            }
            None => batch,
        };
        let values = params![
            change.project,
            change.comment,
            change.reply,
            change.body,
            change.mentions,
            change.now
        ];
        batch.step(write, values)
    }

    fn remove_reply(batch: Batch, project: &str, comment: &str, reply: &str) -> Batch {
        let remove = sql!(
            "DELETE FROM replies WHERE project_id = ?1 AND id = ?3 \
             AND comment_seq = (SELECT seq FROM comments WHERE project_id = ?1 AND id = ?2)"
        );
        let count = sql!(
            "UPDATE comments SET \
             (replies, reply_bytes) = (SELECT count(*), coalesce(sum(octet_length(body)), 0) FROM replies \
               WHERE replies.project_id = ?1 AND comment_seq = comments.seq), \
             (last_reply_uid, last_reply_at) = (SELECT coalesce(max(author_uid), ''), coalesce(max(created_at), '') FROM ( \
               SELECT author_uid, created_at FROM replies WHERE replies.project_id = ?1 AND comment_seq = comments.seq \
               ORDER BY replies.seq DESC LIMIT 1) AS newest) \
             WHERE project_id = ?1 AND id = ?2"
        );
        batch
            .step(remove, params![project, comment, reply])
            .expect(1)
            .step(count, params![project, comment])
    }

    fn begin_image(image: &NewImage<'_>) -> Result<(), Problem> {
        let sql = sql!(
            "INSERT INTO image_files (id, project_id, comment_id, type, bytes, shown, since) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)"
        );
        let values = params![
            image.id,
            image.project,
            image.comment,
            image.kind,
            image.bytes,
            image.now
        ];
        sql::execute(sql, values).map(drop)
    }

    fn show_image(batch: Batch, image: &NewImage<'_>) -> Batch {
        let file = sql!("UPDATE image_files SET shown = 1, since = ?2 WHERE id = ?1 AND shown = 0");
        let comment = sql!(
            "UPDATE comments SET \
             images = CASE WHEN images = '[]' THEN '[' ELSE substr(images, 1, length(images) - 1) || ',' END || ?3 || ']' \
             WHERE project_id = ?1 AND id = ?2 AND (SELECT count(*) FROM image_files \
               WHERE image_files.project_id = ?1 AND comment_id = ?2 AND shown = 1) <= ?4"
        );
        batch
            .step(file, params![image.id, image.now])
            .expect(1)
            .step(
                comment,
                params![image.project, image.comment, image.facts, image.max_images],
            )
            .expect(1)
    }

    fn hide_image(batch: Batch, image: &HiddenImage<'_>) -> Batch {
        let file = sql!(
            "UPDATE image_files SET shown = 0, since = '' WHERE project_id = ?1 AND comment_id = ?2 AND id = ?3 AND shown = 1"
        );
        let comment = sql!("UPDATE comments SET images = ?4 WHERE project_id = ?1 AND id = ?2 AND images = ?3");
        batch
            .step(file, params![image.project, image.comment, image.id])
            .expect(1)
            .step(
                comment,
                params![image.project, image.comment, image.before, image.after],
            )
            .expect(1)
    }

    fn remark(remark: &RemarkId<'_>) -> Result<Option<Remark>, Problem> {
        let found = match remark.reply {
            None => {
                let sql = sql!(
                    "SELECT body, page, number, author_uid, author_name FROM comments WHERE project_id = ?1 AND id = ?2"
                );
                sql::one(sql, params![remark.project, remark.comment])?
            }
            Some(reply) => {
                let sql = sql!(
                    "SELECT replies.body, page, number, replies.author_uid, replies.author_name FROM replies \
                     JOIN comments ON comments.seq = comment_seq WHERE replies.project_id = ?1 AND replies.id = ?2"
                );
                sql::one(sql, params![remark.project, reply])?
            }
        };
        Ok(found.map(|(body, page, number, author_uid, author_name)| Remark {
            body,
            page,
            number,
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
            .step(sql!("DELETE FROM numbers WHERE project_id = ?1"), params![project])
            .step(sql!("DELETE FROM seen WHERE project_id = ?1"), params![project])
            .step(
                sql!("UPDATE image_files SET shown = 0, since = '' WHERE project_id = ?1"),
                params![project],
            )
            .run()
            .map(drop)
    }
}
