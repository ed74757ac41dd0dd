//! Admission: whether an authenticated person gets an account. The instance is invite-only, so authentication alone makes
//! none. An admission is one transaction of the one writer: two admissions never both find the instance empty.

use super::account::{self, NewAccount};
use super::identities::{self, Identity};
use super::{Account, Role, domain_rules, invites};
use crate::core::{Core, CoreError};
use crate::storage::engine::Rows;
use crate::storage::id::hash_secret;

/// What an authentication proved about a person.
#[derive(Debug, Clone)]
pub struct Verified {
    /// An address they receive mail at; trimmed and lower-case.
    pub email: String,
    /// The display name of a new account. Default: the part of the address before the `@`.
    pub display_name: Option<String>,
    /// Their identity at the service that authenticated them.
    pub identity: Option<Identity>,
}

/// The result of an admission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// The person is admitted, as this account.
    Admitted(Account),
    /// The person is refused, and no account was made.
    Refused,
}

/// The ground for an admission.
enum Ground {
    Account(Account),
    Invite {
        id: String,
        role: Role,
    },
    /// Another ground: the role of the new account, and the ground's name in the audit log.
    Role(Role, &'static str),
}

impl Core {
    /// Admits an authenticated person on the first ground that holds: an active account (by identity, then by
    /// address), a pending invite for exactly that address, being the operator at this machine, an instance without
    /// any account, a rule for the address's domain. The owner of a removed account is refused whatever else holds.
    pub async fn admit(&self, verified: Verified, as_operator: bool) -> Result<Admission, CoreError> {
        self.database.write(move |rows| run(rows, &verified, as_operator)).await
    }

    /// Redeems an invite's link, which proves that its holder owns the address. The account is made and the invite marked
    /// used in one transaction. [`CoreError::NotFound`] when the link does not work (any more); it is not spent
    /// when the owner is refused.
    pub async fn redeem_invite(&self, token: &str, display_name: Option<String>) -> Result<Admission, CoreError> {
        let hash = hash_secret(token);
        self.database
            .write(move |rows| {
                let invite = invites::pending_by_hash(rows, &hash)?.ok_or(CoreError::NotFound)?;
                let owner = Verified {
                    email: invite.email,
                    display_name: display_name.clone(),
                    identity: None,
                };
                let admission = run(rows, &owner, false)?;
                if matches!(admission, Admission::Admitted(_)) {
                    // Also for an account that came about by other means since the invite was made.
                    invites::mark_used(rows, &invite.id)?;
                }
                Ok(admission)
            })
            .await
    }
}

/// [`Core::admit`] as a part of a larger transaction.
pub(super) fn run(rows: &mut Rows<'_>, verified: &Verified, as_operator: bool) -> Result<Admission, CoreError> {
    let account = match ground(rows, verified, as_operator)? {
        None => return Ok(Admission::Refused),
        Some(Ground::Account(account)) => account,
        Some(Ground::Invite { id, role }) => {
            invites::mark_used(rows, &id)?;
            new_account(rows, verified, role, "invite")?
        }
        Some(Ground::Role(role, by)) => new_account(rows, verified, role, by)?,
    };
    if let Some(identity) = &verified.identity {
        identities::link(rows, identity, &account.id)?;
    }
    Ok(Admission::Admitted(account))
}

/// Whether [`run`] would admit a person who is not the operator.
pub(super) fn would_admit(rows: &mut Rows<'_>, verified: &Verified) -> Result<bool, CoreError> {
    Ok(ground(rows, verified, false)?.is_some())
}

/// The first ground that holds; the specification sets the order.
fn ground(rows: &mut Rows<'_>, verified: &Verified, as_operator: bool) -> Result<Option<Ground>, CoreError> {
    let known = match &verified.identity {
        Some(identity) => identities::account(rows, identity)?,
        None => None,
    };
    let known = match known {
        Some(account) => Some(account),
        None => account::with_email(rows, &verified.email)?,
    };
    if let Some(account) = known {
        return Ok((!account.removed).then_some(Ground::Account(account)));
    }
    if let Some(invite) = invites::pending_for(rows, &verified.email)? {
        let (id, role) = (invite.id, invite.role);
        return Ok(Some(Ground::Invite { id, role }));
    }
    if as_operator {
        return Ok(Some(Ground::Role(Role::Admin, "operator")));
    }
    if !account::any(rows)? {
        return Ok(Some(Ground::Role(Role::Admin, "first-sign-in")));
    }
    let rule = domain_rules::role_for(rows, &verified.email)?;
    Ok(rule.map(|role| Ground::Role(role, "domain-rule")))
}

fn new_account(rows: &mut Rows<'_>, verified: &Verified, role: Role, by: &str) -> Result<Account, CoreError> {
    let email = &verified.email;
    let first_part = email.split('@').next().unwrap_or(email);
    let new = NewAccount {
        email: email.clone(),
        display_name: verified.display_name.as_deref().unwrap_or(first_part).to_owned(),
        role,
    };
    account::admit(rows, &new, by)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::accounts::Actor;
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        the_first_of_a_new_instance_is_an_admin_and_the_next_is_a_stranger,
        two_at_once_do_not_both_become_the_first_admin,
        an_invite_goes_before_the_empty_instance_and_a_domain_rule,
        the_operator_is_an_admin_unless_the_address_is_known_or_invited,
        an_identity_counts_more_than_its_address,
        the_owner_of_a_removed_account_is_refused_whatever_else_holds,
    }

    fn verified(email: &str) -> Verified {
        Verified {
            email: email.into(),
            display_name: None,
            identity: None,
        }
    }

    fn known_as(email: &str, subject: &str, login: &str) -> Verified {
        Verified {
            identity: Some(Identity {
                provider: "codehost".into(),
                subject: subject.into(),
                login: login.into(),
            }),
            ..verified(email)
        }
    }

    async fn admitted(core: &Core, verified: Verified) -> Account {
        match core.admit(verified, false).await.unwrap() {
            Admission::Admitted(account) => account,
            Admission::Refused => panic!("refused"),
        }
    }

    async fn the_first_of_a_new_instance_is_an_admin_and_the_next_is_a_stranger(Opened { core, .. }: Opened) {
        let ana = admitted(&core, verified("ana@x.org")).await;
        assert_eq!((ana.role, ana.display_name.as_str()), (Role::Admin, "ana"));
        assert_eq!(
            core.admit(verified("bo@x.org"), false).await.unwrap(),
            Admission::Refused
        );
        assert_eq!(
            core.count_accounts().await.unwrap(),
            1,
            "no account is made for a stranger"
        );
        assert_eq!(admitted(&core, verified("ana@x.org")).await, ana);
    }

    async fn two_at_once_do_not_both_become_the_first_admin(Opened { core, .. }: Opened) {
        let core = Arc::new(core);
        let tries: Vec<_> = (0..16)
            .map(|number| {
                let core = core.clone();
                tokio::spawn(async move { core.admit(verified(&format!("p{number}@x.org")), false).await })
            })
            .collect();
        let mut admitted = 0;
        for attempt in tries {
            admitted += u32::from(attempt.await.unwrap().unwrap() != Admission::Refused);
        }
        assert_eq!((admitted, core.count_accounts().await.unwrap()), (1, 1));
    }

    async fn an_invite_goes_before_the_empty_instance_and_a_domain_rule(Opened { core, .. }: Opened) {
        core.copy_domains_once(vec!["x.org".into()]).await.unwrap();
        let (invite, _) = core
            .create_invite(&Actor::System, "ed@x.org".into(), Role::Editor)
            .await
            .unwrap();
        assert_eq!(admitted(&core, verified("ed@x.org")).await.role, Role::Editor);
        let used = core.invites().await.unwrap().remove(0);
        assert_eq!((used.id, used.state), (invite.id, invites::InviteState::Used));
        assert_eq!(admitted(&core, verified("vi@x.org")).await.role, Role::Viewer);
        assert_eq!(
            core.admit(verified("vi@sub.x.org"), false).await.unwrap(),
            Admission::Refused
        );
        assert_eq!(core.admit(verified("x.org"), false).await.unwrap(), Admission::Refused);
    }

    async fn the_operator_is_an_admin_unless_the_address_is_known_or_invited(Opened { core, .. }: Opened) {
        core.create_invite(&Actor::System, "vi@x.org".into(), Role::Viewer)
            .await
            .unwrap();
        for (email, role) in [
            ("vi@x.org", Role::Viewer),
            ("ana@x.org", Role::Admin),
            ("vi@x.org", Role::Viewer),
        ] {
            let Admission::Admitted(account) = core.admit(verified(email), true).await.unwrap() else {
                panic!("{email}")
            };
            assert_eq!(account.role, role, "{email}");
        }
    }

    async fn an_identity_counts_more_than_its_address(Opened { core, .. }: Opened) {
        let ana = admitted(&core, known_as("ana@x.org", "1", "ana")).await;
        core.create_invite(&Actor::System, "bo@x.org".into(), Role::Viewer)
            .await
            .unwrap();
        let bo = admitted(&core, verified("bo@x.org")).await;
        // Ana's address at the other service is Bo's now; she stays who she is, and so does her address here.
        assert_eq!(admitted(&core, known_as("bo@x.org", "1", "ana2")).await, ana);
        // An unknown identity with Bo's address is Bo, from now on whatever its address.
        assert_eq!(admitted(&core, known_as("bo@x.org", "2", "bo")).await, bo);
        assert_eq!(admitted(&core, known_as("new@y.org", "2", "bo")).await, bo);
    }

    async fn the_owner_of_a_removed_account_is_refused_whatever_else_holds(Opened { core, .. }: Opened) {
        core.copy_domains_once(vec!["x.org".into()]).await.unwrap();
        let (_, token) = core
            .create_invite(&Actor::System, "ana@x.org".into(), Role::Editor)
            .await
            .unwrap();
        // The account came about by other means than the invite, which is still pending.
        let account = NewAccount {
            email: "ana@x.org".into(),
            display_name: "Ana".into(),
            role: Role::Viewer,
        };
        core.create_account(account).await.unwrap();
        let ana = admitted(&core, known_as("ana@x.org", "1", "ana")).await;
        core.remove_account(&Actor::System, &ana.id).await.unwrap();
        for owner in [
            verified("ana@x.org"),
            known_as("ana@x.org", "9", "x"),
            known_as("b@x.org", "1", "ana"),
        ] {
            assert_eq!(core.admit(owner, true).await.unwrap(), Admission::Refused);
        }
        assert_eq!(core.redeem_invite(&token, None).await.unwrap(), Admission::Refused);
        assert!(
            core.invite_by_token(&token).await.unwrap().is_some(),
            "a refusal does not use the invite"
        );
        core.restore_account(&Actor::System, &ana.id).await.unwrap();
        assert!(matches!(
            core.redeem_invite(&token, None).await.unwrap(),
            Admission::Admitted(_)
        ));
        assert!(core.invite_by_token(&token).await.unwrap().is_none());
    }
}
