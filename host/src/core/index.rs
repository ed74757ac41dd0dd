//! Projects and access lists in memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::project::COLUMNS;
use super::{CoreError, Project};
use crate::storage::engine::Rows;

/// Rows of the database that every request may need.
#[derive(Default)]
pub(crate) struct Index {
    /// By id.
    pub projects: HashMap<String, Arc<Project>>,
    /// Ids by slug.
    pub by_slug: HashMap<String, String>,
    /// Accounts on each project's access list.
    pub listed: HashMap<String, HashSet<String>>,
    /// The values that plugins attached to each project, by slot.
    pub attachments: HashMap<String, BTreeMap<String, Arc<Value>>>,
}

/// The rows of one project.
pub(crate) struct Entry {
    project: Option<Arc<Project>>,
    listed: HashSet<String>,
    attachments: BTreeMap<String, Arc<Value>>,
}

impl Entry {
    /// Reads what there is of a project, which may be gone.
    pub fn load(rows: &mut Rows<'_>, id: &str) -> Result<Self, CoreError> {
        let sql = format!("SELECT {COLUMNS} FROM projects WHERE id = ?1");
        let project = rows.fetch_optional(&sql, [id], Project::from_row)?;
        let sql = "SELECT user_id FROM access_list WHERE project_id = ?1";
        let listed = rows.fetch_all(sql, [id], |row| row.get(0))?;
        let sql = "SELECT slot, value FROM attachments WHERE project_id = ?1";
        let attached = rows.fetch_all(sql, [id], |row| Ok((row.get(0)?, row.get::<String>(1)?)))?;
        Ok(Self {
            project: project.map(Arc::new),
            listed: listed.into_iter().collect(),
            attachments: attached.into_iter().map(|(slot, value)| (slot, json(&value))).collect(),
        })
    }
}

/// An attachment's value. Only JSON is written.
fn json(value: &str) -> Arc<Value> {
    Arc::new(serde_json::from_str(value).unwrap_or_default())
}

impl Index {
    pub fn load(rows: &mut Rows<'_>) -> Result<Self, CoreError> {
        let mut index = Self::default();
        let sql = format!("SELECT {COLUMNS} FROM projects");
        for project in rows.fetch_all(&sql, (), Project::from_row)? {
            index.put(Arc::new(project));
        }
        let sql = "SELECT project_id, user_id FROM access_list";
        for (project, user) in rows.fetch_all(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))? {
            index.listed.entry(project).or_default().insert(user);
        }
        let sql = "SELECT project_id, slot, value FROM attachments";
        let attached = rows.fetch_all(sql, (), |row| Ok((row.get(0)?, row.get(1)?, row.get::<String>(2)?)))?;
        for (project, slot, value) in attached {
            index.attachments.entry(project).or_default().insert(slot, json(&value));
        }
        Ok(index)
    }

    /// Stores a project's new state.
    pub fn put(&mut self, project: Arc<Project>) {
        self.by_slug.insert(project.slug.clone(), project.id.clone());
        self.projects.insert(project.id.clone(), project);
    }

    /// Takes what there is of a project now, in place of what was known.
    pub fn replace(&mut self, id: &str, entry: Entry) {
        self.remove(id);
        let Some(project) = entry.project else {
            return;
        };
        self.put(project);
        self.listed.insert(id.to_owned(), entry.listed);
        self.attachments.insert(id.to_owned(), entry.attachments);
    }

    pub fn remove(&mut self, id: &str) {
        if let Some(project) = self.projects.remove(id) {
            self.by_slug.remove(&project.slug);
        }
        self.listed.remove(id);
        self.attachments.remove(id);
    }
}
