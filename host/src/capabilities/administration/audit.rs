//! `galley:administration/audit`.

use super::a::audit::{Actor, Entry, Host};
use super::{administered, describe, unsigned};
use crate::accounts::AuditEntry;
use crate::capabilities::{Problem, State};

impl From<AuditEntry> for Entry {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: unsigned(entry.id),
            at: unsigned(entry.at),
            actor: Actor {
                kind: entry.actor_kind,
                user_id: entry.actor_id,
                email: entry.actor_email,
            },
            action: entry.action,
            subject: entry.subject,
            details: entry.details,
        }
    }
}

impl Host for State {
    async fn read(&mut self, before: Option<u64>, limit: u32) -> wasmtime::Result<Result<Vec<Entry>, Problem>> {
        administered!(self, Audit);
        // Larger ids than the database's are newer than every entry.
        let before = before.map(|id| i64::try_from(id).unwrap_or(i64::MAX));
        let entries = self.slot.services.core.audit(before, limit).await.map_err(describe);
        Ok(entries.map(|entries| entries.into_iter().map(Entry::from).collect()))
    }
}
