//! Links that sign a person in once: those an admin makes for an account, and those that are mailed to an address. Only
//! hashes of their tokens are stored, and a link that was redeemed is gone.

use std::time::Duration;

use serde_json::json;

use super::admit::{self, Admission, Verified};
use super::{Account, Actor, account, audit};
use crate::core::{Core, CoreError};
use crate::storage::engine::Rows;
use crate::storage::id::{hash_secret, new_secret, now_ms};

/// How long a link that an admin made works.
pub const SIGN_IN_LINK_LENGTH: Duration = Duration::from_secs(24 * 3600);
/// How long a mailed link works.
pub const MAGIC_LINK_LENGTH: Duration = Duration::from_secs(15 * 60);
/// The most links of one address that work at the same time, so that nobody can flood a mailbox.
const MAX_MAGIC_LINKS: u32 = 5;

/// Whom a link signs in.
enum Target {
    /// This account.
    Account(Account),
    /// The owner of this address.
    Mailbox(String),
}

impl Core {
    /// Makes a link for an account: the plaintext of its token, and until when it works in milliseconds since 1970. Each
    /// link works once, beside the others. [`CoreError::NotFound`] without such an account, [`CoreError::Removed`] when
    /// it was removed.
    pub async fn create_sign_in_link(&self, actor: &Actor, user_id: &str) -> Result<(String, i64), CoreError> {
        let token = new_secret();
        let (actor, hash, user) = (actor.clone(), hash_secret(&token), user_id.to_owned());
        let until = self
            .database
            .write(move |rows| {
                let account = account::with_id(rows, &user)?.ok_or(CoreError::NotFound)?;
                if account.removed {
                    return Err(CoreError::Removed);
                }
                let details = json!({ "email": account.email });
                audit::record(rows, &actor, "sign-in-link-made", &user, details)?;
                insert(rows, &hash, Some(&user), None, SIGN_IN_LINK_LENGTH)
            })
            .await?;
        Ok((token, until))
    }

    /// Makes a link to be mailed to an address: the plaintext of its token. `None` when the owner of the address would
    /// not be admitted, or when the address has the most links it may have.
    pub async fn create_magic_link(&self, email: String) -> Result<Option<String>, CoreError> {
        let token = new_secret();
        let hash = hash_secret(&token);
        let made = self
            .database
            .write(move |rows| {
                let owner = Verified {
                    email: email.clone(),
                    display_name: None,
                    identity: None,
                };
                let sql = "SELECT count(*) FROM sign_in_links WHERE email = ?1 AND expires_at > ?2";
                let live: u32 = rows.fetch_one(sql, (&email, now_ms()), |row| row.get(0))?;
                if live >= MAX_MAGIC_LINKS || !admit::would_admit(rows, &owner)? {
                    return Ok(false);
                }
                insert(rows, &hash, None, Some(&email), MAGIC_LINK_LENGTH)?;
                Ok::<_, CoreError>(true)
            })
            .await?;
        Ok(made.then_some(token))
    }

    /// The address a link signs in, while the link works. Reading it does not redeem it.
    pub async fn sign_in_link_email(&self, token: &str) -> Result<Option<String>, CoreError> {
        let hash = hash_secret(token);
        let found = self.database.read(move |rows| target(rows, &hash)).await?;
        Ok(found.map(|target| match target {
            Target::Account(account) => account.email,
            Target::Mailbox(email) => email,
        }))
    }

    /// Redeems a link, which stops working even if the sign-in is refused. A mailed link goes through admission.
    /// [`CoreError::NotFound`] when the link does not work (any more).
    pub async fn redeem_sign_in_link(&self, token: &str) -> Result<Admission, CoreError> {
        let hash = hash_secret(token);
        self.database
            .write(move |rows| {
                let target = target(rows, &hash)?.ok_or(CoreError::NotFound)?;
                rows.execute("DELETE FROM sign_in_links WHERE token_hash = ?1", [&hash])?;
                match target {
                    Target::Account(account) => Ok(Admission::Admitted(account)),
                    Target::Mailbox(email) => {
                        let owner = Verified {
                            email,
                            display_name: None,
                            identity: None,
                        };
                        admit::run(rows, &owner, false)
                    }
                }
            })
            .await
    }
}

fn insert(
    rows: &mut Rows<'_>,
    hash: &str,
    user_id: Option<&str>,
    email: Option<&str>,
    length: Duration,
) -> Result<i64, CoreError> {
    let now = now_ms();
    let until = now + length.as_millis() as i64;
    rows.execute("DELETE FROM sign_in_links WHERE expires_at <= ?1", [now])?;
    let sql = "INSERT INTO sign_in_links (token_hash, user_id, email, expires_at) VALUES (?1, ?2, ?3, ?4)";
    rows.execute(sql, (hash, user_id, email, until))?;
    Ok(until)
}

/// Looked up by hash, so that the time of the look-up reveals nothing about the token.
fn target(rows: &mut Rows<'_>, hash: &str) -> Result<Option<Target>, CoreError> {
    let sql = "SELECT user_id, email FROM sign_in_links WHERE token_hash = ?1 AND expires_at > ?2";
    let found = rows.fetch_optional(sql, (hash, now_ms()), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (user, email): (Option<String>, Option<String>) = match found {
        Some(found) => found,
        None => return Ok(None),
    };
    let account = match user {
        Some(user) => account::with_id(rows, &user)?.filter(|account| !account.removed),
        None => None,
    };
    Ok(account.map(Target::Account).or(email.map(Target::Mailbox)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        a_link_works_once,
        a_removed_account_has_no_links_and_gets_none_back,
        mail_goes_to_whom_admission_lets_in_and_not_without_end,
    }

    async fn ana(core: &Core) -> Account {
        let ana = core.create_first_account("ana@x.org".into(), "Ana".into());
        ana.await.unwrap()
    }

    async fn a_link_works_once(Opened { core, .. }: Opened) {
        let ana = ana(&core).await;
        let (one, other) = (
            core.create_sign_in_link(&Actor::System, &ana.id).await.unwrap().0,
            core.create_sign_in_link(&Actor::System, &ana.id).await.unwrap().0,
        );
        assert_eq!(
            core.sign_in_link_email(&one).await.unwrap().as_deref(),
            Some("ana@x.org")
        );
        for token in [&one, &other] {
            let admission = core.redeem_sign_in_link(token).await.unwrap();
            assert_eq!(admission, Admission::Admitted(ana.clone()));
            assert!(matches!(
                core.redeem_sign_in_link(token).await,
                Err(CoreError::NotFound)
            ));
            assert_eq!(core.sign_in_link_email(token).await.unwrap(), None);
        }
        assert!(matches!(
            core.create_sign_in_link(&Actor::System, "nobody").await,
            Err(CoreError::NotFound)
        ));
    }

    async fn a_removed_account_has_no_links_and_gets_none_back(Opened { core, .. }: Opened) {
        ana(&core).await;
        let (_, token) = core
            .create_invite(&Actor::System, "bo@x.org".into(), crate::accounts::Role::Viewer)
            .await
            .unwrap();
        let Admission::Admitted(bo) = core.redeem_invite(&token, None).await.unwrap() else {
            panic!()
        };
        let (token, _) = core.create_sign_in_link(&Actor::System, &bo.id).await.unwrap();
        let mailed = core.create_magic_link(bo.email.clone()).await.unwrap().unwrap();
        core.remove_account(&Actor::System, &bo.id).await.unwrap();
        assert!(matches!(
            core.create_sign_in_link(&Actor::System, &bo.id).await,
            Err(CoreError::Removed)
        ));
        assert_eq!(core.redeem_sign_in_link(&mailed).await.unwrap(), Admission::Refused);
        core.restore_account(&Actor::System, &bo.id).await.unwrap();
        for token in [token, mailed] {
            assert!(matches!(
                core.redeem_sign_in_link(&token).await,
                Err(CoreError::NotFound)
            ));
        }
    }

    async fn mail_goes_to_whom_admission_lets_in_and_not_without_end(Opened { core, .. }: Opened) {
        let ana = ana(&core).await;
        assert_eq!(core.create_magic_link("eve@x.org".into()).await.unwrap(), None);
        core.create_invite(&Actor::System, "bo@x.org".into(), crate::accounts::Role::Viewer)
            .await
            .unwrap();
        let token = core.create_magic_link("bo@x.org".into()).await.unwrap().unwrap();
        assert_eq!(
            core.count_accounts().await.unwrap(),
            1,
            "asking for a link makes no account"
        );
        let Admission::Admitted(bo) = core.redeem_sign_in_link(&token).await.unwrap() else {
            panic!()
        };
        assert_eq!(bo.email, "bo@x.org");
        for _ in 0..MAX_MAGIC_LINKS {
            assert!(core.create_magic_link(ana.email.clone()).await.unwrap().is_some());
        }
        assert_eq!(core.create_magic_link(ana.email).await.unwrap(), None);
    }
}
