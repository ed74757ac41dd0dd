//! Attachments: one JSON value of each plugin for each project. They are held in memory too, because every project's
//! record shows them.

use std::sync::Arc;

use serde_json::Value;

use crate::core::{Core, CoreError, Subject};
use crate::storage::engine::Rows;

impl Core {
    /// The value a slot attached to a project.
    pub fn attachment(&self, project: &str, slot: &str) -> Option<Arc<Value>> {
        let index = self.memory.index.read();
        index.attachments.get(project)?.get(slot).cloned()
    }

    /// Everything that is attached to a project, with the slots' names.
    pub fn attachments(&self, project: &str) -> Vec<(String, Arc<Value>)> {
        let index = self.memory.index.read();
        let attached = index.attachments.get(project).into_iter().flatten();
        attached.map(|(slot, value)| (slot.clone(), value.clone())).collect()
    }

    /// What a slot attached to any project, ordered by the projects' ids.
    pub fn attachments_of(&self, slot: &str) -> Vec<(String, Arc<Value>)> {
        let index = self.memory.index.read();
        let all = index.attachments.iter();
        let mut found: Vec<_> = all
            .filter_map(|(project, attached)| Some((project.clone(), attached.get(slot)?.clone())))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    /// Sets the value a slot attached to a project; `None` deletes it. [`CoreError::NotFound`] when there
    /// is no such project.
    pub async fn attach(&self, project: &str, slot: &str, value: Option<Value>) -> Result<(), CoreError> {
        let (project, slot) = (project.to_owned(), slot.to_owned());
        let value = value.map(Arc::new);
        let write = {
            let (project, slot, value) = (project.clone(), slot.clone(), value.clone());
            move |rows: &mut Rows<'_>| {
                let sql = "SELECT EXISTS (SELECT 1 FROM projects WHERE id = ?1)";
                if !rows.fetch_one(sql, [&project], |row| row.get(0))? {
                    return Err(CoreError::NotFound);
                }
                match &value {
                    Some(value) => rows.execute(
                        "INSERT INTO attachments (project_id, slot, value) VALUES (?1, ?2, ?3)
                         ON CONFLICT (project_id, slot) DO UPDATE SET value = excluded.value",
                        (&project, &slot, value.to_string()),
                    )?,
                    None => rows.execute(
                        "DELETE FROM attachments WHERE project_id = ?1 AND slot = ?2",
                        (&project, &slot),
                    )?,
                };
                Ok(())
            }
        };
        let about = project.clone();
        self.change(
            write,
            move |&()| Subject::Project(about.clone()),
            move |memory, ()| {
                let mut index = memory.index.write();
                let attached = index.attachments.entry(project).or_default();
                match value {
                    Some(value) => attached.insert(slot, value),
                    None => attached.remove(&slot),
                };
            },
        )
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Access;
    use crate::core::testing::{Opened, on_each_engine};
    use crate::projects::NewProject;
    use serde_json::json;

    on_each_engine! {
        a_value_stays_until_it_is_taken_away_or_its_project_goes,
    }

    async fn a_value_stays_until_it_is_taken_away_or_its_project_goes(Opened { core, home }: Opened) {
        let new = NewProject {
            slug: "shop".into(),
            name: "Shop".into(),
            access: Access::AllMembers,
            listed: None,
        };
        let id = core.create_project(new).await.unwrap().id.clone();
        assert!(matches!(
            core.attach("nobody", "repo", Some(json!(1))).await,
            Err(CoreError::NotFound)
        ));
        core.attach(&id, "repo", Some(json!({ "name": "a" }))).await.unwrap();
        core.attach(&id, "other", Some(json!(2))).await.unwrap();
        core.attach(&id, "repo", Some(json!({ "name": "b" }))).await.unwrap();
        drop(core);

        let core = home.open().await.unwrap();
        assert_eq!(*core.attachment(&id, "repo").unwrap(), json!({ "name": "b" }));
        assert_eq!(core.attachments(&id).len(), 2);
        assert_eq!(core.attachments_of("other"), [(id.clone(), Arc::new(json!(2)))]);
        core.attach(&id, "other", None).await.unwrap();
        core.attach(&id, "other", None).await.unwrap();
        assert!(core.attachment(&id, "other").is_none());
        core.delete_project(&id).await.unwrap();
        assert!(core.attachments_of("repo").is_empty());
        drop(core);
        assert!(home.open().await.unwrap().attachments_of("repo").is_empty());
    }
}
