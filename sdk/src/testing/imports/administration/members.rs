//! `galley:administration/members`.

use serde_json::json;

use super::{administer, check_role, not_found, record};
use crate::accounts::Account;
use crate::administration::members::{Link, Member};
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{START_MS, World};

const DAY_MS: u64 = 24 * 3_600 * 1_000;

fn describe(account: &Account) -> Member {
    Member {
        id: account.id.clone(),
        email: account.email.clone(),
        name: account.name.clone(),
        role: account.role.clone(),
        removed: account.removed,
        created_at: START_MS,
    }
}

/// Changes an account, unless no active admin would remain; `action` is recorded when something changed.
fn change(id: &str, action: &str, change: impl FnOnce(&mut Account)) -> Result<Member, Problem> {
    administer(|world| {
        let Some(at) = position(world, id) else {
            return not_found();
        };
        let before = world.accounts[at].clone();
        change(&mut world.accounts[at]);
        let after = world.accounts[at].clone();
        let active_admin = |account: &Account| account.role == "admin" && !account.removed;
        if active_admin(&before) && !world.accounts.iter().any(active_admin) {
            world.accounts[at] = before;
            return problem("last-admin", "The instance needs at least one active admin.");
        }
        if (&after.role, after.removed) != (&before.role, before.removed) {
            record(world, action, id, json!({ "email": after.email }));
        }
        Ok(describe(&after))
    })
}

fn position(world: &World, id: &str) -> Option<usize> {
    world.accounts.iter().position(|account| account.id == id)
}

pub(crate) fn all() -> Result<Vec<Member>, Problem> {
    administer(|world| Ok(world.accounts.iter().map(describe).collect()))
}

pub(crate) fn set_role(id: &str, role: &str) -> Result<Member, Problem> {
    check_role(role)?;
    change(id, "role-changed", |account| account.role = role.into())
}

pub(crate) fn remove(id: &str) -> Result<(), Problem> {
    change(id, "account-removed", |account| account.removed = true).map(drop)
}

pub(crate) fn restore(id: &str) -> Result<Member, Problem> {
    change(id, "account-restored", |account| account.removed = false)
}

pub(crate) fn sign_in_link(id: &str) -> Result<Link, Problem> {
    administer(|world| match position(world, id) {
        None => not_found(),
        Some(at) if world.accounts[at].removed => problem("removed", "The account was removed; it can be restored."),
        Some(_) => {
            record(world, "sign-in-link-made", id, json!({}));
            world.made += 1;
            Ok(Link {
                url: format!("http://galley.test/api/v1/auth/signin/secret-{}", world.made),
                expires_at: world.now_ms + DAY_MS,
            })
        }
    })
}

/// Tokens are not a part of this world.
pub(crate) fn revoke_tokens(id: &str) -> Result<u32, Problem> {
    administer(|world| match position(world, id) {
        None => not_found(),
        Some(_) => {
            record(world, "tokens-revoked", id, json!({ "count": 0 }));
            Ok(0)
        }
    })
}
