//! A project, as it is stored.

use crate::storage::engine::{FromValue, Row, ToValue, Value};
use crate::storage::sqlite::StorageError;

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

impl ToValue for Access {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self.as_str())
    }
}

impl FromValue for Access {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text(text) => Self::parse(text),
            _ => None,
        }
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

/// The columns [`Project::from_row`] reads.
pub(crate) const COLUMNS: &str = "id, slug, name, repo_url, access, live_version, created_at, updated_at";

impl Project {
    pub(crate) fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.get(0)?,
            slug: row.get(1)?,
            name: row.get(2)?,
            repo_url: row.get(3)?,
            access: row.get(4)?,
            live_version: row.get(5)?,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
        })
    }
}
