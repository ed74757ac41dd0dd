//! Which content a file has again when its changes are thrown away: the one in the index. What is staged stays.

use super::{FileStatus, Git, GitError, State, parts};
use crate::workspace::paths;

/// Larger files are not kept as backups, and so not thrown away.
const MAX_BACKUP: u64 = 64 << 20;

/// What a file becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean {
    /// Relative to the prototype's root.
    pub path: String,
    /// Its content; `None` when git does not know the file, and it goes.
    pub content: Option<Vec<u8>>,
    /// Its permissions when it has to be made.
    pub mode: u32,
}

impl Git {
    /// What has to be written so that these files have no changes but staged ones. `None`: of all files that can be.
    ///
    /// # Errors
    /// When one that was named has no changes to throw away, or cannot be restored by writing a file.
    pub fn clean(&self, path: Option<&str>) -> Result<Vec<Clean>, GitError> {
        let status = self.status()?;
        let Some(path) = path else {
            let able = status.files.iter().filter(|file| self.obstacle(file).is_none());
            return able.map(|file| self.clean_file(file)).collect();
        };
        let Some(file) = status.files.iter().find(|file| file.path == path) else {
            return Err(GitError::Declined(format!("{path} has no changes")));
        };
        match self.obstacle(file) {
            Some(why) => Err(GitError::Declined(why)),
            None => Ok(vec![self.clean_file(file)?]),
        }
    }

    fn obstacle(&self, file: &FileStatus) -> Option<String> {
        let path = &file.path;
        let found = std::fs::symlink_metadata(self.root.join(path)).ok();
        if file.state == State::Conflicted {
            Some(format!("{path} has conflicts: solve them with git"))
        } else if paths::checked(path).is_err() {
            Some(format!(
                "{path} is no source file of the prototype: use git in its repository"
            ))
        } else if file.submodule {
            Some(format!("{path} is a repository of its own: use git in it"))
        } else if !file.unstaged {
            Some(format!(
                "All changes of {path} are staged, and what is staged stays: unstage it with git restore --staged first"
            ))
        } else if found.as_ref().is_some_and(|found| !found.is_file()) {
            Some(format!("{path} is no plain file: use git restore"))
        } else if found.is_some_and(|found| found.len() > MAX_BACKUP) {
            Some(format!("{path} is too large for a backup: use git restore"))
        } else {
            None
        }
    }

    fn clean_file(&self, file: &FileStatus) -> Result<Clean, GitError> {
        let path = file.path.clone();
        if file.state == State::Untracked {
            return Ok(Clean {
                path,
                content: None,
                mode: 0o644,
            });
        }
        let staged = self.command(["ls-files", "--stage", "-z", "--", &path]).output()?;
        let entry = parts(&staged).next().unwrap_or_default();
        let mode = match entry.split(' ').next() {
            Some("100755") => 0o755,
            Some("100644") => 0o644,
            _ => return Err(GitError::Declined(format!("{path} is no plain file: use git restore"))),
        };
        // With line ends and filters as they are in the working tree.
        let content = self
            .command(["cat-file", "--filters", &format!(":./{path}")])
            .acting()
            .output()?;
        Ok(Clean {
            path,
            content: Some(content),
            mode,
        })
    }
}
