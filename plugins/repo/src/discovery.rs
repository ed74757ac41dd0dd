//! What there is to choose from at the code host: `/codehost/installations…`. Without an app every answer is
//! `{ "configured": false, … }`; an installation the caller does not see is the same 404 as a missing one.

use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::code_host::{self, Installation, Repository, View};
use crate::fields;

/// The answer of the first list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installations {
    configured: bool,
    /// Whether the caller signed in through the code host; without that there is nothing to see.
    linked: bool,
    /// Where the app is installed on further accounts; `null` without an app.
    install_url: Option<String>,
    installations: Vec<Installation>,
}

/// GET `/codehost/installations`.
pub fn installations() -> Result<Json<Installations>> {
    let install_url = code_host::install_url();
    let found = match install_url {
        Some(_) => code_host::installations()?,
        None => None,
    };
    Ok(Json(Installations {
        configured: install_url.is_some(),
        linked: found.is_some(),
        install_url,
        installations: found.unwrap_or_default(),
    }))
}

/// GET `/codehost/installations/{installation}/repos`.
pub fn repositories(Path(installation): Path<String>) -> Result<Json<Value>> {
    let repositories = if code_host::is_configured() {
        visible(&installation)?
    } else {
        Vec::new()
    };
    Ok(Json(
        json!({ "configured": code_host::is_configured(), "repos": repositories }),
    ))
}

/// The path of a repository.
#[derive(Debug, Deserialize)]
pub struct One {
    installation: String,
    owner: String,
    name: String,
}

/// GET `/codehost/installations/{installation}/repos/{owner}/{name}/branches`.
pub fn branches(Path(one): Path<One>) -> Result<Json<Value>> {
    if !code_host::is_configured() {
        return Ok(Json(json!({ "configured": false, "branches": [] })));
    }
    let meant = format!("{}/{}", one.owner, one.name);
    let repository = visible(&one.installation)?
        .into_iter()
        .find(|repository| repository.full_name.eq_ignore_ascii_case(&meant));
    let not_found = || Error::not_found("This installation has no such repository");
    let branches = code_host::branches(&repository.ok_or_else(not_found)?)?;
    Ok(Json(
        json!({ "configured": true, "branches": branches.ok_or_else(not_found)? }),
    ))
}

/// The repositories of an installation the caller sees. Every caller here is a person.
fn visible(installation: &str) -> Result<Vec<Repository>> {
    let found = match fields::number(installation) {
        Some(installation) => View::Person.repositories(installation)?,
        None => None,
    };
    found.ok_or_else(|| Error::not_found("Installation not found"))
}
