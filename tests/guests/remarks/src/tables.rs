//! The tables of `migrations/`, and every statement on them.

use galley_comments::store::{
    Change, HiddenImage, NewComment, NewImage, NewReply, Remark, RemarkId, ReplyChange, Resolving, Store,
};
use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;

/// The mentions of the row `remark` as a JSON array.
macro_rules! mentions {
    () => {
        "(SELECT json_group_array(person ORDER BY place) FROM mention WHERE mention.remark = remark.id)"
    };
}

/// A column of the newest answer to the row `remark`; empty without one.
macro_rules! newest_answer {
    ($column:literal) => {
        concat!(
            "coalesce((SELECT answer.",
            $column,
            " FROM remark AS answer WHERE answer.answers = remark.key ORDER BY answer.key DESC LIMIT 1), '')"
        )
    };
}

/// The columns of a comment's row, for `SELECT` and `RETURNING`.
macro_rules! comment {
    () => {
        concat!(
            "key, (SELECT count(*) FROM remark AS answer WHERE answer.answers = remark.key), id, number, words, element, page, \
             evidence, seen_on, writer, writer_name, ",
            mentions!(),
            ", (SELECT json_group_array(json(facts) ORDER BY picture.key) FROM picture \
               WHERE picture.project = remark.project AND picture.remark = remark.id AND is_shown), \
             coalesce(sent_as, ''), is_done, done_by, done_by_name, done_at, ",
            newest_answer!("writer"),
            ", ",
            newest_answer!("written"),
            ", reworded, written, changed"
        )
    };
}

/// The columns of a reply's row.
macro_rules! answer {
    () => {
        concat!(
            "id, words, writer, writer_name, ",
            mentions!(),
            ", coalesce(sent_as, ''), reworded, written, changed"
        )
    };
}

/// Writes the mentions of a remark; `?1` is its id.
const MENTION: &str = sql!("INSERT INTO mention (remark, place, person) SELECT ?1, key, value FROM json_each(?2)");

/// `remark`, `mention` and `person`.
pub enum Tables {}

impl Store for Tables {
    const COMMENTS: &'static str = sql!(
        "SELECT ",
        comment!(),
        " FROM remark WHERE project = ?1 AND answers IS NULL AND key > ?2 ORDER BY key LIMIT ?3"
    );
    const FITTING: &'static str = sql!(
        "SELECT max(1, count(*)) FROM ( \
           SELECT sum(weight) OVER (ORDER BY key) AS total FROM ( \
             SELECT key, (SELECT total(octet_length(id) + octet_length(words) + octet_length(writer) + octet_length(writer_name) \
               + max(2, 1 + (SELECT total(octet_length(person) + 3) FROM mention WHERE mention.remark = one.id)) \
               + octet_length(coalesce(sent_as, '')) + octet_length(reworded) + octet_length(written) + octet_length(changed) \
               + iif(answers IS NULL, 131 + octet_length(element) + octet_length(page) + octet_length(evidence) \
                 + octet_length(seen_on) + octet_length(done_by) + octet_length(done_by_name) + octet_length(done_at) \
                 + max(2, 1 + (SELECT total(octet_length(facts) + 1) FROM picture \
                   WHERE picture.project = one.project AND picture.remark = one.id AND is_shown)) \
                 + (SELECT total(octet_length(writer) + octet_length(written)) FROM (SELECT writer, written FROM remark AS answer \
                   WHERE answer.answers = one.key ORDER BY answer.key DESC LIMIT 1)), 54)) \
               FROM remark AS one WHERE one.key = remark.key OR one.answers = remark.key) AS weight \
             FROM remark WHERE project = ?1 AND answers IS NULL AND key > ?2 ORDER BY key LIMIT ?3)) \
         WHERE total <= ?4"
    );
    const IS_FOLLOWED: &'static str =
        sql!("SELECT EXISTS (SELECT 1 FROM remark WHERE project = ?1 AND answers IS NULL AND key > ?2)");
    const SEQ: &'static str = sql!("SELECT key FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL");
    const SEQ_OF_NUMBER: &'static str =
        sql!("SELECT coalesce(max(key), 0) FROM remark WHERE project = ?1 AND number <= ?2 AND answers IS NULL");
    const COMMENT_OF_CLIENT: &'static str = sql!(
        "SELECT ",
        comment!(),
        " FROM remark WHERE project = ?1 AND coalesce(answers, 0) = 0 AND writer = ?2 AND sent_as = ?3"
    );
    const AUTHOR_AND_MENTIONS: &'static str = sql!(
        "SELECT writer, ",
        mentions!(),
        " FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL"
    );
    const IS_RESOLVED: &'static str =
        sql!("SELECT is_done FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL");
    const REPLIES: &'static str = sql!(
        "SELECT answers, ",
        answer!(),
        " FROM remark WHERE project = ?1 AND answers BETWEEN ?2 AND ?3 ORDER BY answers, key"
    );
    const REPLY_OF_CLIENT: &'static str = sql!(
        "SELECT ",
        answer!(),
        " FROM remark WHERE project = ?1 AND coalesce(answers, 0) = ( \
           SELECT head.key FROM remark AS head WHERE head.project = ?1 AND head.id = ?2 AND head.answers IS NULL) \
         AND writer = ?3 AND sent_as = ?4"
    );
    const REPLY_AUTHOR_AND_MENTIONS: &'static str = sql!(
        "SELECT writer, ",
        mentions!(),
        " FROM remark WHERE project = ?1 AND id = ?3 AND answers = (SELECT head.key FROM remark AS head WHERE head.id = ?2)"
    );
    const STATES: &'static str = sql!(
        "SELECT id, is_done FROM remark WHERE project = ?1 AND answers IS NULL AND id IN (SELECT key FROM json_each(?2)) \
         ORDER BY key"
    );
    const SEEN: &'static str = sql!("SELECT number, moment FROM progress WHERE project = ?1 AND account = ?2");
    const SET_SEEN: &'static str = sql!(
        "INSERT INTO progress (project, account, number, moment) \
         SELECT ?1, ?2, min(?3, coalesce(max(number), 0)), ?4 FROM remark WHERE project = ?1 AND answers IS NULL \
         ON CONFLICT DO UPDATE SET number = max(number, excluded.number), moment = max(moment, excluded.moment)"
    );
    const SUMMARY: &'static str = sql!(
        "SELECT head.project, sum(NOT head.is_done), \
         sum((head.number > coalesce(progress.number, 0) AND head.writer <> ?1) \
           OR coalesce(newest.written > coalesce(progress.moment, '') AND newest.writer <> ?1, 0)), \
         max(max(head.written, coalesce(newest.written, ''))) \
         FROM remark AS head \
         LEFT JOIN remark AS newest ON newest.key = (SELECT max(answer.key) FROM remark AS answer WHERE answer.answers = head.key) \
         LEFT JOIN progress ON progress.project = head.project AND progress.account = ?2 \
         WHERE head.answers IS NULL GROUP BY head.project"
    );
    const IMAGES: &'static str = sql!(
        "SELECT (SELECT json_group_array(json(facts) ORDER BY picture.key) FROM picture \
         WHERE picture.project = ?1 AND picture.remark = ?2 AND is_shown) \
         FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL"
    );
    const IMAGE: &'static str =
        sql!("SELECT kind, size FROM picture WHERE project = ?1 AND remark = ?2 AND id = ?3 AND is_shown");
    const IMAGE_BYTES: &'static str = sql!("SELECT coalesce(sum(size), 0) FROM picture WHERE project = ?1");
    const UNSHOWN_IMAGES: &'static str =
        sql!("SELECT id FROM picture WHERE NOT is_shown AND since < ?1 ORDER BY since LIMIT ?2");
    const FORGET_IMAGES: &'static str =
        sql!("DELETE FROM picture WHERE NOT is_shown AND id IN (SELECT key FROM json_each(?1))");
    const REPLY_COUNT: &'static str = sql!(
        "SELECT (SELECT count(*) FROM remark AS answer WHERE answer.answers = remark.key) \
         FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL"
    );
    const PARTICIPANTS: &'static str = sql!(
        "SELECT id, name, iif(has_written, 'active', 'pending'), iif(?2, address, NULL) FROM person \
         WHERE project = ?1 ORDER BY key"
    );
    const PARTICIPANT: &'static str = sql!(
        "SELECT id, name, iif(has_written, 'active', 'pending'), address FROM person \
         WHERE project = ?1 AND address = ?2"
    );
    const INVITE: &'static str = sql!(
        "INSERT INTO person (project, id, address, name, has_written) VALUES (?1, ?2, ?3, ?4, 0) \
         ON CONFLICT (project, address) DO NOTHING"
    );
    const ENROLL: &'static str = sql!(
        "INSERT INTO person (project, id, address, name, has_written) VALUES (?1, ?2, ?3, ?4, 1) \
         ON CONFLICT (project, address) DO UPDATE SET has_written = 1, name = excluded.name \
         ON CONFLICT (project, id) DO UPDATE SET address = excluded.address, name = excluded.name"
    );
    const KNOWN: &'static str = sql!(
        "SELECT person.id, address FROM json_each(?2) AS given JOIN person \
         ON person.project = ?1 AND person.id = given.key ORDER BY given.value"
    );

    fn schema(plugin: Plugin) -> Plugin {
        plugin
            .id("remarks")
            .migration(1, include_str!("../migrations/1.sql"))
            .adopts_by("comments@2", include_str!("from_comments.sql"))
    }

    fn write_comment(batch: Batch, comment: &NewComment<'_>) -> Batch {
        let number =
            sql!("INSERT INTO counter (project, number) VALUES (?1, 1) ON CONFLICT DO UPDATE SET number = number + 1");
        let sql = sql!(
            "INSERT INTO remark (id, project, number, words, element, page, evidence, seen_on, sent_as, writer, writer_name, \
             written, changed) \
             VALUES (?1, ?2, (SELECT number FROM counter WHERE project = ?2), ?3, ?4, ?5, ?6, ?7, nullif(?8, ''), ?9, ?10, ?11, ?11) \
             RETURNING ",
            comment!()
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
            comment.now
        ];
        // The mentions come first: the remark's row answers them.
        batch
            .step(MENTION, params![comment.id, comment.mentions])
            .step(number, params![comment.project])
            .step(sql, values)
    }

    fn change_comment(batch: Batch, change: &Change<'_>) -> Batch {
        let sql = sql!(
            "UPDATE remark SET words = coalesce(?3, words), reworded = iif(coalesce(?3, words) = words, reworded, ?5), \
             done_by = iif(coalesce(?4, is_done) = is_done, done_by, iif(?4, ?6, '')), \
             done_by_name = iif(coalesce(?4, is_done) = is_done, done_by_name, iif(?4, ?7, '')), \
             done_at = iif(coalesce(?4, is_done) = is_done, done_at, iif(?4, ?5, '')), \
             is_done = coalesce(?4, is_done), changed = ?5, \
             element = coalesce(?8, element), page = coalesce(?9, page), evidence = coalesce(?10, evidence), \
             seen_on = coalesce(?11, seen_on) \
             WHERE project = ?1 AND id = ?2 AND answers IS NULL RETURNING ",
            comment!()
        );
        let batch = mention_anew(batch, change.project, change.comment, change.mentions);
        let values = params![
            change.project,
            change.comment,
            change.body,
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
            "UPDATE remark SET is_done = ?3, done_by = iif(?3, ?4, ''), done_by_name = iif(?3, ?5, ''), done_at = iif(?3, ?6, ''), \
             changed = ?6 WHERE project = ?1 AND answers IS NULL AND is_done <> ?3 AND id IN (SELECT key FROM json_each(?2))"
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
        let of_it = sql!(
            "SELECT one.id FROM remark AS one JOIN remark AS head ON head.key IN (one.key, one.answers) \
             WHERE head.project = ?1 AND head.id = ?2 AND head.answers IS NULL"
        );
        let pictures = sql!("UPDATE picture SET is_shown = 0, since = '' WHERE project = ?1 AND remark = ?2");
        let answers =
            sql!("DELETE FROM remark WHERE answers = (SELECT key FROM remark WHERE project = ?1 AND id = ?2)");
        let head = sql!("DELETE FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL");
        batch
            .step(
                &format!("DELETE FROM mention WHERE remark IN ({of_it})"),
                params![project, comment],
            )
            .step(pictures, params![project, comment])
            .step(answers, params![project, comment])
            .step(head, params![project, comment])
            .expect(1)
    }

    fn write_reply(batch: Batch, reply: &NewReply<'_>) -> Batch {
        let sql = sql!(
            "INSERT INTO remark (id, project, answers, words, writer, writer_name, written, changed, sent_as) \
             SELECT ?1, head.project, head.key, ?4, ?5, ?6, ?7, ?7, nullif(?10, '') FROM remark AS head \
             WHERE head.project = ?2 AND head.id = ?3 AND head.answers IS NULL AND \
             (SELECT count(*) < ?8 AND total(octet_length(words)) + octet_length(?4) <= ?9 \
             FROM remark AS other WHERE other.answers = head.key) \
             RETURNING ",
            answer!()
        );
        let values = params![
            reply.id,
            reply.project,
            reply.comment,
            reply.body,
            &reply.author.uid,
            &reply.author.display_name,
            reply.now,
            reply.max_replies,
            reply.max_bytes as i64,
            reply.client_key
        ];
        batch
            .step(MENTION, params![reply.id, reply.mentions])
            .step(sql, values)
            .expect(1)
    }

    fn change_reply(batch: Batch, change: &ReplyChange<'_>) -> Batch {
        let sql = sql!(
            "UPDATE remark SET words = coalesce(?4, words), reworded = iif(coalesce(?4, words) = words, reworded, ?5), changed = ?5 \
             WHERE project = ?1 AND id = ?3 AND answers = (SELECT head.key FROM remark AS head WHERE head.id = ?2) \
             AND (SELECT total(octet_length(iif(other.id = ?3, coalesce(?4, other.words), other.words))) \
               FROM remark AS other WHERE other.answers = remark.answers) <= ?6 RETURNING ",
            answer!()
        );
        let values = params![
            change.project,
            change.comment,
            change.reply,
            change.body,
            change.now,
            change.max_bytes as i64
        ];
        mention_anew(batch, change.project, change.reply, change.mentions)
            .step(sql, values)
            .expect(1)
    }

    fn remove_reply(batch: Batch, project: &str, comment: &str, reply: &str) -> Batch {
        let remove = sql!(
            "DELETE FROM remark WHERE project = ?1 AND id = ?3 \
             AND answers = (SELECT head.key FROM remark AS head WHERE head.id = ?2)"
        );
        batch
            .step(sql!("DELETE FROM mention WHERE remark = ?1"), params![reply])
            .step(remove, params![project, comment, reply])
            .expect(1)
    }

    fn begin_image(image: &NewImage<'_>) -> Result<(), Problem> {
        let sql = sql!(
            "INSERT INTO picture (id, project, remark, kind, size, facts, is_shown, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)"
        );
        let values = params![
            image.id,
            image.project,
            image.comment,
            image.kind,
            image.bytes,
            image.facts,
            image.now
        ];
        sql::execute(sql, values).map(drop)
    }

    fn show_image(batch: Batch, image: &NewImage<'_>) -> Batch {
        let sql = sql!(
            "UPDATE picture SET is_shown = 1, since = ?4 WHERE id = ?3 AND NOT is_shown \
             AND EXISTS (SELECT 1 FROM remark WHERE project = ?1 AND id = ?2 AND answers IS NULL) \
             AND (SELECT count(*) FROM picture AS other \
               WHERE other.project = ?1 AND other.remark = ?2 AND other.is_shown) < ?5"
        );
        let values = params![image.project, image.comment, image.id, image.now, image.max_images];
        batch.step(sql, values).expect(1)
    }

    fn hide_image(batch: Batch, image: &HiddenImage<'_>) -> Batch {
        let sql = sql!(
            "UPDATE picture SET is_shown = 0, since = '' WHERE project = ?1 AND remark = ?2 AND id = ?3 AND is_shown"
        );
        let values = params![image.project, image.comment, image.id];
        batch.step(sql, values).expect(1)
    }

    fn remark(remark: &RemarkId<'_>) -> Result<Option<Remark>, Problem> {
        let sql = sql!(
            "SELECT one.words, head.page, head.number, one.writer, one.writer_name FROM remark AS one \
             JOIN remark AS head ON head.key = coalesce(one.answers, one.key) WHERE one.project = ?1 AND one.id = ?2"
        );
        let found = sql::one(sql, params![remark.project, remark.reply.unwrap_or(remark.comment)])?;
        Ok(found.map(|(body, page, number, author_uid, author_name)| Remark {
            body,
            page,
            number,
            author_uid,
            author_name,
        }))
    }

    fn still_mentioned(remark: &RemarkId<'_>, people: &str) -> Result<Vec<(String, String)>, Problem> {
        let sql = sql!(
            "SELECT person.id, address FROM remark JOIN mention ON mention.remark = remark.id \
             JOIN json_each(?3) AS told ON told.key = mention.person \
             JOIN person ON person.project = ?1 AND person.id = mention.person \
             WHERE remark.project = ?1 AND remark.id = ?2 AND person.id <> remark.writer ORDER BY mention.place"
        );
        let id = remark.reply.unwrap_or(remark.comment);
        sql::query(sql, params![remark.project, id, people])?.all()
    }

    fn remove_project(project: &str) -> Result<(), Problem> {
        let mentions = sql!("DELETE FROM mention WHERE remark IN (SELECT id FROM remark WHERE project = ?1)");
        sql::batch()
            .step(mentions, params![project])
            .step(sql!("DELETE FROM remark WHERE project = ?1"), params![project])
            .step(sql!("DELETE FROM person WHERE project = ?1"), params![project])
            .step(sql!("DELETE FROM counter WHERE project = ?1"), params![project])
            .step(sql!("DELETE FROM progress WHERE project = ?1"), params![project])
            .step(
                sql!("UPDATE picture SET is_shown = 0, since = '' WHERE project = ?1"),
                params![project],
            )
            .run()
            .map(drop)
    }
}

/// Writes the mentions of a remark that is changed, when they are.
fn mention_anew(batch: Batch, project: &str, id: &str, people: Option<&str>) -> Batch {
    let forget = sql!("DELETE FROM mention WHERE remark = (SELECT id FROM remark WHERE project = ?1 AND id = ?2)");
    let mention = sql!(
        "INSERT INTO mention (remark, place, person) SELECT remark.id, given.key, given.value \
         FROM remark, json_each(?3) AS given WHERE remark.project = ?1 AND remark.id = ?2"
    );
    match people {
        Some(people) => batch
            .step(forget, params![project, id])
            .step(mention, params![project, id, people]),
        None => batch,
    }
}
