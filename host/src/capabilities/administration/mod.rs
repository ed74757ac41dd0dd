//! `galley:administration`: the instance's accounts, invitations, rules, settings and audit log, for its admins. One file
//! for each interface.
//!
//! Each function checks whether the current caller may administer the instance, and passes the caller to the core as the
//! actor. In the transaction of the change the core checks that the actor is still an admin, and writes the audit log.

mod audit;
mod domain_rules;
mod instance_settings;
mod invites;
mod mail_server;
mod members;

use std::time::{Duration, Instant};

use wasmtime::component::{HasSelf, Linker};

use super::contract::galley::administration as a;
use super::{Problem, State, problem, unexpected};
use crate::accounts::{Actor, Role};
use crate::core::CoreError;
use crate::identity::access;

/// How long a function waits for the mail server.
const MAIL_TIMEOUT: Duration = Duration::from_secs(5);
/// What it leaves of the call's time.
const TIME_TO_ANSWER: Duration = Duration::from_millis(500);

/// Links the interfaces of the package.
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    type Own = HasSelf<State>;
    a::members::add_to_linker::<_, Own>(linker, |state| state)?;
    a::invites::add_to_linker::<_, Own>(linker, |state| state)?;
    a::domain_rules::add_to_linker::<_, Own>(linker, |state| state)?;
    a::instance_settings::add_to_linker::<_, Own>(linker, |state| state)?;
    a::mail_server::add_to_linker::<_, Own>(linker, |state| state)?;
    a::audit::add_to_linker::<_, Own>(linker, |state| state)
}

impl State {
    /// The current caller, if they may administer the instance. The host itself (`system`) may not.
    fn administrator(&self) -> Result<Actor, Problem> {
        let caller = &self.call.caller;
        access::instance_admin(caller).map_err(|refusal| problem("denied", refusal.message.into_owned()))?;
        caller.actor().ok_or_else(denied)
    }

    /// How long a function may wait for the mail server: the plugin must have time left to answer.
    fn mail_timeout(&self) -> Duration {
        let left = self.call.deadline.saturating_duration_since(Instant::now());
        left.saturating_sub(TIME_TO_ANSWER).min(MAIL_TIMEOUT)
    }
}

/// Begins a function of the package: the actor, or the refusal returned from the function that uses it.
macro_rules! administered {
    ($state:expr, $capability:ident) => {{
        $crate::capabilities::state::granted!($state, $capability);
        $crate::capabilities::state::or_problem!($state.administrator())
    }};
}
use administered;

fn denied() -> Problem {
    problem("denied", "Only admins may administer the instance")
}

fn role(text: &str) -> Result<Role, Problem> {
    Role::parse(text).ok_or_else(|| problem("bad-role", "A role is `viewer`, `editor` or `admin`."))
}

/// Converts a time or an id, which are never negative, to the contract's type.
fn unsigned(number: i64) -> u64 {
    number.try_into().unwrap_or(0)
}

/// The core's refusals in the contract's codes.
fn describe(error: CoreError) -> Problem {
    match error {
        CoreError::NotFound => problem("not-found", "There is no such thing."),
        CoreError::LastAdmin => problem("last-admin", "The instance needs at least one active admin."),
        CoreError::Exists => problem("exists", "The address has an invitation that is pending."),
        CoreError::HasAccount => problem("has-account", "The address has an account."),
        CoreError::Removed => problem("removed", "The account was removed; it can be restored."),
        CoreError::Settled => problem("settled", "The invitation was used or revoked."),
        CoreError::Denied => denied(),
        error => unexpected("the instance could not be administered", &error),
    }
}
