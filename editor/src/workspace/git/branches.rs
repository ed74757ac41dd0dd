//! Branches: which there are, and going to another.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::{Git, GitError};

/// Hooks may run after a switch.
const SWITCH_TIMEOUT: Duration = Duration::from_secs(120);

/// All local branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Branches {
    /// Where HEAD points; `None` when it is detached.
    pub current: Option<String>,
    /// In the order of their last commits, the newest first.
    pub branches: Vec<Branch>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// Whether it is the current one.
    pub current: bool,
    /// What it follows.
    pub upstream: Option<String>,
    /// The first line of its last commit.
    pub subject: String,
}

impl Git {
    /// The current branch, which may have no commit yet; `None` when HEAD is detached.
    ///
    /// # Errors
    /// With git's words.
    pub fn branch(&self) -> Result<Option<String>, GitError> {
        match self.command(["symbolic-ref", "--quiet", "--short", "HEAD"]).text() {
            Ok(name) => Ok(Some(name)),
            Err(GitError::Refused { words }) if words.starts_with("git ended with") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same by the file `HEAD`, for whoever must not wait for a process: git is asked only where the file names no branch.
    ///
    /// # Errors
    /// With git's words.
    pub fn branch_by(&self, head: &Path) -> Result<Option<String>, GitError> {
        match fs::read_to_string(head).ok().as_deref().and_then(named) {
            Some(name) => Ok(Some(name.to_owned())),
            None => self.branch(),
        }
    }

    /// All local branches.
    ///
    /// # Errors
    /// With git's words.
    pub fn branches(&self) -> Result<Branches, GitError> {
        let format = "--format=%(refname:short)%00%(upstream:short)%00%(contents:subject)";
        let listed = self
            .command(["for-each-ref", "--sort=-committerdate", format, "refs/heads"])
            .text()?;
        let current = self.branch()?;
        let branches = listed.lines().filter_map(|line| {
            let mut fields = line.split('\0');
            let name = fields.next()?.to_owned();
            let upstream = fields.next().filter(|upstream| !upstream.is_empty()).map(str::to_owned);
            Some(Branch {
                current: current.as_ref() == Some(&name),
                upstream,
                subject: fields.next().unwrap_or_default().to_owned(),
                name,
            })
        });
        let branches = branches.collect();
        Ok(Branches { current, branches })
    }

    /// Goes to a branch, or makes it here first. What is not committed comes along, or git says what stands in the way.
    ///
    /// # Errors
    /// With git's words.
    pub fn switch(&self, name: &str, create: bool) -> Result<String, GitError> {
        let valid = self.command(["check-ref-format", "--branch", name]).text();
        // Also what git would take for something else: `-` and `@{-1}` are the branch before.
        if name.starts_with('-') || !valid.is_ok_and(|valid| valid == name) {
            return Err(GitError::Declined(format!(
                "“{name}” cannot be the name of a branch: use letters, digits, - and /"
            )));
        }
        let args: &[&str] = if create {
            &["switch", "--create", name]
        } else {
            &["switch", name]
        };
        self.command(args)
            .acting()
            .env("GIT_OPTIONAL_LOCKS", "1")
            .timeout(SWITCH_TIMEOUT)
            .words()
    }
}

/// The branch that the text of a file `HEAD` names. Where references are kept in the newer format (`reftable`), HEAD is one of them and
/// the file names a branch that cannot be.
fn named(text: &str) -> Option<&str> {
    let name = text.strip_prefix("ref:")?.trim().strip_prefix("refs/heads/")?;
    (name != ".invalid").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_names_a_branch_or_git_is_asked() {
        assert_eq!(named("ref: refs/heads/main\n"), Some("main"));
        assert_eq!(named("ref: refs/heads/fix/the title\n"), Some("fix/the title"));
        for other in [
            "ref: refs/heads/.invalid\n",
            "ref: refs/remotes/origin/main\n",
            "0123456789012345678901234567890123456789\n",
            "",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
