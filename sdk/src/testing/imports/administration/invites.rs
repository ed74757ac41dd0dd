//! `galley:administration/invites`.

use serde_json::json;

use super::{administer, check_role, not_found, record};
use crate::administration::invites::Invite;
use crate::error::Problem;
use crate::people::email;
use crate::testing::problem;
use crate::testing::world::World;

const WEEK_MS: u64 = 7 * 24 * 3_600 * 1_000;

/// The invite as it is now, without its link.
fn seen(invite: &Invite, now: u64) -> Invite {
    let mut seen = invite.clone();
    if seen.state == "pending" && seen.expires_at <= now {
        seen.state = "expired".into();
    }
    seen
}

/// A fresh link for the invite at this place.
fn link(world: &mut World, at: usize, action: &str) -> Invite {
    world.made += 1;
    let url = format!("http://galley.test/api/v1/auth/invite/secret-{}", world.made);
    let (emailed, expires_at) = (world.mail_is_configured(), world.now_ms + WEEK_MS);
    let invite = &mut world.administration.invites[at];
    (invite.emailed, invite.expires_at) = (emailed, expires_at);
    let invite = Invite {
        url: Some(url),
        ..invite.clone()
    };
    record(world, action, &invite.id, json!({ "email": invite.email }));
    invite
}

/// Whether an address can be invited, apart from the invite `but`.
fn check(world: &World, email: &str, but: Option<&str>) -> Result<(), Problem> {
    match world.accounts.iter().find(|account| account.email == email) {
        Some(account) if account.removed => return problem("removed", "The account was removed."),
        Some(_) => return problem("has-account", "The address has an account."),
        None => {}
    }
    let mut others = world.administration.invites.iter();
    let pending = |invite: &Invite| seen(invite, world.now_ms).state == "pending";
    if others.any(|other| other.email == email && Some(other.id.as_str()) != but && pending(other)) {
        return problem("exists", "The address has an invitation that is pending.");
    }
    Ok(())
}

fn position(world: &World, id: &str) -> Option<usize> {
    world.administration.invites.iter().position(|invite| invite.id == id)
}

pub(crate) fn all() -> Result<Vec<Invite>, Problem> {
    administer(|world| {
        let invites = world.administration.invites.iter().rev();
        Ok(invites.map(|invite| seen(invite, world.now_ms)).collect())
    })
}

pub(crate) fn create(email: &str, role: &str) -> Result<Invite, Problem> {
    check_role(role)?;
    let Some(email) = email::parse(email) else {
        return problem("bad-email", "This is no email address.");
    };
    administer(|world| {
        check(world, &email, None)?;
        world.administration.invites.push(Invite {
            id: format!("i{}", world.administration.invites.len() + 1),
            email,
            role: role.into(),
            state: "pending".into(),
            created_at: world.now_ms,
            expires_at: 0,
            emailed: false,
            url: None,
        });
        Ok(link(world, world.administration.invites.len() - 1, "invite-made"))
    })
}

pub(crate) fn regenerate(id: &str) -> Result<Invite, Problem> {
    administer(|world| {
        let Some(at) = position(world, id) else {
            return not_found();
        };
        let invite = world.administration.invites[at].clone();
        if invite.state != "pending" {
            return problem("settled", "The invitation was used or revoked.");
        }
        check(world, &invite.email, Some(id))?;
        Ok(link(world, at, "invite-regenerated"))
    })
}

pub(crate) fn revoke(id: &str) -> Result<(), Problem> {
    administer(|world| {
        let Some(at) = position(world, id) else {
            return not_found();
        };
        let invite = &mut world.administration.invites[at];
        match invite.state.as_str() {
            "used" => return problem("settled", "The invitation was used or revoked."),
            "revoked" => return Ok(()),
            _ => invite.state = "revoked".into(),
        }
        record(world, "invite-revoked", id, json!({}));
        Ok(())
    })
}
