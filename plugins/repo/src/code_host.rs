//! Requests to the code host. They are made for a person with the authorization that the person gave at sign-in, and for
//! the admin bearer, which has no account there, with the app's own credential.

use galley_sdk::outbound::{self, Credential, segment};
use galley_sdk::prelude::*;
use galley_sdk::{caller, settings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The most pages of a list that are read; one has a hundred entries.
const MAX_PAGES: u32 = 20;

/// An installation, as it stands in answers.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installation {
    pub id: u64,
    /// The login of the account it is on.
    pub account: String,
}

/// A repository, as it stands in answers.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Repository {
    /// Never changes, unlike the name. Not part of answers: whoever connects a repository names it.
    #[serde(skip)]
    pub id: u64,
    pub owner: String,
    pub name: String,
    pub full_name: String,
    pub private: bool,
    pub default_branch: String,
}

/// Whose credential requests to the code host are made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The caller's. A caller without an account there sees nothing.
    Person,
    /// The app's.
    App,
}

impl View {
    /// The view of the caller of this request.
    pub fn of(caller: &Caller) -> View {
        match caller.kind {
            caller::Kind::Admin => View::App,
            _ => View::Person,
        }
    }

    /// The repositories of an installation; `None` when there is none that can be seen.
    pub fn repositories(self, installation: u64) -> Result<Option<Vec<Repository>>> {
        let listed = match self {
            // The list of a person's installations is what counts, whatever the code host would answer below.
            View::Person if !sees(installation)? => return Ok(None),
            View::Person => {
                let path = format!("/user/installations/{installation}/repositories");
                pages::<Repositories>(&Credential::caller(), &path)?
            }
            View::App => pages::<Repositories>(&Credential::installation(installation), "/installation/repositories")?,
        };
        let Some(pages) = listed else { return Ok(None) };
        let all = pages.into_iter().flat_map(|page| page.repositories);
        Ok(Some(all.map(Repository::from).collect()))
    }
}

/// Whether this server has an app at all.
pub fn is_configured() -> bool {
    install_url().is_some()
}

/// Where somebody installs the app.
pub fn install_url() -> Option<String> {
    settings::get("codeHostInstallUrl")
}

/// The refusal of everything that needs the app.
pub fn unconfigured() -> Error {
    Error::unavailable("No app of a code host is configured on this deployment")
}

/// The installations the caller sees; `None` when the caller is not linked with the code host.
pub fn installations() -> Result<Option<Vec<Installation>>> {
    #[derive(Deserialize)]
    struct Page {
        installations: Vec<Entry>,
    }

    #[derive(Deserialize)]
    struct Entry {
        id: u64,
        account: Option<Account>,
    }

    let pages = pages::<Page>(&Credential::caller(), "/user/installations")?;
    let Some(pages) = pages else { return Ok(None) };
    let all = pages.into_iter().flat_map(|page| page.installations);
    let describe = |entry: Entry| Installation {
        id: entry.id,
        account: entry.account.map(|account| account.login).unwrap_or_default(),
    };
    Ok(Some(all.map(describe).collect()))
}

fn sees(installation: u64) -> Result<bool> {
    let visible = installations()?.unwrap_or_default();
    Ok(visible.iter().any(|one| one.id == installation))
}

/// The names of a repository's branches, as the caller sees them; `None` when there is no such repository.
pub fn branches(repository: &Repository) -> Result<Option<Vec<String>>> {
    #[derive(Deserialize)]
    struct Branch {
        name: String,
    }

    let (owner, name) = (segment(&repository.owner), segment(&repository.name));
    let pages = pages::<Vec<Branch>>(&Credential::caller(), &format!("/repos/{owner}/{name}/branches"))?;
    Ok(pages.map(|pages| pages.into_iter().flatten().map(|branch| branch.name).collect()))
}

/// The id of the repository that a name leads to, also when it has another one by now. `None` when it leads to nothing
/// that the app reads.
pub fn id_behind(installation: u64, owner: &str, name: &str) -> Result<Option<u64>> {
    let path = format!("/repos/{}/{}", segment(owner), segment(name));
    let answer = match outbound::get(&Credential::installation(installation), &path) {
        Ok(answer) => answer,
        Err(problem) if problem.is("not-found") => return Ok(None),
        Err(problem) => return Err(failed(problem)),
    };
    match answer.status {
        200 => Ok(Some(answer.json::<Listed>().map_err(failed)?.id)),
        403 if answer.header("x-ratelimit-remaining") == Some("0") => Err(later()),
        403 | 404 | 451 => Ok(None),
        _ => Err(unreachable()),
    }
}

#[derive(Deserialize)]
struct Account {
    login: String,
}

#[derive(Deserialize)]
struct Repositories {
    repositories: Vec<Listed>,
}

/// A repository, as the code host tells it.
#[derive(Deserialize)]
struct Listed {
    id: u64,
    name: String,
    owner: Account,
    private: Option<bool>,
    default_branch: Option<String>,
}

impl From<Listed> for Repository {
    fn from(listed: Listed) -> Repository {
        Repository {
            id: listed.id,
            full_name: format!("{}/{}", listed.owner.login, listed.name),
            owner: listed.owner.login,
            name: listed.name,
            // What is not said to be public is not shown as if it were.
            private: listed.private.unwrap_or(true),
            default_branch: listed.default_branch.unwrap_or_else(|| "main".to_owned()),
        }
    }
}

/// All pages of a list; `None` when there is no such list, or the credential has no owner there.
fn pages<P: DeserializeOwned>(credential: &Credential, path: &str) -> Result<Option<Vec<P>>> {
    let mut read = Vec::new();
    for page in 1..=MAX_PAGES {
        let answer = match outbound::get(credential, &format!("{path}?per_page=100&page={page}")) {
            Ok(answer) => answer,
            Err(problem) if problem.is("not-linked") || problem.is("not-found") => return Ok(None),
            Err(problem) => return Err(failed(problem)),
        };
        match answer.status {
            200 => {}
            403 if answer.header("x-ratelimit-remaining") == Some("0") => return Err(later()),
            // What one may not see is as good as missing.
            403 | 404 => return Ok(None),
            429 => return Err(later()),
            status => {
                galley_sdk::warn!("the code host answered {status} to {path}");
                return Err(unreachable());
            }
        }
        let more = answer.has_next_page();
        read.push(answer.json().map_err(failed)?);
        if !more {
            break;
        }
    }
    Ok(Some(read))
}

fn failed(problem: Problem) -> Error {
    match problem.code.as_str() {
        "unconfigured" => unconfigured(),
        "unreachable" => {
            galley_sdk::warn!("the code host cannot be asked: {}", problem.message);
            unreachable()
        }
        _ => problem.into(),
    }
}

fn unreachable() -> Error {
    Error::new(502, "The code host cannot be asked right now: try again in a moment")
}

fn later() -> Error {
    Error::new(
        502,
        "The code host takes no more questions for now: try again in some minutes",
    )
}
