//! GET `/deployments/summary`: what lists of projects say of their deployments, in one answer.

use std::collections::BTreeMap;

use galley_sdk::hash::HashMap;
use galley_sdk::prelude::*;
use galley_sdk::projects::{self, Action};
use galley_sdk::sites;
use galley_sdk::sql::{FromRow, Row};
use serde::Serialize;

use crate::cover::Cover;
use crate::record::{Names, take_cover};

/// How many bytes of icons one answer holds. Those of further projects are left out.
const MAX_ICONS: usize = 2 << 20;

/// The answer.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// By the project's id.
    projects: BTreeMap<String, Project>,
}

/// One project.
#[derive(Debug, Serialize)]
struct Project {
    live: Option<Live>,
    /// The deployment that is being built.
    building: Option<String>,
    last: Option<Last>,
}

/// The live deployment.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Live {
    deployment_id: String,
    number: u64,
    /// When it was finished.
    at: Option<String>,
    by: Option<String>,
    by_name: Option<String>,
    cover: Option<Cover>,
}

impl<'r> FromRow<'r> for Live {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Live, Problem> {
        Ok(Live {
            deployment_id: row.take()?,
            number: row.take()?,
            at: row.take()?,
            by: row.take()?,
            by_name: None,
            cover: take_cover(row)?,
        })
    }
}

/// The newest deployment, whatever became of it.
#[derive(Debug, Serialize)]
struct Last {
    number: u64,
    at: String,
    status: String,
}

/// Of each project that the caller may read and that has deployments.
pub fn summary() -> Result<Json<Summary>> {
    let mut newest = newest()?;
    newest.retain(|(project, _)| projects::may(project, Action::Read));
    let mut building: HashMap<String, String> = building()?.into_iter().collect();
    let versions = live_versions(newest.iter().map(|(project, _)| project.as_str()))?;
    let mut live = live(versions.values())?;
    let projects = newest.into_iter().map(|(id, last)| {
        let described = Project {
            live: versions.get(&id).and_then(|version| live.remove(version)),
            building: building.remove(&id),
            last: Some(last),
        };
        (id, described)
    });
    Ok(Json(Summary {
        projects: projects.collect(),
    }))
}

/// The newest deployment of each project.
fn newest() -> Result<Vec<(String, Last)>> {
    let sql = sql!(
        "SELECT numbers.project_id, number, created_at, status FROM numbers JOIN deployments \
         ON deployments.project_id = numbers.project_id AND number = \
         (SELECT max(number) FROM deployments WHERE project_id = numbers.project_id)"
    );
    let rows: Vec<(String, u64, String, String)> = sql::all(sql, params![])?;
    let described = rows
        .into_iter()
        .map(|(project, number, at, status)| (project, Last { number, at, status }));
    Ok(described.collect())
}

/// The deployments that are being built, by their projects. A project builds one at a time.
fn building() -> Result<Vec<(String, String)>> {
    let sql = sql!("SELECT project_id, id FROM deployments WHERE status = 'building' ORDER BY seq");
    Ok(sql::all(sql, params![])?)
}

/// The live version of each project that has one, as the host knows it.
fn live_versions<'p>(projects: impl Iterator<Item = &'p str>) -> Result<HashMap<String, String>> {
    let mut versions = HashMap::default();
    for project in projects {
        match sites::live(project) {
            Ok(Some(version)) => drop(versions.insert(project.to_owned(), version)),
            Ok(None) => {}
            // It was deleted meanwhile.
            Err(problem) if problem.is("not-found") => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    Ok(versions)
}

/// The records of these deployments, by id.
fn live<'v>(versions: impl Iterator<Item = &'v String>) -> Result<HashMap<String, Live>> {
    // The keys of an object are what `json_each` answers alike in SQLite and in PostgreSQL.
    let wanted = versions.map(|version| (version.as_str(), 0));
    let wanted = serde_json::Value::from_iter(wanted).to_string();
    let sql = sql!(
        "SELECT id, number, finished_at, created_by, title, colour, icon FROM deployments \
         WHERE id IN (SELECT key FROM json_each(?1))"
    );
    let mut names = Names::default();
    let mut icons = 0;
    let mut found = HashMap::default();
    let mut rows = sql::all::<Live>(sql, params![wanted])?;
    // Which icons are left out does not change from one answer to the next.
    rows.sort_by(|one, other| one.deployment_id.cmp(&other.deployment_id));
    for mut live in rows {
        live.by_name = names.of(live.by.as_deref());
        if let Some(cover) = &mut live.cover {
            icons += cover.icon.as_ref().map_or(0, String::len);
            cover.icon = cover.icon.take().filter(|_| icons <= MAX_ICONS);
        }
        found.insert(live.deployment_id.clone(), live);
    }
    Ok(found)
}
