//! Invites: an address, the role its account will have, and a link that works for a week. Only the link's hash is
//! stored. At most one invite of an address can be redeemed at any time.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Account, Actor, Role, account, audit, mail};
use crate::core::{Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::{hash_secret, new_id, new_secret, now_ms};
use crate::storage::sqlite::StorageError;

/// How long an invite's link works.
pub const INVITE_LENGTH: Duration = Duration::from_secs(7 * 24 * 3600);

/// The state of an invite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InviteState {
    /// Its link works.
    Pending,
    /// Its link was redeemed.
    Used,
    /// An admin revoked it.
    Revoked,
    /// It was not used in time. A fresh link makes it pending again.
    Expired,
}

impl InviteState {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Used => "used",
            Self::Revoked => "revoked",
            Self::Expired => "expired",
        }
    }
}

/// One invite, without its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// Opaque.
    pub id: String,
    /// Trimmed and lower-case.
    pub email: String,
    /// What the account will be allowed to do.
    pub role: Role,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub expires_at: i64,
    /// The state at the time of the query.
    pub state: InviteState,
    /// Whether the mail server took the mail with the present link.
    pub emailed: bool,
}

/// The columns [`Invite::from_row`] reads.
const COLUMNS: &str =
    "id, email, role, created_at, expires_at, emailed_at IS NOT NULL, used_at IS NOT NULL, revoked_at IS NOT NULL";

impl Invite {
    fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        let (expires_at, used, revoked): (i64, bool, bool) = (row.get(4)?, row.get(6)?, row.get(7)?);
        let state = match (used, revoked) {
            (true, _) => InviteState::Used,
            (_, true) => InviteState::Revoked,
            _ if expires_at <= now_ms() => InviteState::Expired,
            _ => InviteState::Pending,
        };
        Ok(Self {
            id: row.get(0)?,
            email: row.get(1)?,
            role: row.get(2)?,
            created_at: row.get(3)?,
            expires_at,
            state,
            emailed: row.get(5)?,
        })
    }
}

impl Core {
    /// Invites an address, which must be trimmed and lower-case: the invite, and the plaintext of its link's token.
    /// [`CoreError::Exists`] when the address has a pending invite, [`CoreError::HasAccount`] when it needs none, and
    /// [`CoreError::Removed`] when its account has to be restored instead.
    pub async fn create_invite(&self, actor: &Actor, email: String, role: Role) -> Result<(Invite, String), CoreError> {
        let token = new_secret();
        let (actor, hash) = (actor.clone(), hash_secret(&token));
        let write = move |rows: &mut Rows<'_>| {
            check_invitable(rows, &email)?;
            let now = now_ms();
            let invite = Invite {
                id: new_id(),
                email: email.clone(),
                role,
                created_at: now,
                expires_at: now + INVITE_LENGTH.as_millis() as i64,
                state: InviteState::Pending,
                emailed: false,
            };
            audit::record(rows, &actor, "invite-made", &invite.id, about(&invite))?;
            let sql = "INSERT INTO invites (id, email, role, token_hash, created_at, expires_at)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let values = (&invite.id, &email, role, &hash, now, invite.expires_at);
            rows.execute(sql, values)?;
            Ok(invite)
        };
        let invite: Invite = self.database.write::<_, CoreError>(write).await?;
        Ok((invite, token))
    }

    /// Every invite in whatever state, newest first.
    pub async fn invites(&self) -> Result<Vec<Invite>, CoreError> {
        let sql = format!("SELECT {COLUMNS} FROM invites ORDER BY created_at DESC, id DESC");
        self.database
            .read(move |rows| Ok(rows.fetch_all(&sql, (), Invite::from_row)?))
            .await
    }

    /// Gives an invite a fresh link and a fresh week; the old link is dead, and an expired invite is pending again.
    /// [`CoreError::Settled`] for one that was used or revoked; otherwise it fails as [`Core::create_invite`] does.
    pub async fn regenerate_invite(&self, actor: &Actor, id: &str) -> Result<(Invite, String), CoreError> {
        let token = new_secret();
        let (actor, id, hash) = (actor.clone(), id.to_owned(), hash_secret(&token));
        let write = move |rows: &mut Rows<'_>| {
            let mut invite = find(rows, &id)?;
            match invite.state {
                InviteState::Used | InviteState::Revoked => return Err(CoreError::Settled),
                // Meanwhile the address may have been invited again.
                InviteState::Expired => check_invitable(rows, &invite.email)?,
                InviteState::Pending => check_account(rows, &invite.email)?,
            }
            audit::record(rows, &actor, "invite-regenerated", &id, about(&invite))?;
            invite.expires_at = now_ms() + INVITE_LENGTH.as_millis() as i64;
            invite.state = InviteState::Pending;
            invite.emailed = false;
            let sql = "UPDATE invites SET token_hash = ?2, expires_at = ?3, emailed_at = NULL WHERE id = ?1";
            rows.execute(sql, (&id, &hash, invite.expires_at))?;
            mail::forget_links(rows, &id)?;
            Ok(invite)
        };
        let invite: Invite = self.database.write(write).await?;
        Ok((invite, token))
    }

    /// Takes an invite back; doing so twice is fine. [`CoreError::Settled`] for one that was used.
    pub async fn revoke_invite(&self, actor: &Actor, id: &str) -> Result<(), CoreError> {
        let (actor, id) = (actor.clone(), id.to_owned());
        self.database
            .write(move |rows| {
                let invite = find(rows, &id)?;
                match invite.state {
                    InviteState::Used => return Err(CoreError::Settled),
                    InviteState::Revoked => return Ok(()),
                    InviteState::Pending | InviteState::Expired => {}
                }
                audit::record(rows, &actor, "invite-revoked", &id, about(&invite))?;
                rows.execute("UPDATE invites SET revoked_at = ?2 WHERE id = ?1", (&id, now_ms()))?;
                mail::forget_links(rows, &id)?;
                Ok(())
            })
            .await
    }

    /// Whether the mail server took the mail with the invite's present link.
    pub async fn is_emailed(&self, id: &str) -> Result<bool, CoreError> {
        let id = id.to_owned();
        let sql = "SELECT EXISTS (SELECT 1 FROM invites WHERE id = ?1 AND emailed_at IS NOT NULL)";
        self.database
            .read(move |rows| Ok(rows.fetch_one(sql, [&id], |row| row.get(0))?))
            .await
    }

    /// The pending invite whose link holds this token. Reading it does not redeem it.
    pub async fn invite_by_token(&self, token: &str) -> Result<Option<Invite>, CoreError> {
        let hash = hash_secret(token);
        self.database.read(move |rows| pending_by_hash(rows, &hash)).await
    }
}

/// The audit log's details of an invite.
fn about(invite: &Invite) -> Value {
    json!({ "email": invite.email, "role": invite.role.as_str() })
}

/// The pending invite of exactly this address.
pub(super) fn pending_for(rows: &mut Rows<'_>, email: &str) -> Result<Option<Invite>, CoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM invites
         WHERE email = ?1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?2"
    );
    Ok(rows.fetch_optional(&sql, (email, now_ms()), Invite::from_row)?)
}

/// Marks an invite as used.
pub(super) fn mark_used(rows: &mut Rows<'_>, id: &str) -> Result<(), CoreError> {
    let sql = "UPDATE invites SET used_at = coalesce(used_at, ?2) WHERE id = ?1";
    rows.execute(sql, (id, now_ms()))?;
    Ok(())
}

/// The pending invite whose link holds the token with this hash. Looked up by hash, so that the time of the look-up
/// reveals nothing about the token.
pub(super) fn pending_by_hash(rows: &mut Rows<'_>, hash: &str) -> Result<Option<Invite>, CoreError> {
    let sql = format!("SELECT {COLUMNS} FROM invites WHERE token_hash = ?1");
    let found = rows.fetch_optional(&sql, [hash], Invite::from_row)?;
    Ok(found.filter(|invite| invite.state == InviteState::Pending))
}

fn find(rows: &mut Rows<'_>, id: &str) -> Result<Invite, CoreError> {
    let sql = format!("SELECT {COLUMNS} FROM invites WHERE id = ?1");
    let found = rows.fetch_optional(&sql, [id], Invite::from_row)?;
    found.ok_or(CoreError::NotFound)
}

fn check_invitable(rows: &mut Rows<'_>, email: &str) -> Result<(), CoreError> {
    check_account(rows, email)?;
    match pending_for(rows, email)? {
        Some(_) => Err(CoreError::Exists),
        None => Ok(()),
    }
}

fn check_account(rows: &mut Rows<'_>, email: &str) -> Result<(), CoreError> {
    match account::with_email(rows, email)? {
        None => Ok(()),
        Some(Account { removed: true, .. }) => Err(CoreError::Removed),
        Some(_) => Err(CoreError::HasAccount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Admission;
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        an_address_has_one_pending_invite,
        a_fresh_link_ends_the_old_one,
        emailed_is_what_became_of_the_present_links_mail,
        what_is_settled_stays_so,
    }

    async fn with_an_admin(core: &Core) {
        let ana = core.create_first_account("ana@x.org".into(), "Ana".into());
        ana.await.unwrap();
    }

    async fn expire(core: &Core) {
        let write = |rows: &mut Rows<'_>| {
            rows.execute("UPDATE invites SET expires_at = ?1", [now_ms() - 1])?;
            Ok::<_, CoreError>(())
        };
        core.database.write(write).await.unwrap();
    }

    async fn an_address_has_one_pending_invite(Opened { core, .. }: Opened) {
        with_an_admin(&core).await;
        let invite = async |email: &str| core.create_invite(&Actor::System, email.into(), Role::Viewer).await;
        let (first, token) = invite("bo@x.org").await.unwrap();
        assert_eq!(first.expires_at - first.created_at, 7 * 24 * 3600 * 1000);
        assert_eq!(core.invite_by_token(&token).await.unwrap(), Some(first.clone()));
        assert!(matches!(invite("bo@x.org").await, Err(CoreError::Exists)));
        assert!(matches!(invite("ana@x.org").await, Err(CoreError::HasAccount)));
        expire(&core).await;
        assert_eq!(core.invite_by_token(&token).await.unwrap(), None);
        let (second, _) = invite("bo@x.org").await.unwrap();
        assert!(matches!(
            core.regenerate_invite(&Actor::System, &first.id).await,
            Err(CoreError::Exists)
        ));
        core.revoke_invite(&Actor::System, &second.id).await.unwrap();
        let states: Vec<_> = core.invites().await.unwrap().into_iter().map(|i| i.state).collect();
        assert_eq!(states, [InviteState::Revoked, InviteState::Expired]);
        assert_eq!(
            core.regenerate_invite(&Actor::System, &first.id).await.unwrap().0.state,
            InviteState::Pending
        );
    }

    async fn a_fresh_link_ends_the_old_one(Opened { core, .. }: Opened) {
        with_an_admin(&core).await;
        let (invite, old) = core
            .create_invite(&Actor::System, "bo@x.org".into(), Role::Editor)
            .await
            .unwrap();
        let (again, new) = core.regenerate_invite(&Actor::System, &invite.id).await.unwrap();
        assert!(!again.emailed);
        assert!(matches!(core.redeem_invite(&old, None).await, Err(CoreError::NotFound)));
        let admission = core.redeem_invite(&new, Some("Bo B.".into())).await.unwrap();
        let Admission::Admitted(account) = admission else {
            panic!()
        };
        assert_eq!((account.role, account.display_name.as_str()), (Role::Editor, "Bo B."));
        assert!(matches!(core.redeem_invite(&new, None).await, Err(CoreError::NotFound)));
    }

    async fn emailed_is_what_became_of_the_present_links_mail(Opened { core, .. }: Opened) {
        with_an_admin(&core).await;
        let (invite, _) = core
            .create_invite(&Actor::System, "bo@x.org".into(), Role::Viewer)
            .await
            .unwrap();
        let queue = async |key: &str| {
            let mail = mail::NewMail {
                key: key.into(),
                message_id: "<1@x.org>".into(),
                kind: mail::MailKind::Link,
                recipient: "bo@x.org".into(),
                invite: Some(invite.id.clone()),
                sender: None,
                sealed: vec![1],
                give_up_at: i64::MAX,
            };
            assert!(core.queue_mail(mail).await.unwrap());
        };
        let emailed = async || core.is_emailed(&invite.id).await.unwrap();
        queue("first").await;
        let first = core.due_mails(9).await.unwrap()[0].id;
        core.settle_mail(first, mail::MailOutcome::Later(0)).await.unwrap();
        assert!(!emailed().await, "while it waits");
        core.settle_mail(first, mail::MailOutcome::Sent).await.unwrap();
        assert!(emailed().await && core.invites().await.unwrap()[0].emailed);

        core.regenerate_invite(&Actor::System, &invite.id).await.unwrap();
        assert!(!emailed().await, "the fresh link");
        queue("second").await;
        let second = core.due_mails(9).await.unwrap()[0].id;
        core.regenerate_invite(&Actor::System, &invite.id).await.unwrap();
        assert!(core.due_mails(9).await.unwrap().is_empty(), "a dead link is not mailed");
        core.settle_mail(second, mail::MailOutcome::Sent).await.unwrap();
        assert!(!emailed().await, "it was under way when the link ended");

        queue("third").await;
        let third = core.due_mails(9).await.unwrap()[0].id;
        core.settle_mail(third, mail::MailOutcome::Dropped).await.unwrap();
        assert!(!emailed().await, "given up");
    }

    async fn what_is_settled_stays_so(Opened { core, .. }: Opened) {
        with_an_admin(&core).await;
        let (used, token) = core
            .create_invite(&Actor::System, "bo@x.org".into(), Role::Editor)
            .await
            .unwrap();
        core.redeem_invite(&token, None).await.unwrap();
        let (revoked, token) = core
            .create_invite(&Actor::System, "cy@x.org".into(), Role::Editor)
            .await
            .unwrap();
        core.revoke_invite(&Actor::System, &revoked.id).await.unwrap();
        core.revoke_invite(&Actor::System, &revoked.id).await.unwrap();
        assert!(matches!(
            core.redeem_invite(&token, None).await,
            Err(CoreError::NotFound)
        ));
        assert!(matches!(
            core.revoke_invite(&Actor::System, &used.id).await,
            Err(CoreError::Settled)
        ));
        for id in [&used.id, &revoked.id] {
            assert!(matches!(
                core.regenerate_invite(&Actor::System, id).await,
                Err(CoreError::Settled)
            ));
        }
        assert!(matches!(
            core.revoke_invite(&Actor::System, "none").await,
            Err(CoreError::NotFound)
        ));
        assert!(matches!(
            core.regenerate_invite(&Actor::System, "none").await,
            Err(CoreError::NotFound)
        ));
    }
}
