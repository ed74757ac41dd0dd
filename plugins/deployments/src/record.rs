//! A deployment, as it is stored and in the API's format.

use galley_sdk::prelude::*;
use galley_sdk::sites;
use galley_sdk::sql::{FromRow, Row};
use serde::Serialize;

/// The columns of [`Deployment`], in their order.
macro_rules! deployments {
    () => {
        "SELECT id, project_id, status, source, commit_sha, branch, created_at, finished_at, created_by, file_count, \
         size_bytes FROM deployments "
    };
}

/// A deployment.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deployment {
    deployment_id: String,
    project_id: String,
    /// `building`, `ready` or `failed`.
    pub(crate) status: String,
    /// `upload` or `build`.
    source: String,
    commit_sha: Option<String>,
    branch: Option<String>,
    created_at: String,
    finished_at: Option<String>,
    created_by: Option<String>,
    /// Whether it is the project's live version, which the host knows.
    active: bool,
    file_count: u64,
    size_bytes: u64,
}

impl<'r> FromRow<'r> for Deployment {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Deployment, Problem> {
        Ok(Deployment {
            deployment_id: row.take()?,
            project_id: row.take()?,
            status: row.take()?,
            source: row.take()?,
            commit_sha: row.take()?,
            branch: row.take()?,
            created_at: row.take()?,
            finished_at: row.take()?,
            created_by: row.take()?,
            active: false,
            file_count: row.take()?,
            size_bytes: row.take()?,
        })
    }
}

impl Deployment {
    /// The deployments of a project, newest first.
    pub fn all(project: &str) -> Result<Vec<Deployment>> {
        let sql = sql!(deployments!(), "WHERE project_id = ?1 ORDER BY seq DESC");
        let mut deployments: Vec<Deployment> = sql::all(sql, params![project])?;
        let live = live(project)?;
        for deployment in &mut deployments {
            deployment.active = live.as_ref() == Some(&deployment.deployment_id);
        }
        Ok(deployments)
    }

    /// One deployment of a project; 404 when it is not there.
    pub fn find(project: &str, id: &str) -> Result<Deployment> {
        let sql = sql!(deployments!(), "WHERE project_id = ?1 AND id = ?2");
        let mut deployment: Deployment = sql::one(sql, params![project, id])?.ok_or_else(not_found)?;
        deployment.active = live(project)?.as_deref() == Some(id);
        Ok(deployment)
    }
}

/// The project's live version. The project may have been deleted since the guard admitted the request.
fn live(project: &str) -> Result<Option<String>> {
    sites::live(project).map_err(|problem| {
        if problem.is("not-found") {
            not_found()
        } else {
            problem.into()
        }
    })
}

/// The same message as the guard's.
pub fn not_found() -> Error {
    Error::not_found("Deployment not found")
}
