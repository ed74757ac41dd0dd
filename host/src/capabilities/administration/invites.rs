//! `galley:administration/invites`.

use std::time::Duration;

use galley_people::email;

use super::a::invites::{Host, Invite};
use super::{administered, describe, role, unsigned};
use crate::accounts;
use crate::capabilities::state::or_problem;
use crate::capabilities::{Problem, Services, State, problem};
use crate::identity::Caller;
use crate::mail::Invitation;

impl From<accounts::Invite> for Invite {
    fn from(invite: accounts::Invite) -> Self {
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

/// The invite with the link that holds its token, which is mailed when there is a mail server; waits at most `timeout`
/// for that. A mail that cannot be queued takes nothing back: the admin has the link.
async fn handed_out(
    services: &Services,
    by: &Caller,
    (mut invite, token): (accounts::Invite, String),
    timeout: Duration,
) -> Invite {
    let url = format!("{}/api/v1/auth/invite/{token}", services.config.public_url);
    let invitation = Invitation {
        invite: &invite.id,
        to: &invite.email,
        url: &url,
        by: by.account().map(|account| account.display_name.as_str()),
    };
    let emailed = match services.mail.is_configured() {
        true => services.mail.invite(&invitation, timeout).await,
        false => Ok(false),
    };
    invite.emailed = emailed.unwrap_or_else(|error| {
        tracing::warn!(invite = invite.id, "an invite could not be mailed: {error}");
        false
    });
    Invite {
        url: Some(url),
        ..invite.into()
    }
}

impl Host for State {
    async fn all(&mut self) -> wasmtime::Result<Result<Vec<Invite>, Problem>> {
        administered!(self, Invites);
        let invites = self.slot.services.core.invites().await.map_err(describe);
        Ok(invites.map(|invites| invites.into_iter().map(Invite::from).collect()))
    }

    async fn create(&mut self, address: String, wanted: String) -> wasmtime::Result<Result<Invite, Problem>> {
        let actor = administered!(self, Invites);
        let role = or_problem!(role(&wanted));
        let Some(email) = email::parse(&address) else {
            return Ok(Err(problem("bad-email", "This is no email address.")));
        };
        let made = self.slot.services.core.create_invite(&actor, email, role).await;
        let made = or_problem!(made.map_err(describe));
        let timeout = self.mail_timeout();
        Ok(Ok(
            handed_out(&self.slot.services, &self.call.caller, made, timeout).await
        ))
    }

    async fn regenerate(&mut self, id: String) -> wasmtime::Result<Result<Invite, Problem>> {
        let actor = administered!(self, Invites);
        let made = self.slot.services.core.regenerate_invite(&actor, &id).await;
        let made = or_problem!(made.map_err(describe));
        let timeout = self.mail_timeout();
        Ok(Ok(
            handed_out(&self.slot.services, &self.call.caller, made, timeout).await
        ))
    }

    async fn revoke(&mut self, id: String) -> wasmtime::Result<Result<(), Problem>> {
        let actor = administered!(self, Invites);
        let revoked = self.slot.services.core.revoke_invite(&actor, &id).await;
        Ok(revoked.map_err(describe))
    }
}
