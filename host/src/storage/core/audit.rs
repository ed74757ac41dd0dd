//! The audit log: who did which administrative act, about what, and when.
//!
//! An entry is written in the transaction of the act it tells of: there is none without the other. Entries are never
//! changed and never deleted. Their details hold no secret.

use rusqlite::{Connection, Row};
use serde_json::Value;

use super::{Core, CoreError};
use crate::storage::id::now_ms;

/// The most entries one page holds.
const MAX_PAGE: u32 = 200;

/// Who does an administrative act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The host itself, by its own rules.
    System,
    /// Whoever holds the static admin bearer.
    Admin,
    /// An account.
    Account {
        /// Its id.
        id: String,
        /// Its address at this time.
        email: String,
        /// Whether a personal access token asks, rather than a browser.
        by_token: bool,
    },
}

impl Actor {
    fn kind(&self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Admin => "admin",
            Self::Account { by_token: false, .. } => "session",
            Self::Account { by_token: true, .. } => "token",
        }
    }

    /// Whether the actor may administer the instance at this moment of the transaction, whatever was true when its
    /// request began: two admins who remove each other at once must not both succeed.
    fn may_act(&self, connection: &Connection) -> Result<bool, CoreError> {
        let Self::Account { id, .. } = self else {
            return Ok(true);
        };
        let sql = "SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND role = 'admin' AND removed = 0)";
        Ok(connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?)
    }
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Grows with each entry.
    pub id: i64,
    /// Milliseconds since 1970.
    pub at: i64,
    /// `system`, `admin` (the bearer), `session` or `token`.
    pub actor_kind: String,
    /// The actor's account.
    pub actor_id: Option<String>,
    /// The address of that account at that time.
    pub actor_email: Option<String>,
    /// A kebab-case word.
    pub action: String,
    /// What it was about: an account's or invite's id, a domain, `settings` or `mail-server`.
    pub subject: String,
    /// A JSON object.
    pub details: String,
}

impl AuditEntry {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            at: row.get(1)?,
            actor_kind: row.get(2)?,
            actor_id: row.get(3)?,
            actor_email: row.get(4)?,
            action: row.get(5)?,
            subject: row.get(6)?,
            details: row.get(7)?,
        })
    }
}

impl Core {
    /// Entries before the one with the id `before` (or all), newest first, at most `limit` and at most 200.
    pub fn audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>, CoreError> {
        let sql = "SELECT id, at, actor_kind, actor_id, actor_email, action, subject, details FROM audit
                   WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
        let values = (before.unwrap_or(i64::MAX), limit.min(MAX_PAGE));
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement
                .query_map(values, AuditEntry::from_row)?
                .collect::<Result<_, _>>()?)
        })
    }
}

/// Writes an entry, in the transaction of the act and before what it changes. [`CoreError::Denied`] when the actor is no
/// admin any more: the transaction is then undone.
pub(super) fn record(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    subject: &str,
    details: Value,
) -> Result<(), CoreError> {
    if !actor.may_act(connection)? {
        return Err(CoreError::Denied);
    }
    let (id, email) = match actor {
        Actor::Account { id, email, .. } => (Some(id), Some(email)),
        Actor::System | Actor::Admin => (None, None),
    };
    let sql = "INSERT INTO audit (at, actor_kind, actor_id, actor_email, action, subject, details)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = (now_ms(), actor.kind(), id, email, action, subject, details.to_string());
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}
