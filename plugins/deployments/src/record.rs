//! A deployment, as it is stored and in the API's format.

use galley_sdk::hash::HashMap;
use galley_sdk::prelude::*;
use galley_sdk::sql::{FromRow, Row};
use galley_sdk::{accounts, clock, sites};
use serde::Serialize;

use crate::cover::Cover;

/// The columns of [`Deployment`], in their order. The icon is a column or `NULL`: lists leave it out, because it is large.
macro_rules! deployments {
    ($icon:literal) => {
        concat!(
            "SELECT id, project_id, number, status, source, commit_sha, branch, created_at, finished_at, created_by, \
             file_count, size_bytes, title, colour, ",
            $icon,
            " FROM deployments "
        )
    };
}

/// A deployment.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deployment {
    pub(crate) deployment_id: String,
    project_id: String,
    /// 1, 2, … in its project; never given twice.
    pub(crate) number: u64,
    /// `building`, `ready` or `failed`.
    pub(crate) status: String,
    /// `upload` or `build`.
    source: String,
    commit_sha: Option<String>,
    branch: Option<String>,
    created_at: String,
    finished_at: Option<String>,
    created_by: Option<String>,
    /// The present name of that account.
    created_by_name: Option<String>,
    /// Whether it is the project's live version, which the host knows.
    pub(crate) active: bool,
    file_count: u64,
    size_bytes: u64,
    /// `None` for those made before covers were read, and while it is being built.
    cover: Option<Cover>,
}

impl<'r> FromRow<'r> for Deployment {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Deployment, Problem> {
        Ok(Deployment {
            deployment_id: row.take()?,
            project_id: row.take()?,
            number: row.take()?,
            status: row.take()?,
            source: row.take()?,
            commit_sha: row.take()?,
            branch: row.take()?,
            created_at: row.take()?,
            finished_at: row.take()?,
            created_by: row.take()?,
            created_by_name: None,
            active: false,
            file_count: row.take()?,
            size_bytes: row.take()?,
            cover: take_cover(row)?,
        })
    }
}

/// Title, colour and icon, the last columns of a row.
pub(crate) fn take_cover(row: &mut Row<'_, '_>) -> Result<Option<Cover>, Problem> {
    let cover = Cover {
        title: row.take()?,
        colour: row.take()?,
        icon: row.take()?,
    };
    Ok(cover.known())
}

impl Deployment {
    /// The deployments of a project, newest first: those with a number below `before`, at most `limit`.
    pub fn page(project: &str, before: u64, limit: u32) -> Result<Vec<Deployment>> {
        let sql = sql!(
            deployments!("NULL"),
            "WHERE project_id = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3"
        );
        // Numbers are SQLite's, which has no larger ones.
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        let mut deployments: Vec<Deployment> = sql::all(sql, params![project, before, limit])?;
        let live = live(project)?;
        let mut names = Names::default();
        for deployment in &mut deployments {
            deployment.active = live.as_ref() == Some(&deployment.deployment_id);
            deployment.created_by_name = names.of(deployment.created_by.as_deref());
        }
        Ok(deployments)
    }

    /// One deployment of a project; 404 when it is not there.
    pub fn find(project: &str, id: &str) -> Result<Deployment> {
        let sql = sql!(deployments!("icon"), "WHERE project_id = ?1 AND id = ?2");
        let mut deployment: Deployment = sql::one(sql, params![project, id])?.ok_or_else(not_found)?;
        deployment.active = live(project)?.as_deref() == Some(id);
        deployment.created_by_name = Names::default().of(deployment.created_by.as_deref());
        Ok(deployment)
    }
}

/// Names of accounts; each is asked for once.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, Option<String>>);

impl Names {
    /// The account's name; `None` where there is no account.
    pub(crate) fn of(&mut self, account: Option<&str>) -> Option<String> {
        let id = account?;
        if let Some(known) = self.0.get(id) {
            return known.clone();
        }
        // A name is worth no failure: the record is right without it.
        let name = accounts::get(id).ok().flatten().map(|account| account.name);
        self.0.insert(id.to_owned(), name.clone());
        name
    }
}

/// The facts about a deployment that are known when its record is made.
#[derive(Debug, Default)]
pub(crate) struct New<'a> {
    pub(crate) id: &'a str,
    pub(crate) project: &'a str,
    /// `upload` or `build`.
    pub(crate) source: &'a str,
    pub(crate) commit: Option<&'a str>,
    pub(crate) branch: Option<&'a str>,
    pub(crate) user: Option<&'a str>,
    pub(crate) delivery: Option<&'a str>,
    pub(crate) files: u32,
    pub(crate) bytes: u64,
    pub(crate) cover: Cover,
}

impl New<'_> {
    /// Records it as `building`, with the project's next number. False when there is a record of this id, which stays as it is.
    pub(crate) fn insert(&self) -> Result<bool, Problem> {
        let count = sql!(
            "INSERT INTO numbers (project_id, last) SELECT ?1, 1 WHERE NOT EXISTS (SELECT 1 FROM deployments WHERE id = ?2) \
             ON CONFLICT (project_id) DO UPDATE SET last = numbers.last + 1"
        );
        let insert = sql!(
            "INSERT INTO deployments (id, project_id, number, status, source, commit_sha, branch, created_at, created_by, \
             file_count, size_bytes, delivery, title, colour, icon) \
             SELECT ?1, ?2, last, 'building', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM numbers \
             WHERE project_id = ?2 ON CONFLICT (id) DO NOTHING RETURNING number"
        );
        let values = params![
            self.id,
            self.project,
            self.source,
            self.commit,
            self.branch,
            clock::now(),
            self.user,
            self.files,
            self.bytes as i64,
            self.delivery,
            self.cover.title.as_deref(),
            self.cover.colour.as_deref(),
            self.cover.icon.as_deref()
        ];
        let batch = sql::batch().step(count, params![self.project, self.id]);
        let rows = batch.step(insert, values).run()?;
        Ok(rows.last().is_some_and(|rows| !rows.is_empty()))
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

/// Whether the files of a deployment are a version of its project.
pub(crate) fn is_published(project: &str, id: &str) -> Result<bool> {
    match sites::versions(project) {
        Ok(versions) => Ok(versions.iter().any(|version| version.id == id)),
        Err(problem) if problem.is("not-found") => Ok(false),
        Err(problem) => Err(problem.into()),
    }
}

/// The same message as the guard's.
pub fn not_found() -> Error {
    Error::not_found("Deployment not found")
}
