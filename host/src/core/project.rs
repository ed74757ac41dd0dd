//! A project, as it is stored.

use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Who may read a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every signed-in account.
    AllMembers,
    /// Admins and the access list.
    Invited,
    /// Everybody, while the instance allows public links.
    PublicLink,
}

impl Access {
    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AllMembers => "all-members",
            Self::Invited => "invited",
            Self::PublicLink => "public-link",
        }
    }

    /// Parses the name in the API.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::AllMembers, Self::Invited, Self::PublicLink]
            .into_iter()
            .find(|access| access.as_str() == text)
    }
}

impl ToSql for Access {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for Access {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

/// One project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Opaque.
    pub id: String,
    /// Its name in addresses; never changes.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// The address of its source repository.
    pub repo_url: Option<String>,
    /// Who may read it.
    pub access: Access,
    /// The version browsers see.
    pub live_version: Option<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

impl Project {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            slug: row.get("slug")?,
            name: row.get("name")?,
            repo_url: row.get("repo_url")?,
            access: row.get("access")?,
            live_version: row.get("live_version")?,
            created_at: row.get("created_at")?,
            updated_at: row.get("updated_at")?,
        })
    }
}
