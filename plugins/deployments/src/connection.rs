//! The repository a project is connected to, as the slot `repo` attached it.

use galley_sdk::attachments;
use galley_sdk::builds::{Request, Source};
use galley_sdk::prelude::*;
use serde::Deserialize;

/// The slot that attaches it.
const SLOT: &str = "repo";

/// The parts of a connection that a build needs.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Connection {
    installation_id: u64,
    /// `None` in connections of earlier versions.
    #[serde(default)]
    pub(crate) repository_id: Option<u64>,
    owner: String,
    name: String,
    pub(crate) branch: String,
    #[serde(default)]
    install_command: Option<String>,
    #[serde(default)]
    build_command: Option<String>,
    #[serde(default)]
    output_dir: Option<String>,
}

impl Connection {
    /// The project's connection; `None` when it has none, or is gone.
    pub(crate) fn of(project: &str) -> Result<Option<Connection>> {
        match attachments::get(project, SLOT) {
            Err(problem) if problem.is("not-found") => Ok(None),
            connection => Ok(connection?),
        }
    }

    /// The build of one commit, or of the branch's newest.
    pub(crate) fn request(self, id: &str, project: &str, commit: Option<String>) -> Request {
        let source = Source {
            installation_id: self.installation_id,
            owner: self.owner,
            name: self.name,
            branch: self.branch,
            commit,
        };
        Request {
            install_command: self.install_command.unwrap_or_default(),
            build_command: self.build_command.unwrap_or_default(),
            output_dir: self.output_dir.unwrap_or_default(),
            ..Request::new(id, project, source)
        }
    }
}
