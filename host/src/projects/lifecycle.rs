//! Reading and changing projects.

use std::sync::Arc;

use super::{access_list, builds};
use crate::core::{Access, Core, CoreError, PROJECT_COLUMNS, Project, Subject, outbox};
use crate::storage::engine::Rows;
use crate::storage::id::{new_id, now_ms};

/// How many suffixes are tried for a slug that is taken.
const MAX_SUFFIXES: u32 = 50;
/// The longest slug, in characters.
pub const MAX_SLUG: usize = 63;

/// What a new project needs.
#[derive(Debug, Clone)]
pub struct NewProject {
    /// A slug that is well formed; taken ones get a suffix.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// Who may read it.
    pub access: Access,
    /// An account that goes on its access list in the same step.
    pub listed: Option<String>,
}

/// Fields to change; `None` leaves a field as it is.
#[derive(Debug, Clone, Default)]
pub struct ProjectChange {
    /// Its name for people.
    pub name: Option<String>,
    /// Its source; the inner `None` clears it.
    pub repo_url: Option<Option<String>>,
    /// Who may read it.
    pub access: Option<Access>,
}

impl Core {
    /// The project with this id.
    pub fn project(&self, id: &str) -> Option<Arc<Project>> {
        self.memory.index.read().projects.get(id).cloned()
    }

    /// The project with this slug.
    pub fn project_by_slug(&self, slug: &str) -> Option<Arc<Project>> {
        let index = self.memory.index.read();
        index.projects.get(index.by_slug.get(slug)?).cloned()
    }

    /// Every project, oldest first.
    pub fn projects(&self) -> Vec<Arc<Project>> {
        let mut all: Vec<_> = self.memory.index.read().projects.values().cloned().collect();
        all.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        all
    }

    /// Makes a project. A taken slug gets the first free suffix of 50 (`-2`, `-3`, …), else [`CoreError::TooMany`].
    pub async fn create_project(&self, new: NewProject) -> Result<Arc<Project>, CoreError> {
        let now = now_ms();
        let listed = new.listed.clone();
        let write = move |rows: &mut Rows<'_>| {
            let mut project = Project {
                id: new_id(),
                slug: new.slug.clone(),
                name: new.name.clone(),
                repo_url: None,
                access: new.access,
                live_version: None,
                created_at: now,
                updated_at: now,
            };
            for attempt in 0..=MAX_SUFFIXES {
                project.slug = suffixed(&new.slug, attempt);
                if insert(rows, &project)? {
                    if let Some(user) = &new.listed {
                        access_list::insert(rows, &project.id, user)?;
                    }
                    return Ok(Arc::new(project));
                }
            }
            Err(CoreError::TooMany)
        };
        self.change(
            write,
            |project| Subject::Project(project.id.clone()),
            move |memory, project| {
                let mut index = memory.index.write();
                index.put(project.clone());
                if let Some(user) = listed {
                    index.listed.entry(project.id.clone()).or_default().insert(user);
                }
            },
        )
        .await
    }

    /// Changes a project. [`CoreError::NotFound`].
    pub async fn update_project(&self, id: &str, change: ProjectChange) -> Result<Arc<Project>, CoreError> {
        self.change_project(id, move |rows, id| {
            let now = now_ms();
            if let Some(name) = &change.name {
                rows.execute("UPDATE projects SET name = ?2 WHERE id = ?1", (id, name))?;
            }
            if let Some(repo_url) = &change.repo_url {
                rows.execute("UPDATE projects SET repo_url = ?2 WHERE id = ?1", (id, repo_url))?;
            }
            if let Some(access) = change.access {
                rows.execute("UPDATE projects SET access = ?2 WHERE id = ?1", (id, access))?;
            }
            rows.execute("UPDATE projects SET updated_at = ?2 WHERE id = ?1", (id, now))?;
            Ok(())
        })
        .await
    }

    /// Runs a change of one project and takes its new row into memory.
    pub(super) async fn change_project(
        &self,
        id: &str,
        change: impl Fn(&mut Rows<'_>, &str) -> Result<(), CoreError> + Send + 'static,
    ) -> Result<Arc<Project>, CoreError> {
        let id = id.to_owned();
        let write = move |rows: &mut Rows<'_>| {
            change(rows, &id)?;
            let sql = format!("SELECT {PROJECT_COLUMNS} FROM projects WHERE id = ?1");
            let project = rows.fetch_optional(&sql, [&id], Project::from_row)?;
            project.map(Arc::new).ok_or(CoreError::NotFound)
        };
        self.change(
            write,
            |project| Subject::Project(project.id.clone()),
            |memory, project| memory.index.write().put(project.clone()),
        )
        .await
    }

    /// Deletes a project with all the host keeps of it, and publishes `project-deleted` in the same step. The files of
    /// its versions are the caller's to delete. [`CoreError::NotFound`]; [`CoreError::Building`] while a build of it is
    /// queued or running.
    pub async fn delete_project(&self, id: &str) -> Result<(), CoreError> {
        let (id, gone, about) = (id.to_owned(), id.to_owned(), id.to_owned());
        let write = move |rows: &mut Rows<'_>| {
            if builds::running(rows, &id)?.is_some() {
                return Err(CoreError::Building);
            }
            if rows.execute("DELETE FROM projects WHERE id = ?1", [&id])? == 0 {
                return Err(CoreError::NotFound);
            }
            let data = serde_json::json!({ "projectId": id }).to_string();
            outbox::insert(rows, "project-deleted", &data)
        };
        self.change(
            write,
            move |&()| Subject::Project(about.clone()),
            move |memory, ()| {
                memory.index.write().remove(&gone);
                memory.published.notify_waiters();
            },
        )
        .await
    }
}

/// Whether the row was stored; not when the slug is taken.
fn insert(rows: &mut Rows<'_>, project: &Project) -> Result<bool, CoreError> {
    let sql = "INSERT INTO projects (id, slug, name, repo_url, access, live_version, created_at, updated_at)
               VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?6) ON CONFLICT (slug) DO NOTHING";
    let values = (
        &project.id,
        &project.slug,
        &project.name,
        &project.repo_url,
        project.access,
        project.created_at,
    );
    Ok(rows.execute(sql, values)? > 0)
}

/// The slug of one attempt: first the requested one, then with `-2`, `-3`, …, cut to [`MAX_SLUG`] characters.
fn suffixed(slug: &str, attempt: u32) -> String {
    if attempt == 0 {
        return slug.to_owned();
    }
    let suffix = format!("-{}", attempt + 1);
    let stem = &slug[..slug.len().min(MAX_SLUG - suffix.len())];
    format!("{}{suffix}", stem.trim_end_matches('-'))
}
