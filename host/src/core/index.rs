//! Projects and access lists in memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rusqlite::Connection;
use serde_json::Value;

use super::{CoreError, Project};

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

impl Index {
    pub fn load(connection: &Connection) -> Result<Self, CoreError> {
        let mut index = Self::default();
        let mut statement = connection.prepare("SELECT * FROM projects")?;
        for project in statement.query_map([], Project::from_row)? {
            index.put(Arc::new(project?));
        }
        let mut statement = connection.prepare("SELECT project_id, user_id FROM access_list")?;
        for row in statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))? {
            let (project, user) = row?;
            index.listed.entry(project).or_default().insert(user);
        }
        let mut statement = connection.prepare("SELECT project_id, slot, value FROM attachments")?;
        for row in statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))? {
            let (project, slot, value): (String, String, String) = row?;
            // Only JSON is written.
            let value = serde_json::from_str(&value).unwrap_or_default();
            index
                .attachments
                .entry(project)
                .or_default()
                .insert(slot, Arc::new(value));
        }
        Ok(index)
    }

    /// Stores a project's new state.
    pub fn put(&mut self, project: Arc<Project>) {
        self.by_slug.insert(project.slug.clone(), project.id.clone());
        self.projects.insert(project.id.clone(), project);
    }

    pub fn remove(&mut self, id: &str) {
        if let Some(project) = self.projects.remove(id) {
            self.by_slug.remove(&project.slug);
        }
        self.listed.remove(id);
        self.attachments.remove(id);
    }
}
