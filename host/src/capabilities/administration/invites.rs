//! `galley:administration/invites`.

use super::a::invites::{Host, Invite};
use super::{administered, describe, role, unsigned};
use crate::capabilities::sql::or_problem;
use crate::capabilities::{Problem, State, problem};
use crate::identity::email;
use crate::storage::core;

impl From<core::Invite> for Invite {
    fn from(invite: core::Invite) -> Self {
        Self {
            id: invite.id,
            email: invite.email,
            role: invite.role.as_str().to_owned(),
            state: invite.state.as_str().to_owned(),
            created_at: unsigned(invite.created_at),
            expires_at: unsigned(invite.expires_at),
            emailed: invite.emailed,
            url: None,
        }
    }
}

impl State {
    /// An invite with the link that holds its token.
    fn with_link(&self, (invite, token): (core::Invite, String)) -> Invite {
        let url = format!("{}/api/v1/auth/invite/{token}", self.slot.services.config.public_url);
        Invite {
            url: Some(url),
            ..invite.into()
        }
    }
}

impl Host for State {
    fn all(&mut self) -> wasmtime::Result<Result<Vec<Invite>, Problem>> {
        administered!(self, Invites);
        let invites = self.slot.services.core.invites().map_err(describe);
        Ok(invites.map(|invites| invites.into_iter().map(Invite::from).collect()))
    }

    async fn create(&mut self, address: String, wanted: String) -> wasmtime::Result<Result<Invite, Problem>> {
        let actor = administered!(self, Invites);
        let role = or_problem!(role(&wanted));
        let Some(email) = email::parse(&address) else {
            return Ok(Err(problem("bad-email", "This is no email address.")));
        };
        let made = self.slot.services.core.create_invite(&actor, email, role).await;
        Ok(made.map(|made| self.with_link(made)).map_err(describe))
    }

    async fn regenerate(&mut self, id: String) -> wasmtime::Result<Result<Invite, Problem>> {
        let actor = administered!(self, Invites);
        let made = self.slot.services.core.regenerate_invite(&actor, &id).await;
        Ok(made.map(|made| self.with_link(made)).map_err(describe))
    }

    async fn revoke(&mut self, id: String) -> wasmtime::Result<Result<(), Problem>> {
        let actor = administered!(self, Invites);
        let revoked = self.slot.services.core.revoke_invite(&actor, &id).await;
        Ok(revoked.map_err(describe))
    }
}
