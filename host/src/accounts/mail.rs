//! The outbox of mails, the unsubscribed addresses, and the mail server that an admin set. The texts of mails are encrypted
//! here.

use std::sync::Arc;

use serde_json::json;

use super::{Actor, audit};
use crate::core::{Core, CoreError, Subject};
use crate::storage::engine::{FromValue, Row, Rows, ToValue, Value};
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// The most mails of one kind that wait for one recipient.
pub const MAX_WAITING: u32 = 50;
/// The most mails of one kind that are queued for one recipient in [`DAY`].
pub const MAX_A_DAY: u32 = 200;
/// Most recipients without an account that one sender reaches for the first time in [`DAY`].
pub const MAX_NEW_RECIPIENTS_A_DAY: u32 = 20;
/// A day, in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

/// The purpose of a mail. Kinds are counted separately, so that many notes cannot block sign-in links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// A mail with a link that signs its reader in.
    Link,
    /// A notification. Unsubscribed addresses get none.
    Note,
}

impl MailKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Note => "note",
        }
    }
}

impl ToValue for MailKind {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl FromValue for MailKind {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text("link") => Some(Self::Link),
            Value::Text("note") => Some(Self::Note),
            _ => None,
        }
    }
}

/// A mail to queue.
#[derive(Debug, Clone)]
pub struct NewMail {
    /// The same mail has the same key.
    pub key: String,
    /// The mail's `Message-ID`, the same at each attempt.
    pub message_id: String,
    /// What it is for.
    pub kind: MailKind,
    /// An address, trimmed and lower-case.
    pub recipient: String,
    /// The invite whose link it holds: the invite is `emailed` once the mail server took it.
    pub invite: Option<String>,
    /// Who causes it. Set for a recipient without an account, and counted ([`MAX_NEW_RECIPIENTS_A_DAY`]).
    pub sender: Option<String>,
    /// The text, encrypted.
    pub sealed: Vec<u8>,
    /// Milliseconds since 1970: not tried after this.
    pub give_up_at: i64,
}

/// A mail that waits to be sent.
#[derive(Debug, Clone)]
pub struct WaitingMail {
    /// Grows with each mail.
    pub id: i64,
    /// See [`NewMail::key`].
    pub key: String,
    /// See [`NewMail::message_id`].
    pub message_id: String,
    /// What it is for.
    pub kind: MailKind,
    /// An address, trimmed and lower-case.
    pub recipient: String,
    /// The text, encrypted.
    pub sealed: Vec<u8>,
    /// Attempts so far.
    pub attempts: u32,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970: not tried after this.
    pub give_up_at: i64,
}

impl WaitingMail {
    fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.get(0)?,
            key: row.get(1)?,
            message_id: row.get(2)?,
            kind: row.get(3)?,
            recipient: row.get(4)?,
            sealed: row.get(5)?,
            attempts: row.get(6)?,
            created_at: row.get(7)?,
            give_up_at: row.get(8)?,
        })
    }
}

/// The result of an attempt to send a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server took it.
    Sent,
    /// It is not tried again.
    Dropped,
    /// It is tried again at this time, in milliseconds since 1970.
    Later(i64),
}

/// The stored mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMailServer {
    /// A name or an address.
    pub host: String,
    /// 1 to 65535.
    pub port: u16,
    /// Empty for a server without authentication.
    pub user: String,
    /// The password, sealed.
    pub sealed_pass: Option<Vec<u8>>,
    /// The sender address.
    pub from: String,
}

impl Core {
    /// Queues a mail, durably; false when this key was queued before. [`CoreError::TooMany`] when too many wait for the
    /// recipient, or were queued in a day, and when the sender reached enough new recipients in a day.
    pub async fn queue_mail(&self, new: NewMail) -> Result<bool, CoreError> {
        self.database
            .write(move |rows| {
                let known = "SELECT EXISTS (SELECT 1 FROM mails WHERE key = ?1)";
                if rows.fetch_one(known, [&new.key], |row| row.get(0))? {
                    return Ok(false);
                }
                let now = now_ms();
                let count = "SELECT count(*), count(*) FILTER (WHERE state = 'waiting') FROM mails
                             WHERE recipient = ?1 AND kind = ?2 AND (created_at > ?3 OR state = 'waiting')";
                let (recent, waiting): (u32, u32) =
                    rows.fetch_one(count, (&new.recipient, new.kind, now - DAY), |row| {
                        Ok((row.get(0)?, row.get(1)?))
                    })?;
                if waiting >= MAX_WAITING || recent >= MAX_A_DAY {
                    return Err(CoreError::TooMany);
                }
                if let Some(sender) = &new.sender {
                    check_new_recipient(rows, sender, &new.recipient)?;
                }
                let sql =
                    "INSERT INTO mails (key, message_id, kind, recipient, sealed, next_at, give_up_at, created_at,
                           invite, sender) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, ?8, ?9)";
                let values = (
                    &new.key,
                    &new.message_id,
                    new.kind,
                    &new.recipient,
                    &new.sealed,
                    now,
                    new.give_up_at,
                    &new.invite,
                    &new.sender,
                );
                rows.execute(sql, values)?;
                Ok(true)
            })
            .await
    }

    /// The mails that are due, sign-in links first, each kind in the order it is due.
    pub async fn due_mails(&self, limit: u32) -> Result<Vec<WaitingMail>, CoreError> {
        let sql = "SELECT id, key, message_id, kind, recipient, sealed, attempts, created_at, give_up_at FROM mails
                   WHERE state = 'waiting' AND kind = ?1 AND next_at <= ?2 ORDER BY next_at, id LIMIT ?3";
        self.database
            .read(move |rows| {
                let mut due = Vec::new();
                for kind in [MailKind::Link, MailKind::Note] {
                    let values = (kind, now_ms(), limit - due.len() as u32);
                    due.extend(rows.fetch_all(sql, values, WaitingMail::from_row)?);
                }
                Ok(due)
            })
            .await
    }

    /// When the next mail is due, in milliseconds since 1970; `None` when none waits.
    pub async fn next_mail_at(&self) -> Result<Option<i64>, CoreError> {
        let sql = "SELECT min(next_at) FROM mails WHERE state = 'waiting'";
        self.database
            .read(|rows| Ok(rows.fetch_one(sql, (), |row| row.get(0))?))
            .await
    }

    /// Records the outcome of an attempt. The text of a mail is deleted when it is not tried again. A mail that was
    /// dropped while it was under way stays dropped.
    pub async fn settle_mail(&self, id: i64, outcome: MailOutcome) -> Result<(), CoreError> {
        self.database
            .write(move |rows| {
                let done = "UPDATE mails SET state = ?2, sealed = NULL, attempts = attempts + 1
                            WHERE id = ?1 AND state = 'waiting'";
                let later = "UPDATE mails SET next_at = ?2, attempts = attempts + 1 WHERE id = ?1";
                let emailed = "UPDATE invites SET emailed_at = ?2 WHERE id = (SELECT invite FROM mails WHERE id = ?1)";
                match outcome {
                    MailOutcome::Sent if rows.execute(done, (id, "sent"))? > 0 => {
                        rows.execute(emailed, (id, now_ms()))?;
                    }
                    MailOutcome::Sent => {}
                    MailOutcome::Dropped => {
                        rows.execute(done, (id, "dropped"))?;
                    }
                    MailOutcome::Later(at) => {
                        rows.execute(later, (id, at))?;
                    }
                }
                Ok(())
            })
            .await
    }

    /// Drops the mails that are past their time, and deletes the rows of finished mails that were queued before
    /// `before` (milliseconds since 1970). Returns how many were dropped.
    pub async fn prune_mails(&self, before: i64) -> Result<usize, CoreError> {
        self.database
            .write(move |rows| {
                let drop =
                    "UPDATE mails SET state = 'dropped', sealed = NULL WHERE state = 'waiting' AND give_up_at < ?1";
                let dropped = rows.execute(drop, [now_ms()])?;
                let forget = "DELETE FROM mails WHERE state <> 'waiting' AND created_at < ?1";
                rows.execute(forget, [before])?;
                Ok(dropped)
            })
            .await
    }

    /// Unsubscribes an address (trimmed and lower-case) from notes, or subscribes it again.
    pub async fn set_unsubscribed(&self, address: &str, unsubscribed: bool) -> Result<(), CoreError> {
        let address = address.to_owned();
        self.database
            .write(move |rows| {
                if unsubscribed {
                    let sql = "INSERT INTO unsubscribed (address, created_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
                    rows.execute(sql, (&address, now_ms()))?;
                } else {
                    rows.execute("DELETE FROM unsubscribed WHERE address = ?1", [&address])?;
                }
                Ok(())
            })
            .await
    }

    /// Whether an address (trimmed and lower-case) is unsubscribed from notes.
    pub async fn is_unsubscribed(&self, address: &str) -> Result<bool, CoreError> {
        let address = address.to_owned();
        let sql = "SELECT EXISTS (SELECT 1 FROM unsubscribed WHERE address = ?1)";
        self.database
            .read(move |rows| Ok(rows.fetch_one(sql, [&address], |row| row.get(0))?))
            .await
    }

    /// Records in the audit log that an admin requested a test mail.
    pub async fn note_mail_test(&self, actor: &Actor, to: &str) -> Result<(), CoreError> {
        let (actor, details) = (actor.clone(), json!({ "to": to }));
        let write =
            move |rows: &mut Rows<'_>| audit::record(rows, &actor, "mail-tested", "mail-server", details.clone());
        self.database.write(write).await
    }

    /// The mail server an admin set.
    pub async fn mail_server(&self) -> Result<Option<StoredMailServer>, CoreError> {
        self.database.read(stored_server).await
    }

    /// Tells of the mail server that an admin set, and of each other one after it, where others write the database, too.
    pub fn follow_mail_server(&self, follow: impl Fn(Option<StoredMailServer>) + Send + Sync + 'static) {
        let Some(freshness) = self.freshness() else {
            return;
        };
        let follow = Arc::new(follow);
        freshness.follow_mail_server(Arc::new(move |rows| {
            let (follow, server) = (follow.clone(), stored_server(rows)?);
            Ok(Box::new(move || follow(server)))
        }));
    }

    /// Sets or deletes the mail server; `follow` runs when that is durable.
    pub async fn set_mail_server(
        &self,
        actor: &Actor,
        server: Option<StoredMailServer>,
        follow: impl FnOnce() + Send + 'static,
    ) -> Result<(), CoreError> {
        let actor = actor.clone();
        let write = move |rows: &mut Rows<'_>| {
            let any = "SELECT EXISTS (SELECT 1 FROM mail_server)";
            let (action, details) = match &server {
                Some(server) => ("mail-server-set", about(server)),
                None if rows.fetch_one(any, (), |row| row.get(0))? => ("mail-server-cleared", json!({})),
                None => return Ok(()),
            };
            audit::record(rows, &actor, action, "mail-server", details)?;
            rows.execute("DELETE FROM mail_server", ())?;
            if let Some(server) = &server {
                let sql = "INSERT INTO mail_server (\"only\", host, port, \"user\", sealed_pass, sender)
                           VALUES (1, ?1, ?2, ?3, ?4, ?5)";
                let values = (
                    &server.host,
                    server.port,
                    &server.user,
                    &server.sealed_pass,
                    &server.from,
                );
                rows.execute(sql, values)?;
            }
            Ok(())
        };
        self.change(write, |&()| Subject::MailServer, |_, ()| follow()).await
    }
}

fn stored_server(rows: &mut Rows<'_>) -> Result<Option<StoredMailServer>, CoreError> {
    let sql = "SELECT host, port, \"user\", sealed_pass, sender FROM mail_server";
    let stored = |row: &Row<'_>| {
        Ok(StoredMailServer {
            host: row.get(0)?,
            port: row.get(1)?,
            user: row.get(2)?,
            sealed_pass: row.get(3)?,
            from: row.get(4)?,
        })
    };
    Ok(rows.fetch_optional(sql, (), stored)?)
}

/// Drops the mails that hold a link of an invite: the link does not work any more.
pub(super) fn forget_links(rows: &mut Rows<'_>, invite: &str) -> Result<(), CoreError> {
    let sql = "UPDATE mails SET state = 'dropped', sealed = NULL WHERE invite = ?1 AND state = 'waiting'";
    rows.execute(sql, [invite])?;
    Ok(())
}

/// [`CoreError::TooMany`] when the recipient is new to the sender, and the sender reached enough new ones in a day. Only
/// mails with a sender count: those to recipients without an account.
fn check_new_recipient(rows: &mut Rows<'_>, sender: &str, recipient: &str) -> Result<(), CoreError> {
    let known = "SELECT EXISTS (SELECT 1 FROM mails WHERE sender = ?1 AND recipient = ?2)";
    if rows.fetch_one(known, (sender, recipient), |row| row.get(0))? {
        return Ok(());
    }
    let sql = "SELECT count(*)
               FROM (SELECT min(created_at) AS first FROM mails WHERE sender = ?1 GROUP BY recipient) AS reached
               WHERE first > ?2";
    let new: u32 = rows.fetch_one(sql, (sender, now_ms() - DAY), |row| row.get(0))?;
    if new >= MAX_NEW_RECIPIENTS_A_DAY {
        return Err(CoreError::TooMany);
    }
    Ok(())
}

/// The audit log's details of a mail server.
fn about(server: &StoredMailServer) -> serde_json::Value {
    json!({ "host": server.host, "port": server.port, "user": server.user, "from": server.from })
}
