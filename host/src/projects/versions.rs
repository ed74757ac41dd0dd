//! The stored versions of a project and the pointer to the live one.

use crate::core::{Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::sqlite::StorageError;

/// A stored version; its files are `storage::sites`'.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteVersion {
    /// Its id within the project.
    pub id: String,
    /// The project.
    pub project_id: String,
    /// Number of files.
    pub files: u32,
    /// Bytes of all files.
    pub bytes: u64,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

impl SiteVersion {
    fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.get(0)?,
            project_id: row.get(1)?,
            files: row.get(2)?,
            bytes: row.get::<i64>(3)? as u64,
            created_at: row.get(4)?,
        })
    }
}

impl Core {
    /// The versions of a project, oldest first.
    pub async fn site_versions(&self, project_id: &str) -> Result<Vec<SiteVersion>, CoreError> {
        let sql = "SELECT id, project_id, files, bytes, created_at FROM versions
                   WHERE project_id = ?1 ORDER BY created_at, id";
        let project = project_id.to_owned();
        self.database
            .read(move |rows| Ok(rows.fetch_all(sql, [&project], SiteVersion::from_row)?))
            .await
    }

    /// Whether the project has this version; false when that cannot be read.
    pub async fn has_version(&self, project_id: &str, version: &str) -> bool {
        let (project, version) = (project_id.to_owned(), version.to_owned());
        let found = self.database.read(move |rows| has(rows, &project, &version));
        found.await.unwrap_or(false)
    }

    /// The project that a version belongs to.
    pub async fn project_of_version(&self, version: &str) -> Result<Option<String>, CoreError> {
        let sql = "SELECT project_id FROM versions WHERE id = ?1";
        let version = version.to_owned();
        self.database
            .read(move |rows| Ok(rows.fetch_optional(sql, [&version], |row| row.get(0))?))
            .await
    }

    /// Every version of every project, as pairs of project and version.
    pub async fn all_versions(&self) -> Result<Vec<(String, String)>, CoreError> {
        let sql = "SELECT project_id, id FROM versions";
        self.database
            .read(|rows| Ok(rows.fetch_all(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))?))
            .await
    }

    /// Records a version whose files are stored, and makes it live in the same step. [`CoreError::NotFound`] for a
    /// missing project, [`CoreError::Exists`].
    pub async fn publish_version(&self, version: SiteVersion) -> Result<(), CoreError> {
        let project = version.project_id.clone();
        self.change_project(&project, move |rows, project| {
            let sql = "INSERT INTO versions (project_id, id, files, bytes, created_at)
                       SELECT id, ?2, ?3, ?4, ?5 FROM projects WHERE id = ?1";
            let values = (
                project,
                &version.id,
                version.files,
                version.bytes as i64,
                version.created_at,
            );
            match rows.execute(sql, values) {
                Ok(0) => return Err(CoreError::NotFound),
                Ok(_) => {}
                Err(error) if error.is_refused() => return Err(CoreError::Exists),
                Err(error) => return Err(error.into()),
            }
            point(rows, project, &version.id)
        })
        .await
        .map(|_| ())
    }

    /// Makes a stored version live. [`CoreError::NotFound`].
    pub async fn activate_version(&self, project_id: &str, version: &str) -> Result<(), CoreError> {
        let version = version.to_owned();
        self.change_project(project_id, move |rows, project| {
            if !has(rows, project, &version)? {
                return Err(CoreError::NotFound);
            }
            point(rows, project, &version)
        })
        .await
        .map(|_| ())
    }

    /// Forgets a stored version. [`CoreError::NotFound`], [`CoreError::Live`].
    pub async fn remove_version(&self, project_id: &str, version: &str) -> Result<(), CoreError> {
        let version = version.to_owned();
        self.change_project(project_id, move |rows, project| {
            let sql = "SELECT EXISTS (SELECT 1 FROM projects WHERE id = ?1 AND live_version = ?2)";
            if rows.fetch_one(sql, (project, &version), |row| row.get(0))? {
                return Err(CoreError::Live);
            }
            match rows.execute(
                "DELETE FROM versions WHERE project_id = ?1 AND id = ?2",
                (project, &version),
            )? {
                0 => Err(CoreError::NotFound),
                _ => Ok(()),
            }
        })
        .await
        .map(|_| ())
    }
}

fn has(rows: &mut Rows<'_>, project: &str, version: &str) -> Result<bool, StorageError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM versions WHERE project_id = ?1 AND id = ?2)";
    rows.fetch_one(sql, (project, version), |row| row.get(0))
}

fn point(rows: &mut Rows<'_>, project: &str, version: &str) -> Result<(), CoreError> {
    rows.execute(
        "UPDATE projects SET live_version = ?2 WHERE id = ?1",
        (project, version),
    )?;
    Ok(())
}
