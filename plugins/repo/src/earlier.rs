//! Connections of an earlier version, which know their repository by its name only. Their ids are looked up at the code
//! host, at the start of the plugin and before a push is matched: from then on a renamed repository goes on, and a stranger
//! with its old name does nothing. Where that is impossible, the connection says so in `problem`.

use galley_sdk::prelude::*;
use galley_sdk::{attachments, events, info, warn};
use serde_json::{Value, json};

use crate::code_host::{self, Repository, View};
use crate::connection::Connection;
use crate::payload::RepositoryRef;

/// The event by which this plugin asks itself to look ids up: a start must not wait for the code host.
pub const LOOKUP: &str = "repo/repository-ids-wanted";
/// Most connections that are looked up at a time.
const MAX_LOOKUPS: usize = 10;

/// At the start: asks for the ids that are missing.
pub fn start() -> Result<()> {
    if code_host::is_configured() && !without_id(None)?.is_empty() {
        events::publish(LOOKUP, &json!({}))?;
    }
    Ok(())
}

/// Looks them up. A code host that does not answer is asked again before the next push, or at the next start.
pub fn look_up(_: Event<Value>) -> Result<()> {
    if identify(None)? == MAX_LOOKUPS {
        events::publish(LOOKUP, &json!({}))?;
    }
    Ok(())
}

/// Looks up the ids that are missing, of one installation's repositories or of all, and gives how many were settled.
pub fn identify(installation: Option<u64>) -> Result<usize> {
    let mut settled = 0;
    for (project, connection) in without_id(installation)?.into_iter().take(MAX_LOOKUPS) {
        match find(&connection) {
            Ok(found) => settle(&project, connection, found)?,
            Err(error) => {
                warn!(
                    "the repository of the project {project} could not be looked up: {}",
                    error.message()
                );
                break;
            }
        }
        settled += 1;
    }
    Ok(settled)
}

/// The connections that have no id and can still get one.
fn without_id(installation: Option<u64>) -> Result<Vec<(String, Connection)>> {
    let mut all = attachments::all::<Connection>()?;
    all.retain(|(_, connection)| {
        let is_asked_for = installation.is_none_or(|id| id == connection.installation_id);
        connection.repository_id.is_none() && connection.problem.is_none() && is_asked_for
    });
    Ok(all)
}

/// The repository that has the connection's name, or had it before it was renamed; `None` when the app reads none.
fn find(connection: &Connection) -> Result<Option<RepositoryRef>> {
    let Some(readable) = View::App.repositories(connection.installation_id)? else {
        return Ok(None);
    };
    let called = |repository: &&Repository| connection.is_called(&repository.full_name);
    if let Some(repository) = readable.iter().find(called) {
        return Ok(Some(reference(repository)));
    }
    let Some(id) = code_host::id_behind(connection.installation_id, &connection.owner, &connection.name)? else {
        return Ok(None);
    };
    // The name may lead to a stranger's public repository, which anybody can read.
    Ok(readable.iter().find(|repository| repository.id == id).map(reference))
}

fn reference(repository: &Repository) -> RepositoryRef {
    RepositoryRef {
        id: repository.id,
        full_name: repository.full_name.clone(),
    }
}

/// Writes down what was found, unless the connection was changed meanwhile.
fn settle(project: &str, mut connection: Connection, found: Option<RepositoryRef>) -> Result<()> {
    let now = attachments::all::<Connection>()?
        .into_iter()
        .find(|(id, _)| id == project);
    if now.is_none_or(|(_, now)| now != connection) {
        return Ok(());
    }
    if let Some(repository) = found {
        info!(
            "the project {project} is connected to the repository {} by its id now",
            repository.full_name
        );
        return connection.refresh(project, &repository, None);
    }
    let name = format!("{}/{}", connection.owner, connection.name);
    warn!("the project {project} has to be connected again: the code host shows this server no repository {name}");
    connection.problem = Some(format!(
        "The code host shows this server no repository {name}. If it was renamed or moved, connect the project to it again; \
         until then, pushes build nothing"
    ));
    match attachments::set(project, &connection) {
        Err(problem) if !problem.is("not-found") => Err(problem.into()),
        _ => Ok(()),
    }
}
