//! The mention directory of a project, and the routes `…/participants`.
//!
//! Signed-in authors are in it by themselves, as `active`. Somebody who was invited by email is `pending` until they write
//! something while signed in with that address, even when there is an account for it; the id stays the same, so that earlier
//! mentions stay valid. The directory is separate from the project's access list and gives nobody access.

use galley_sdk::people::{email, name};
use galley_sdk::prelude::*;
use galley_sdk::random;
use galley_sdk::sql::{Batch, Row};
use serde::{Deserialize, Serialize};

use crate::author::Author;
use crate::ids;
use crate::store::Store;
use crate::text::at_most;

/// The most participants one remark can mention.
const MAX_PARTICIPANTS: usize = 100;

/// A participant in the API's format.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Participant {
    id: String,
    display_name: String,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
}

impl Participant {
    fn from_row(row: &mut Row<'_, '_>) -> Result<Participant, Problem> {
        Ok(Participant {
            id: row.take()?,
            display_name: row.take()?,
            status: row.take()?,
            email: row.take()?,
        })
    }
}

/// The answer of the list.
#[derive(Debug, Serialize)]
pub struct List {
    participants: Vec<Participant>,
}

/// GET `…/participants`: `{ "participants": […] }`. An anonymous caller sees no email addresses.
pub fn list<S: Store>(project: ProjectId, caller: Caller) -> Result<Json<List>> {
    let rows = S::participants(&project, !caller.is_anonymous())?;
    Ok(Json(List {
        participants: rows.map(Participant::from_row).collect::<Result<_, _>>()?,
    }))
}

/// The body of an invitation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invite {
    email: String,
    display_name: Option<String>,
}

/// POST `…/participants`: 201 with the participant; 200 with the present one when the address is in the directory.
/// Without a name it is the part of the address before the `@`.
pub fn invite<S: Store>(project: ProjectId, Json(invite): Json<Invite>) -> Result<(Status, Json<Participant>)> {
    let email = email::parse(&invite.email).ok_or_else(|| Error::bad_request("`email` must be an email address"))?;
    let mut name = name::cleaned(&invite.display_name.unwrap_or_default());
    at_most("displayName", &name, name::MAX_NAME)?;
    if name.is_empty() {
        email.split('@').next().unwrap_or_default().clone_into(&mut name);
    }
    let id = format!("p_{}", random::id());
    let status = match S::invite(&project, &id, &email, &name)? {
        false => Status::OK,
        true => Status::CREATED,
    };
    let rows = S::participant(&project, &email)?;
    let found = rows.map(Participant::from_row).next().transpose()?;
    Ok((
        status,
        Json(found.ok_or_else(|| Error::conflict("The project is being deleted"))?),
    ))
}

/// Adds to a batch that the author of a remark is an active participant. A visitor is not, because they have no address.
pub(crate) fn enroll<S: Store>(batch: Batch, project: &ProjectId, author: &Author) -> Batch {
    match &author.email {
        Some(email) => S::enroll(batch, project, author, email),
        None => batch,
    }
}

/// The people a remark mentions.
pub(crate) struct Mentions {
    /// Their ids as they are stored: a JSON array.
    pub json: String,
    /// The ids of those who are told of it.
    pub tell: Vec<String>,
}

/// The ids of a remark's mentions that are participants of the project, each once, in the order they were given. Others are
/// dropped: the remark is posted without them. The person with the address `own` mentions themselves, and is not told.
pub(crate) fn mentions<S: Store>(project: &ProjectId, ids: Vec<String>, own: Option<&str>) -> Result<Mentions> {
    if ids.is_empty() {
        return Ok(Mentions {
            json: "[]".into(),
            tell: Vec::new(),
        });
    }
    let rows = S::known(project, &ids::keys(&ids))?;
    let known: Vec<(&str, &str)> = rows.all()?;
    if known.len() > MAX_PARTICIPANTS {
        return Err(Error::bad_request(format!(
            "`mentions` must name at most {MAX_PARTICIPANTS} participants"
        )));
    }
    let others = known.iter().filter(|(_, email)| own != Some(email));
    Ok(Mentions {
        tell: others.map(|(id, _)| (*id).to_owned()).collect(),
        json: serde_json::Value::from_iter(known.iter().map(|(id, _)| *id)).to_string(),
    })
}

/// The mentions of a remark that the caller changes; `None` when they stay. People who were mentioned before (`before` is what
/// is stored) were told then.
pub(crate) fn changed<S: Store>(
    project: &ProjectId,
    caller: &Caller,
    ids: Option<Vec<String>>,
    before: &str,
) -> Result<Option<Mentions>> {
    let Some(ids) = ids else { return Ok(None) };
    let own = caller.user.as_ref().map(|user| user.email.as_str());
    let mut mentions = mentions::<S>(project, ids, own)?;
    let before: Vec<String> = serde_json::from_str(before).unwrap_or_default();
    mentions.tell.retain(|id| !before.contains(id));
    Ok(Some(mentions))
}
