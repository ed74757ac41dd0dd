//! `galley:administration`. The fake keeps the rules a plugin can meet: who may ask, which codes there are, one active
//! admin, one pending invitation of an address.

pub(crate) mod audit;
pub(crate) mod domain_rules;
pub(crate) mod instance_settings;
pub(crate) mod invites;
pub(crate) mod mail_server;
pub(crate) mod members;

use crate::bindings::galley::administration::audit::{Actor, Entry};
use crate::bindings::galley::administration::domain_rules::Rule;
use crate::bindings::galley::administration::invites::Invite;
use crate::bindings::galley::administration::mail_server::Server;
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, World};

/// What there is to administer beside accounts and settings.
#[derive(Default)]
pub(crate) struct Administration {
    /// Oldest first; none of them is `expired`, which follows from the clock.
    invites: Vec<Invite>,
    rules: Vec<Rule>,
    mail: Option<Server>,
    /// Whether the mail server is set by the environment.
    pub(crate) mail_by_environment: bool,
    entries: Vec<Entry>,
}

/// Does something that only an admin may.
fn administer<T>(act: impl FnOnce(&mut World) -> Result<T, Problem>) -> Result<T, Problem> {
    world::with(|world| {
        let caller = &world.caller;
        let admin = caller.kind == "admin" || caller.role.as_deref() == Some("admin") && caller.can_write;
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
            kind: world.caller.kind.clone(),
            user_id: world.caller.user_id.clone(),
            email: world.caller.email.clone(),
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
