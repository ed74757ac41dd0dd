//! Invites: the routes `…/instance/invites`.

use galley_sdk::administration::invites::{self, Invite};
use galley_sdk::clock;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::role::Role;

/// An invite in the API's format.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: String,
    email: String,
    role: String,
    state: String,
    created_at: String,
    expires_at: String,
    emailed: bool,
    /// The link, only in the answer that makes it: nobody can read it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

impl From<Invite> for Record {
    fn from(invite: Invite) -> Record {
        Record {
            id: invite.id,
            email: invite.email,
            role: invite.role,
            state: invite.state,
            created_at: clock::format(invite.created_at),
            expires_at: clock::format(invite.expires_at),
            emailed: invite.emailed,
            url: invite.url,
        }
    }
}

/// The answer of the list.
#[derive(Debug, Serialize)]
pub struct List {
    invites: Vec<Record>,
}

/// GET `…/invites`: `{ "invites": […] }`, newest first, without links.
pub fn list() -> Result<Json<List>> {
    let invites = invites::all()?.into_iter().map(Record::from).collect();
    Ok(Json(List { invites }))
}

/// The body of an invitation.
#[derive(Debug, Deserialize)]
pub struct Invitation {
    email: String,
    role: Role,
}

/// POST `…/invites`: 201 with the invite and its link.
pub fn create(Json(invitation): Json<Invitation>) -> Result<(Status, Json<Record>)> {
    let invite = invites::create(&invitation.email, invitation.role.as_str()).map_err(refused)?;
    Ok((Status::CREATED, Json(invite.into())))
}

/// POST `…/invites/{invite}/regenerate`: 200 with the invite and its fresh link.
pub fn regenerate(Path(invite): Path<String>) -> Result<Json<Record>> {
    let invite = invites::regenerate(&invite).map_err(refused)?;
    Ok(Json(invite.into()))
}

/// DELETE `…/invites/{invite}`: 204, also for an invite that was revoked before.
pub fn revoke(Path(invite): Path<String>) -> Result<NoContent> {
    invites::revoke(&invite).map_err(refused)?;
    Ok(NoContent)
}

fn refused(problem: Problem) -> Error {
    match problem.code.as_str() {
        "not-found" => Error::not_found("Invite not found"),
        "bad-email" => Error::bad_request("`email` must be an email address"),
        "exists" => Error::conflict("This address has an unexpired invite: regenerate or revoke it"),
        "has-account" => Error::conflict("This address has an account on this instance"),
        "removed" => Error::conflict("This address has a removed account on this instance: restore it instead"),
        "settled" => Error::conflict("This invite was used or revoked: make a new one"),
        _ => problem.into(),
    }
}
