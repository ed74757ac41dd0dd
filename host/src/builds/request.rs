//! The request for a build, which was checked before it is queued ([`galley_manifest::BuildRequest`]).

use serde::{Deserialize, Serialize};

/// The request for a build. Empty commands and an empty folder stand for the defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The repository.
    pub source: Source,
    /// Run by `sh -c` before the build.
    pub install_command: String,
    /// Run by `sh -c`.
    pub build_command: String,
    /// Where the output is, below the repository's root.
    pub output_dir: String,
}

/// A repository of the code host, with the branch or commit to build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The installation whose token opens it.
    pub installation_id: u64,
    /// Who owns it.
    pub owner: String,
    /// Its name.
    pub name: String,
    /// The branch.
    pub branch: String,
    /// The commit; the branch's newest when absent.
    pub commit: Option<String>,
    /// The code host's id of the repository; when it is there, owner and name are what the code host calls it now.
    #[serde(default)]
    pub repository_id: Option<u64>,
    /// Whether the commit is built only while it is the newest of its branch.
    #[serde(default)]
    pub only_newest: bool,
}

impl Request {
    /// The output folder, the default for an empty one.
    pub fn output_dir(&self) -> &str {
        match self.output_dir.trim_end_matches('/') {
            "" => "dist",
            folder => folder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_is_the_default() {
        let mut made = Request {
            source: Source {
                installation_id: 1,
                owner: "o".into(),
                name: "n".into(),
                branch: "b".into(),
                commit: None,
                repository_id: None,
                only_newest: false,
            },
            install_command: String::new(),
            build_command: String::new(),
            output_dir: String::new(),
        };
        assert_eq!(made.output_dir(), "dist");
        made.output_dir = "out/".into();
        assert_eq!(made.output_dir(), "out");
    }
}
