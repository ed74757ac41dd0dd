//! What the code host's deliveries contain.

use serde::Deserialize;

/// A repository.
#[derive(Debug, Deserialize)]
pub struct RepositoryRef {
    pub id: u64,
    pub full_name: String,
}

/// An installation of the app.
#[derive(Debug, Deserialize)]
pub struct Installation {
    pub id: u64,
}

/// The fields of a push that matter here.
#[derive(Debug, Deserialize)]
pub struct Push {
    #[serde(rename = "ref")]
    pub reference: String,
    /// The newest commit; zeros when the branch was deleted.
    pub after: String,
    pub deleted: Option<bool>,
    pub repository: RepositoryRef,
    pub installation: Option<Installation>,
    pub head_commit: Option<Commit>,
}

/// The newest commit of a push.
#[derive(Debug, Deserialize)]
pub struct Commit {
    pub message: Option<String>,
}

impl Push {
    /// The branch that moved; `None` for a tag and other references.
    pub fn branch(&self) -> Option<&str> {
        self.reference.strip_prefix("refs/heads/")
    }
}
