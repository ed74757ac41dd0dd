//! `galley:administration`. The fake keeps the rules a plugin can meet: who may ask, which codes there are, one active
//! admin, one pending invitation of an address.

pub(crate) mod audit;
pub(crate) mod domain_rules;
pub(crate) mod instance_settings;
pub(crate) mod invites;
pub(crate) mod mail_server;
pub(crate) mod members;

use crate::bindings::galley::administration::audit::{Actor, Entry};
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, World};

/// Does something that only an admin may.
fn administer<T>(act: impl FnOnce(&mut World) -> Result<T, Problem>) -> Result<T, Problem> {
    world::with(|world| {
        let admin = world.caller.facts.require_instance_admin().is_ok();
        if !admin {
            return problem("denied", "Only admins may administer the instance");
        }
        act(world)
    })
}

/// Writes an entry of the audit log.
fn record(world: &mut World, action: &str, subject: &str, details: serde_json::Value) {
    let entry = Entry {
        id: world.administration.entries.len() as u64 + 1,
        at: world.now_ms,
        actor: Actor {
            kind: world.caller.described.kind.clone(),
            user_id: world.caller.described.user_id.clone(),
            email: world.caller.described.email.clone(),
        },
        action: action.into(),
        subject: subject.into(),
        details: details.to_string(),
    };
    world.administration.entries.push(entry);
}

fn check_role(role: &str) -> Result<(), Problem> {
    match role {
        "viewer" | "editor" | "admin" => Ok(()),
        _ => problem("bad-role", "A role is `viewer`, `editor` or `admin`."),
    }
}

fn not_found<T>() -> Result<T, Problem> {
    problem("not-found", "There is no such thing.")
}
