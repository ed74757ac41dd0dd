//! The access list of a project: who may read it while its access is `invited`.

use crate::accounts::{ACCOUNT_COLUMNS, Account};
use crate::core::{Core, CoreError, Subject};
use crate::storage::engine::Rows;
use crate::storage::id::now_ms;

impl Core {
    /// Whether the account is on the project's access list.
    pub fn is_listed(&self, project_id: &str, user_id: &str) -> bool {
        self.memory
            .index
            .read()
            .listed
            .get(project_id)
            .is_some_and(|users| users.contains(user_id))
    }

    /// The accounts on the list that are not removed, in the order they were added.
    pub async fn listed(&self, project_id: &str) -> Result<Vec<Account>, CoreError> {
        let sql = format!(
            "SELECT {ACCOUNT_COLUMNS} FROM access_list JOIN accounts ON accounts.id = user_id
             WHERE project_id = ?1 AND removed = 0 ORDER BY access_list.created_at, user_id"
        );
        let project = project_id.to_owned();
        self.database
            .read(move |rows| Ok(rows.fetch_all(&sql, [&project], Account::from_row)?))
            .await
    }

    /// Puts an account on the list; being there already is fine. [`CoreError::NotFound`] for a missing project.
    pub async fn add_listed(&self, project_id: &str, user_id: &str) -> Result<(), CoreError> {
        let (project, user) = (project_id.to_owned(), user_id.to_owned());
        let (listed_at, listed, about) = (project.clone(), user.clone(), project.clone());
        let write = move |rows: &mut Rows<'_>| {
            let sql = "SELECT EXISTS (SELECT 1 FROM projects WHERE id = ?1)";
            if !rows.fetch_one(sql, [&project], |row| row.get(0))? {
                return Err(CoreError::NotFound);
            }
            insert(rows, &project, &user)
        };
        self.change(
            write,
            move |&()| Subject::Project(about.clone()),
            move |memory, ()| {
                memory.index.write().listed.entry(listed_at).or_default().insert(listed);
            },
        )
        .await
    }

    /// Takes an account off the list. [`CoreError::NotFound`] when it is not on it.
    pub async fn remove_listed(&self, project_id: &str, user_id: &str) -> Result<(), CoreError> {
        let (project, user) = (project_id.to_owned(), user_id.to_owned());
        let (listed_at, listed, about) = (project.clone(), user.clone(), project.clone());
        let write = move |rows: &mut Rows<'_>| {
            let sql = "DELETE FROM access_list WHERE project_id = ?1 AND user_id = ?2";
            match rows.execute(sql, [&project, &user])? {
                0 => Err(CoreError::NotFound),
                _ => Ok(()),
            }
        };
        self.change(
            write,
            move |&()| Subject::Project(about.clone()),
            move |memory, ()| {
                if let Some(users) = memory.index.write().listed.get_mut(&listed_at) {
                    users.remove(&listed);
                }
            },
        )
        .await
    }
}

pub(super) fn insert(rows: &mut Rows<'_>, project_id: &str, user_id: &str) -> Result<(), CoreError> {
    let sql = "INSERT INTO access_list (project_id, user_id, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    rows.execute(sql, (project_id, user_id, now_ms()))?;
    Ok(())
}
