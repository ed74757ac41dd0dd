//! PUT and DELETE `/projects/{project}/repo`.

use galley_sdk::attachments;
use galley_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code_host::{self, View};
use crate::payload::RepositoryRef;
use crate::{delivery_log, fields};

/// What a project is built from. This is also what builders read, and what the project's record shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// The installation whose token opens the repository.
    pub installation_id: u64,
    /// The repository, whatever it is called. `None` for a connection of an earlier version until it was looked up.
    #[serde(default)]
    pub repository_id: Option<u64>,
    /// A label: what the code host called the owner when it last spoke of the repository.
    pub owner: String,
    /// A label, like the owner.
    pub name: String,
    pub branch: String,
    /// `null` for the builder's default.
    pub install_command: Option<String>,
    /// `null` for the builder's default.
    pub build_command: Option<String>,
    pub output_dir: String,
    /// Whether a push to the branch asks for a build.
    pub auto_deploy: bool,
    /// Why the connection does not work, and what to do about it; absent when it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Connection {
    /// Whether it is this repository. Names count only for a connection of an earlier version, which has no id yet, and
    /// within its installation.
    pub fn is_of(&self, repository: &RepositoryRef, installation: Option<u64>) -> bool {
        match self.repository_id {
            Some(id) => id == repository.id,
            None => {
                let is_its_own = installation.is_none_or(|id| id == self.installation_id);
                is_its_own && self.is_called(&repository.full_name)
            }
        }
    }

    /// Whether it has this name. The code host tells no letter cases apart.
    pub fn is_called(&self, full_name: &str) -> bool {
        full_name.split_once('/').is_some_and(|(owner, name)| {
            owner.eq_ignore_ascii_case(&self.owner) && name.eq_ignore_ascii_case(&self.name)
        })
    }

    /// Takes over what a delivery says of the connected repository: its id, its present name, and the installation it
    /// belongs to.
    pub fn refresh(&mut self, project: &str, repository: &RepositoryRef, installation: Option<u64>) -> Result<()> {
        let mut now = self.clone();
        now.repository_id = Some(repository.id);
        now.problem = None;
        if let Some((owner, name)) = repository.full_name.split_once('/') {
            (now.owner, now.name) = (owner.to_owned(), name.to_owned());
        }
        now.installation_id = installation.unwrap_or(now.installation_id);
        if now == *self {
            return Ok(());
        }
        *self = now;
        match attachments::set(project, self) {
            Err(problem) if !problem.is("not-found") => Err(problem.into()),
            _ => Ok(()),
        }
    }
}

/// The body of a connection. `owner` and `name` only tell which repository is meant.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionBody {
    installation_id: Value,
    owner: String,
    name: String,
    branch: Option<String>,
    install_command: Option<String>,
    build_command: Option<String>,
    output_dir: Option<String>,
    auto_deploy: Option<bool>,
}

/// PUT: 200 with the connection. Without a branch it is the repository's default one.
pub fn connect(project: ManagedProject, caller: Caller, Json(body): Json<ConnectionBody>) -> Result<Json<Connection>> {
    let installation = fields::installation(&body.installation_id)?;
    let branch = body.branch.as_deref().map(fields::branch).transpose()?;
    let install_command = fields::command("installCommand", body.install_command.as_deref())?;
    let build_command = fields::command("buildCommand", body.build_command.as_deref())?;
    let output_dir = fields::output_dir(body.output_dir.as_deref())?;
    if !code_host::is_configured() {
        return Err(code_host::unconfigured());
    }
    let repositories = View::of(&caller).repositories(installation)?;
    let repositories = repositories.ok_or_else(|| Error::not_found("Installation not found"))?;
    let meant = format!("{}/{}", body.owner, body.name);
    let repository = repositories
        .into_iter()
        .find(|repository| repository.full_name.eq_ignore_ascii_case(&meant))
        .ok_or_else(|| Error::not_found("This installation has no such repository"))?;
    let branch = match branch {
        Some(branch) => branch,
        // It goes the same ways as one that was typed.
        None => fields::branch(&repository.default_branch)?,
    };
    let connection = Connection {
        installation_id: installation,
        repository_id: Some(repository.id),
        owner: repository.owner,
        name: repository.name,
        branch,
        install_command,
        build_command,
        output_dir,
        auto_deploy: body.auto_deploy.unwrap_or(false),
        problem: None,
    };
    delivery_log::keep_only(&project, repository.id)?;
    attachments::set(&project, &connection)?;
    Ok(Json(connection))
}

/// DELETE: 204, also when nothing was connected.
pub fn disconnect(project: ManagedProject) -> Result<NoContent> {
    attachments::clear(&project)?;
    Ok(NoContent)
}
