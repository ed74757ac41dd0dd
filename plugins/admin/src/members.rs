//! The accounts of the instance: the routes `…/instance/members`, and the tokens of an account.

use galley_sdk::administration::members::{self, Member};
use galley_sdk::clock;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::role::Role;

/// An account in the API's format.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    user_id: String,
    email: String,
    display_name: String,
    role: String,
    removed: bool,
    created_at: String,
}

impl From<Member> for Account {
    fn from(member: Member) -> Account {
        Account {
            user_id: member.id,
            email: member.email,
            display_name: member.name,
            role: member.role,
            removed: member.removed,
            created_at: clock::format(member.created_at),
        }
    }
}

/// The answer of the list.
#[derive(Debug, Serialize)]
pub struct List {
    members: Vec<Account>,
}

/// GET `…/members`: `{ "members": […] }`, removed accounts too, oldest first.
pub fn list() -> Result<Json<List>> {
    let members = members::all()?.into_iter().map(Account::from).collect();
    Ok(Json(List { members }))
}

/// The body of a change.
#[derive(Debug, Deserialize)]
pub struct Change {
    role: Role,
}

/// PATCH `…/members/{user}`: 200 with the account.
pub fn update(Path(user): Path<String>, Json(change): Json<Change>) -> Result<Json<Account>> {
    let member = members::set_role(&user, change.role.as_str()).map_err(refused)?;
    Ok(Json(member.into()))
}

/// DELETE `…/members/{user}`: 204, also for an account that was removed before.
pub fn remove(Path(user): Path<String>) -> Result<NoContent> {
    members::remove(&user).map_err(refused)?;
    Ok(NoContent)
}

/// POST `…/members/{user}/restore`: 200 with the account.
pub fn restore(Path(user): Path<String>) -> Result<Json<Account>> {
    let member = members::restore(&user).map_err(refused)?;
    Ok(Json(member.into()))
}

/// A one-time link in the API's format.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    url: String,
    expires_at: String,
}

/// POST `…/members/{user}/signin-link`: 201 with `{ "url", "expiresAt" }`. The link is not mailed: the admin hands it over.
pub fn sign_in_link(Path(user): Path<String>) -> Result<(Status, Json<Link>)> {
    let link = members::sign_in_link(&user).map_err(refused)?;
    let link = Link {
        url: link.url,
        expires_at: clock::format(link.expires_at),
    };
    Ok((Status::CREATED, Json(link)))
}

/// POST `…/users/{user}/tokens/revoke-all`: 204. A missing account gets the 404 of an unknown path, as do callers who may not
/// use the route.
pub fn revoke_tokens(Path(user): Path<String>) -> Result<NoContent> {
    match members::revoke_tokens(&user) {
        Ok(_) => Ok(NoContent),
        Err(problem) if problem.is("not-found") || problem.is("denied") => Err(Error::not_found("Not found")),
        Err(problem) => Err(problem.into()),
    }
}

fn refused(problem: Problem) -> Error {
    match problem.code.as_str() {
        "not-found" => Error::not_found("Member not found"),
        "last-admin" => Error::conflict("The instance needs at least one active admin"),
        "removed" => Error::conflict("This member was removed: restore them before making a sign-in link"),
        _ => problem.into(),
    }
}
