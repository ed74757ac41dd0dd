//! What the rules of comments ask of a database. [`Tables`](crate::tables::Tables) is the plugin's own; a plugin with other
//! tables brings another [`Store`], and keeps everything else.
//!
//! Rows are answered as SQLite gives them, because answers are written from them without copying texts: the documentation of
//! each function names its columns. A function that takes a [`Batch`] adds steps to it, and says what its last step answers.

use galley_sdk::prelude::*;
use galley_sdk::sql::{Batch, Rows};

use crate::author::Author;

/// The tables of comments, replies and participants, and the statements on them. Ids of comments and replies are unique; each
/// statement is bound to its project all the same.
pub trait Store: 'static {
    /// At most `?3` comments of the project `?1` behind `?2`, by `seq`, which is their order: `seq`, how many replies, `id`, number,
    /// `body`, selector, page, anchor (a JSON object), id of the deployment, uid of the author, name of the author, mentions (a JSON
    /// array), images (a JSON array), key of the client, resolved, uid and name of who resolved it, resolved at, uid of the author
    /// of the last reply, last reply at, text edited at, created at, updated at. What is not there is the empty text.
    const COMMENTS: &'static str;

    /// How many of these comments come to at most `?4` bytes with their replies, at least one: each weighs what its packed
    /// row does, and those of its replies (a number takes 9 bytes, a text 5 and its own).
    const FITTING: &'static str;

    /// Whether the project `?1` has a comment behind the `seq` `?2`.
    const IS_FOLLOWED: &'static str;

    /// The `seq` of the comment `?2` of the project `?1`.
    const SEQ: &'static str;

    /// The `seq` of the last comment of the project `?1` with at most the number `?2`; 0 when there is none.
    const SEQ_OF_NUMBER: &'static str;

    /// The comment of the project `?1` that `?2` wrote with the key `?3`: [`COMMENTS`](Self::COMMENTS).
    const COMMENT_OF_CLIENT: &'static str;

    /// The uid of the author of the comment `?2` of the project `?1`, and its mentions as they are stored.
    const AUTHOR_AND_MENTIONS: &'static str;

    /// Whether the comment `?2` of the project `?1` is resolved.
    const IS_RESOLVED: &'static str;

    /// Of the ids that are keys of the JSON object `?2` those that are comments of the project `?1`, in their order: `id`, resolved.
    const STATES: &'static str;

    /// What the account `?2` has seen of the project `?1`: the number of a comment, and a time for replies.
    const SEEN: &'static str;

    /// Sets this for the account `?2` and the project `?1` to the number `?3`, at most that of its last comment, and the time `?4`,
    /// where they are later.
    const SET_SEEN: &'static str;

    /// Each project that has comments: its id, how many are open, how many the account `?2` with the uid `?1` has not read,
    /// when the last comment or reply was written.
    const SUMMARY: &'static str;

    /// The replies to the comments from `?2` to `?3` of the project `?1`, by comment and in their order: `seq` of the comment,
    /// `id`, `body`, uid of the author, name of the author, mentions, key of the client, text edited at, created at, updated at.
    const REPLIES: &'static str;

    /// The reply to the comment `?2` of the project `?1` that `?3` wrote with the key `?4`: as [`REPLIES`](Self::REPLIES), without
    /// the `seq`.
    const REPLY_OF_CLIENT: &'static str;

    /// The uid of the author of the reply `?3` to the comment `?2` of the project `?1`, and its mentions as they are stored.
    const REPLY_AUTHOR_AND_MENTIONS: &'static str;

    /// The images of the comment `?2` of the project `?1`: a JSON array.
    const IMAGES: &'static str;

    /// Content type and bytes of the image `?3` that the comment `?2` of the project `?1` shows.
    const IMAGE: &'static str;

    /// How many bytes the images of the project `?1` have together.
    const IMAGE_BYTES: &'static str;

    /// At most `?2` images that no comment shows since before the time `?1`: `id`.
    const UNSHOWN_IMAGES: &'static str;

    /// Deletes the rows of images that no comment shows and whose ids are keys of the JSON object `?1`.
    const FORGET_IMAGES: &'static str;

    /// How many replies the comment `?2` of the project `?1` has.
    const REPLY_COUNT: &'static str;

    /// The participants of the project `?1` in the order they came: `id`, name, status, email (NULL unless `?2`).
    const PARTICIPANTS: &'static str;

    /// The participant of the project `?1` with the address `?2`, with the same columns.
    const PARTICIPANT: &'static str;

    /// Adds the pending participant `?2` with the address `?3` and the name `?4` to the project `?1`, unless the address is one's.
    const INVITE: &'static str;

    /// Makes `?2` with the address `?3` and the name `?4` an active participant of the project `?1`.
    const ENROLL: &'static str;

    /// Of the ids that are keys of the JSON object `?2` those that are participants of the project `?1`, in the order of their
    /// values: `id`, `email`.
    const KNOWN: &'static str;

    /// Adds the schema: name, migrations, and whose data it takes over.
    fn schema(plugin: Plugin) -> Plugin;

    /// Writes a comment. Answers its row, as [`COMMENTS`](Self::COMMENTS) does.
    fn write_comment(batch: Batch, comment: &NewComment<'_>) -> Batch;

    /// Changes a comment. Answers its row, as [`COMMENTS`](Self::COMMENTS) does; none when it is not there.
    fn change_comment(batch: Batch, change: &Change<'_>) -> Batch;

    /// Deletes a comment and its replies; `expectation` when it is not there. Its images are shown no more since the empty time.
    fn remove_comment(batch: Batch, project: &str, comment: &str) -> Batch;

    /// Writes a reply. Answers its row as [`REPLIES`](Self::REPLIES) does, without the `seq`. `expectation` when the comment is not
    /// there or has all the replies it may have.
    fn write_reply(batch: Batch, reply: &NewReply<'_>) -> Batch;

    /// Resolves the comments of a project whose ids are keys of a JSON object, or opens them again. Changes one row for each of them that
    /// is there and is not what it shall be.
    fn resolve(batch: Batch, change: &Resolving<'_>) -> Batch;

    /// Changes a reply. Answers its row as [`REPLIES`](Self::REPLIES) does, without the `seq`. `expectation` when the texts of all
    /// replies get too long.
    fn change_reply(batch: Batch, change: &ReplyChange<'_>) -> Batch;

    /// Deletes a reply; `expectation` when it is not there.
    fn remove_reply(batch: Batch, project: &str, comment: &str, reply: &str) -> Batch;

    /// Writes an image that no comment shows yet.
    fn begin_image(image: &NewImage<'_>) -> Result<(), Problem>;

    /// Shows this image with its comment; `expectation` when the comment is not there or has all the images it may have.
    fn show_image(batch: Batch, image: &NewImage<'_>) -> Batch;

    /// Shows an image no more, since the empty time; `expectation` when its comment does not, or shows others than were read.
    fn hide_image(batch: Batch, image: &HiddenImage<'_>) -> Batch;

    /// A comment, or this reply to it, for a mail.
    fn remark(remark: &RemarkId<'_>) -> Result<Option<Remark>, Problem>;

    /// Id and address of the participants that are keys of the JSON object `people` whom a remark still mentions, without its author.
    fn still_mentioned(remark: &RemarkId<'_>, people: &str) -> Result<Vec<(String, String)>, Problem>;

    /// Deletes everything of a project. Its images are shown no more since the empty time.
    fn remove_project(project: &str) -> Result<(), Problem>;

    /// At most `most` comments behind `after`: [`COMMENTS`](Self::COMMENTS).
    fn comments(project: &str, after: i64, most: u32) -> Result<Rows, Problem> {
        sql::query(Self::COMMENTS, params![project, after, most])
    }

    /// How many of these comments come to at most `room` bytes: [`FITTING`](Self::FITTING).
    fn how_many_fit(project: &str, after: i64, most: u32, room: i64) -> Result<u32, Problem> {
        let found = sql::one::<(u32,)>(Self::FITTING, params![project, after, most, room])?;
        Ok(found.map_or(1, |(count,)| count))
    }

    /// Whether the project has a comment behind `seq`.
    fn is_followed(project: &str, seq: i64) -> Result<bool, Problem> {
        let found = sql::one::<(bool,)>(Self::IS_FOLLOWED, params![project, seq])?;
        Ok(found.is_some_and(|(followed,)| followed))
    }

    /// The `seq` of a comment.
    fn seq(project: &str, comment: &str) -> Result<Option<i64>, Problem> {
        Ok(sql::one::<(i64,)>(Self::SEQ, params![project, comment])?.map(|(seq,)| seq))
    }

    /// The place of the last comment with at most this number.
    fn seq_of_number(project: &str, number: u32) -> Result<i64, Problem> {
        let found = sql::one::<(i64,)>(Self::SEQ_OF_NUMBER, params![project, number])?;
        Ok(found.map_or(0, |(seq,)| seq))
    }

    /// The uid of a comment's author, and its mentions as they are stored.
    fn author_and_mentions(project: &str, comment: &str) -> Result<Option<(String, String)>, Problem> {
        sql::one(Self::AUTHOR_AND_MENTIONS, params![project, comment])
    }

    /// Whether a comment is resolved.
    fn is_resolved(project: &str, comment: &str) -> Result<Option<bool>, Problem> {
        Ok(sql::one::<(bool,)>(Self::IS_RESOLVED, params![project, comment])?.map(|(resolved,)| resolved))
    }

    /// The comment that an author wrote with a key: [`COMMENT_OF_CLIENT`](Self::COMMENT_OF_CLIENT).
    fn comment_of_client(project: &str, author: &str, key: &str) -> Result<Rows, Problem> {
        sql::query(Self::COMMENT_OF_CLIENT, params![project, author, key])
    }

    /// The reply that an author wrote with a key: [`REPLY_OF_CLIENT`](Self::REPLY_OF_CLIENT).
    fn reply_of_client(project: &str, comment: &str, author: &str, key: &str) -> Result<Rows, Problem> {
        sql::query(Self::REPLY_OF_CLIENT, params![project, comment, author, key])
    }

    /// The uid of a reply's author, and its mentions as they are stored.
    fn reply_author_and_mentions(
        project: &str,
        comment: &str,
        reply: &str,
    ) -> Result<Option<(String, String)>, Problem> {
        sql::one(Self::REPLY_AUTHOR_AND_MENTIONS, params![project, comment, reply])
    }

    /// Which of the keys of the JSON object `ids` are comments of the project, and whether each is resolved.
    fn states(project: &str, ids: &str) -> Result<Vec<(String, bool)>, Problem> {
        sql::all(Self::STATES, params![project, ids])
    }

    /// What an account has seen of a project: [`SEEN`](Self::SEEN).
    fn seen(project: &str, account: &str) -> Result<Option<(i64, String)>, Problem> {
        sql::one(Self::SEEN, params![project, account])
    }

    /// Moves forward what an account has seen of a project.
    fn set_seen(project: &str, account: &str, number: i64, at: &str) -> Result<(), Problem> {
        sql::execute(Self::SET_SEEN, params![project, account, number, at]).map(drop)
    }

    /// All projects that have comments: [`SUMMARY`](Self::SUMMARY).
    fn summary(uid: &str, account: &str) -> Result<Rows, Problem> {
        sql::query(Self::SUMMARY, params![uid, account])
    }

    /// The replies to the comments from `first` to `last`: [`REPLIES`](Self::REPLIES).
    fn replies(project: &str, first: i64, last: i64) -> Result<Rows, Problem> {
        sql::query(Self::REPLIES, params![project, first, last])
    }

    /// The images of a comment, a JSON array; `None` when it is not there.
    fn images(project: &str, comment: &str) -> Result<Option<String>, Problem> {
        Ok(sql::one::<(String,)>(Self::IMAGES, params![project, comment])?.map(|(images,)| images))
    }

    /// Content type and bytes of an image that a comment shows.
    fn image(project: &str, comment: &str, image: &str) -> Result<Option<(String, u64)>, Problem> {
        sql::one(Self::IMAGE, params![project, comment, image])
    }

    /// How many bytes the images of a project have together.
    fn image_bytes(project: &str) -> Result<u64, Problem> {
        let found = sql::one::<(u64,)>(Self::IMAGE_BYTES, params![project])?;
        Ok(found.map_or(0, |(bytes,)| bytes))
    }

    /// The ids of images that no comment shows: [`UNSHOWN_IMAGES`](Self::UNSHOWN_IMAGES).
    fn unshown_images(before: &str, most: u32) -> Result<Vec<String>, Problem> {
        let rows = sql::all::<(String,)>(Self::UNSHOWN_IMAGES, params![before, most])?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Deletes the rows of images that are keys of the JSON object `images` and that no comment shows.
    fn forget_images(images: &str) -> Result<(), Problem> {
        sql::execute(Self::FORGET_IMAGES, params![images]).map(drop)
    }

    /// How many replies a comment has.
    fn reply_count(project: &str, comment: &str) -> Result<Option<u32>, Problem> {
        Ok(sql::one::<(u32,)>(Self::REPLY_COUNT, params![project, comment])?.map(|(count,)| count))
    }

    /// The participants in the order they came: [`PARTICIPANTS`](Self::PARTICIPANTS).
    fn participants(project: &str, with_email: bool) -> Result<Rows, Problem> {
        sql::query(Self::PARTICIPANTS, params![project, with_email])
    }

    /// The participant with an address: [`PARTICIPANT`](Self::PARTICIPANT).
    fn participant(project: &str, email: &str) -> Result<Rows, Problem> {
        sql::query(Self::PARTICIPANT, params![project, email])
    }

    /// Adds a pending participant, unless the address is one's. Answers whether it did.
    fn invite(project: &str, id: &str, email: &str, name: &str) -> Result<bool, Problem> {
        Ok(sql::execute(Self::INVITE, params![project, id, email, name])? > 0)
    }

    /// Makes the author of a remark an active participant, with this address.
    fn enroll(batch: Batch, project: &str, author: &Author, email: &str) -> Batch {
        batch.step(Self::ENROLL, params![project, &author.uid, email, &author.display_name])
    }

    /// Of the keys of the JSON object `ids` those that are participants: [`KNOWN`](Self::KNOWN).
    fn known(project: &str, ids: &str) -> Result<Rows, Problem> {
        sql::query(Self::KNOWN, params![project, ids])
    }
}

/// A comment to write.
#[derive(Debug)]
pub struct NewComment<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its project.
    pub project: &'a str,
    /// Its text.
    pub body: &'a str,
    /// The element it is pinned to.
    pub anchor_selector: &'a str,
    /// The page of that element.
    pub page: &'a str,
    /// A JSON object; empty without one.
    pub anchor: &'a str,
    /// The deployment that the author saw; empty when it is not known.
    pub deployment: &'a str,
    /// The key that the client gave it; empty without one.
    pub client_key: &'a str,
    /// Who writes it.
    pub author: &'a Author,
    /// A JSON array of ids.
    pub mentions: &'a str,
    /// When: RFC 3339.
    pub now: &'a str,
}

/// A change of a comment; what is `None` stays.
#[derive(Debug)]
pub struct Change<'a> {
    /// Its project.
    pub project: &'a str,
    /// Its id.
    pub comment: &'a str,
    /// The new text.
    pub body: Option<&'a str>,
    /// A JSON array of ids.
    pub mentions: Option<&'a str>,
    /// Whether it is resolved.
    pub resolved: Option<bool>,
    /// Who resolves it.
    pub by: &'a Author,
    /// Where it is pinned from now on.
    pub pin: Option<Pin<'a>>,
    /// When: RFC 3339.
    pub now: &'a str,
}

/// Where a comment is pinned again.
#[derive(Debug, Clone, Copy)]
pub struct Pin<'a> {
    /// The element.
    pub anchor_selector: &'a str,
    /// The page of that element.
    pub page: &'a str,
    /// A JSON object; empty without one.
    pub anchor: &'a str,
    /// The deployment that has the element; empty when it is not known.
    pub deployment: &'a str,
}

/// Several comments to resolve, or to open again.
#[derive(Debug)]
pub struct Resolving<'a> {
    /// Their project.
    pub project: &'a str,
    /// A JSON object whose keys are their ids.
    pub comments: &'a str,
    /// `false`: they are opened again.
    pub resolved: bool,
    /// Who does it.
    pub by: &'a Author,
    /// When: RFC 3339.
    pub now: &'a str,
}

/// A change of a reply; what is `None` stays.
#[derive(Debug)]
pub struct ReplyChange<'a> {
    /// Its project.
    pub project: &'a str,
    /// The comment it answers.
    pub comment: &'a str,
    /// Its id.
    pub reply: &'a str,
    /// The new text.
    pub body: Option<&'a str>,
    /// A JSON array of ids.
    pub mentions: Option<&'a str>,
    /// When: RFC 3339.
    pub now: &'a str,
    /// The most bytes of the texts of all replies to one comment.
    pub max_bytes: usize,
}

/// An image to store.
#[derive(Debug)]
pub struct NewImage<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its project.
    pub project: &'a str,
    /// The comment that shows it.
    pub comment: &'a str,
    /// Its content type.
    pub kind: &'a str,
    /// How many it has.
    pub bytes: i64,
    /// A JSON object, as it stands in answers.
    pub facts: &'a str,
    /// The most images of one comment.
    pub max_images: u32,
    /// When: RFC 3339.
    pub now: &'a str,
}

/// An image that its comment shall show no more.
#[derive(Debug)]
pub struct HiddenImage<'a> {
    /// Its project.
    pub project: &'a str,
    /// Its comment.
    pub comment: &'a str,
    /// Its id.
    pub id: &'a str,
    /// The images that the comment shows, as [`IMAGES`](Store::IMAGES) answered them.
    pub before: &'a str,
    /// The same without this one: a JSON array.
    pub after: &'a str,
}

/// A reply to write.
#[derive(Debug)]
pub struct NewReply<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its project.
    pub project: &'a str,
    /// The comment it answers.
    pub comment: &'a str,
    /// Its text.
    pub body: &'a str,
    /// The key that the client gave it; empty without one.
    pub client_key: &'a str,
    /// Who writes it.
    pub author: &'a Author,
    /// A JSON array of ids.
    pub mentions: &'a str,
    /// When: RFC 3339.
    pub now: &'a str,
    /// The most replies of one comment.
    pub max_replies: u32,
    /// The most bytes of the texts of all replies to one comment.
    pub max_bytes: usize,
}

/// A comment, or a reply to it.
#[derive(Debug)]
pub struct RemarkId<'a> {
    /// The project.
    pub project: &'a str,
    /// The comment.
    pub comment: &'a str,
    /// The reply.
    pub reply: Option<&'a str>,
}

/// A remark that a mail is about.
#[derive(Debug)]
pub struct Remark {
    /// Its text.
    pub body: String,
    /// The page of the comment.
    pub page: String,
    /// The number of the comment.
    pub number: u32,
    /// Who wrote it.
    pub author_uid: String,
    /// The name of who wrote it.
    pub author_name: String,
}
