//! The audit log: who did which administrative act, about what, and when.
//!
//! An entry is written in the transaction of the act that it records, so neither exists without the other. Entries are never
//! changed and never deleted. Their details hold no secret.

use serde_json::Value;

use crate::core::{Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// The most entries one page holds.
const MAX_PAGE: u32 = 200;

/// Who does an administrative act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The host itself, by its own rules.
    System,
    /// The static admin bearer.
    Admin,
    /// An account.
    Account {
        /// Its id.
        id: String,
        /// Its address at this time.
        email: String,
        /// Whether the request came with a personal access token, rather than a session.
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

    /// Whether the actor may still administer the instance at this moment of the transaction. Two admins who remove each
    /// other at the same time must not both succeed.
    fn may_act(&self, rows: &mut Rows<'_>) -> Result<bool, CoreError> {
        let Self::Account { id, .. } = self else {
            return Ok(true);
        };
        let sql = "SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND role = 'admin' AND removed = 0)";
        Ok(rows.fetch_one(sql, [id], |row| row.get(0))?)
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
    /// What it was about: an account's or invite's id, a domain, `settings`, `mail-server` or a slot.
    pub subject: String,
    /// A JSON object.
    pub details: String,
}

impl AuditEntry {
    fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
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
    pub async fn audit(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>, CoreError> {
        let sql = "SELECT id, at, actor_kind, actor_id, actor_email, action, subject, details FROM audit
                   WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
        let values = (before.unwrap_or(i64::MAX), limit.min(MAX_PAGE));
        self.database
            .read(move |rows| Ok(rows.fetch_all(sql, values, AuditEntry::from_row)?))
            .await
    }
}

impl Core {
    /// Writes the entry of an act that changes no database of the core. [`CoreError::Denied`] when the actor is no longer an
    /// admin: the act must not be done.
    pub async fn record_act(
        &self,
        actor: &Actor,
        action: &'static str,
        subject: &str,
        details: Value,
    ) -> Result<(), CoreError> {
        let (actor, subject) = (actor.clone(), subject.to_owned());
        let write = move |rows: &mut Rows<'_>| record(rows, &actor, action, &subject, details.clone());
        self.database.write(write).await
    }
}

/// Writes an entry, in the transaction of the act and before what it changes. [`CoreError::Denied`] when the actor is no
/// longer an admin, which undoes the transaction.
pub(crate) fn record(
    rows: &mut Rows<'_>,
    actor: &Actor,
    action: &str,
    subject: &str,
    details: Value,
) -> Result<(), CoreError> {
    if !actor.may_act(rows)? {
        return Err(CoreError::Denied);
    }
    let (id, email) = match actor {
        Actor::Account { id, email, .. } => (Some(id), Some(email)),
        Actor::System | Actor::Admin => (None, None),
    };
    let sql = "INSERT INTO audit (at, actor_kind, actor_id, actor_email, action, subject, details)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = (now_ms(), actor.kind(), id, email, action, subject, details.to_string());
    rows.execute(sql, values)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{Account, Domain, NewAccount, Role};
    use crate::core::testing::{Home, Opened, on_each_engine};
    use crate::projects::SettingsChange;

    on_each_engine! {
        an_entry_tells_who_did_what_to_whom,
        what_was_refused_and_what_changed_nothing_has_no_entry,
        who_is_no_admin_any_more_does_nothing,
        admissions_are_in_it_and_secrets_are_not,
        pages_go_back_in_time,
    }

    struct Office {
        core: Core,
        ana: Account,
        bo: Account,
        _home: Home,
    }

    /// An instance with an admin and an editor.
    async fn office(Opened { core, home }: Opened) -> Office {
        let ana = core.create_first_account("ana@x.org".into(), "Ana".into());
        let ana = ana.await.unwrap();
        let new = NewAccount {
            email: "bo@x.org".into(),
            display_name: "Bo".into(),
            role: Role::Editor,
        };
        let bo = core.create_account(new).await.unwrap();
        Office {
            core,
            ana,
            bo,
            _home: home,
        }
    }

    fn by(account: &Account) -> Actor {
        Actor::Account {
            id: account.id.clone(),
            email: account.email.clone(),
            by_token: false,
        }
    }

    impl Office {
        /// The actions of all entries, oldest first.
        async fn actions(&self) -> Vec<String> {
            let entries = self.core.audit(None, MAX_PAGE).await.unwrap();
            entries.into_iter().rev().map(|entry| entry.action).collect()
        }
    }

    async fn an_entry_tells_who_did_what_to_whom(opened: Opened) {
        let office = office(opened).await;
        let (core, ana, bo) = (&office.core, &office.ana, &office.bo);
        core.set_role(&by(ana), &bo.id, Role::Viewer).await.unwrap();
        let entry = core.audit(None, 1).await.unwrap().remove(0);
        assert_eq!((entry.action.as_str(), &entry.subject), ("role-changed", &bo.id));
        assert_eq!(
            (entry.actor_kind.as_str(), entry.actor_id.as_ref()),
            ("session", Some(&ana.id))
        );
        assert_eq!(entry.actor_email.as_deref(), Some("ana@x.org"));
        let details: Value = serde_json::from_str(&entry.details).unwrap();
        assert_eq!(
            details,
            serde_json::json!({ "email": "bo@x.org", "from": "editor", "to": "viewer" })
        );
        assert!((0..10_000).contains(&(now_ms() - entry.at)));
    }

    async fn what_was_refused_and_what_changed_nothing_has_no_entry(opened: Opened) {
        let office = office(opened).await;
        let (core, ana, bo) = (&office.core, &office.ana, &office.bo);
        assert!(matches!(
            core.remove_account(&by(ana), &ana.id).await,
            Err(CoreError::LastAdmin)
        ));
        core.set_role(&by(ana), &bo.id, Role::Editor).await.unwrap();
        core.restore_account(&by(ana), &bo.id).await.unwrap();
        core.update_settings(&by(ana), SettingsChange::default()).await.unwrap();
        core.set_mail_server(&by(ana), None, || ()).await.unwrap();
        assert_eq!(office.actions().await, ["account-made"]);
    }

    async fn who_is_no_admin_any_more_does_nothing(opened: Opened) {
        let office = office(opened).await;
        let (core, ana, bo) = (&office.core, &office.ana, &office.bo);
        core.set_role(&by(ana), &bo.id, Role::Admin).await.unwrap();
        core.set_role(&by(bo), &ana.id, Role::Editor).await.unwrap();
        let ana = by(ana);
        let change = SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        };
        let domain = || Domain::parse("x.org").unwrap();
        let denied = [
            core.remove_account(&ana, &bo.id).await,
            core.update_settings(&ana, change).await.map(drop),
            core.put_domain_rule(&ana, domain(), Role::Admin).await.map(drop),
            core.create_invite(&ana, "eve@x.org".into(), Role::Admin)
                .await
                .map(drop),
            core.create_sign_in_link(&ana, &bo.id).await.map(drop),
            core.revoke_tokens_of(&ana, &bo.id).await.map(drop),
        ];
        for answer in denied {
            assert!(matches!(answer, Err(CoreError::Denied)), "{answer:?}");
        }
        assert!(!core.account(&bo.id).await.unwrap().unwrap().removed && !core.settings().allow_public_links);
        assert!(core.domain_rules().await.unwrap().is_empty() && core.invites().await.unwrap().is_empty());
        assert_eq!(office.actions().await, ["account-made", "role-changed", "role-changed"]);
    }

    async fn admissions_are_in_it_and_secrets_are_not(opened: Opened) {
        let office = office(opened).await;
        let (core, ana) = (&office.core, by(&office.ana));
        let (_, token) = core
            .create_invite(&ana, "eve@x.org".into(), Role::Viewer)
            .await
            .unwrap();
        core.redeem_invite(&token, None).await.unwrap();
        let (link, _) = core.create_sign_in_link(&ana, &office.bo.id).await.unwrap();
        assert_eq!(
            office.actions().await[1..],
            ["invite-made", "account-made", "sign-in-link-made"]
        );
        let entries = core.audit(None, MAX_PAGE).await.unwrap();
        let grounds: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.action == "account-made")
            .map(|entry| entry.details.as_str())
            .collect();
        assert!(
            grounds[0].contains("\"by\":\"invite\"") && grounds[1].contains("\"by\":\"operator\""),
            "{grounds:?}"
        );
        let said: String = entries.into_iter().map(|entry| entry.details).collect();
        assert!(!said.contains(&token) && !said.contains(&link));
    }

    async fn pages_go_back_in_time(opened: Opened) {
        let office = office(opened).await;
        let actor = by(&office.ana);
        for name in ["a.org", "b.org", "c.org"] {
            let domain = Domain::parse(name).unwrap();
            office.core.put_domain_rule(&actor, domain, Role::Viewer).await.unwrap();
        }
        let page = async |before, limit| -> Vec<(i64, String)> {
            let entries = office.core.audit(before, limit).await.unwrap();
            entries.into_iter().map(|entry| (entry.id, entry.subject)).collect()
        };
        let first = page(None, 2).await;
        assert_eq!((first[0].1.as_str(), first[1].1.as_str()), ("c.org", "b.org"));
        assert_eq!(page(Some(first[1].0), 1).await[0].1, "a.org");
        assert!(page(Some(1), 10).await.is_empty());
    }
}
