//! The repository's git, by the user's own program: their configuration, hooks, keys and words.
//!
//! Nothing asks for input: a prompt nobody sees would hang, so git is told to fail with words instead. Names of files are
//! exchanged with NUL between them, and never as patterns.

mod branches;
mod changes;
mod command;
mod commit;
mod diff;
mod discard;
mod publish;
mod status;

use std::path::{Path, PathBuf};

pub use branches::{Branch, Branches};
pub use changes::DiscardError;
pub use command::{Command, GitError};
pub use commit::{Author, Made};
pub use diff::FileDiff;
pub use publish::{Publish, Waiting, without_password};
pub use status::{FileStatus, State, Status};

/// The repository a prototype lies in.
#[derive(Debug, Clone)]
pub struct Git {
    root: PathBuf,
}

impl Git {
    /// `root` is the prototype's: all names of files are relative to it, and only what lies below it is looked at.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let root = root.to_owned();
        Self { root }
    }

    fn command<I: Into<std::ffi::OsString>>(&self, args: impl IntoIterator<Item = I>) -> Command {
        Command::new(&self.root, args)
    }

    /// What is in progress, as a word for people: a merge, a rebase.
    fn in_progress(&self) -> Option<&'static str> {
        const SIGNS: [(&str, &str); 6] = [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        ];
        let folder = self.folder()?;
        let found = SIGNS.iter().find(|(sign, _)| folder.join(sign).exists());
        found.map(|(_, word)| *word)
    }

    /// The folder of this working tree's own state.
    fn folder(&self) -> Option<PathBuf> {
        let folder = self.command(["rev-parse", "--absolute-git-dir"]).text().ok()?;
        Some(PathBuf::from(folder))
    }

    /// The name of what there is to compare with: HEAD, or the empty tree when nothing was committed yet.
    fn head(&self) -> Result<String, GitError> {
        match self
            .command(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .text()
        {
            Ok(head) => Ok(head),
            Err(GitError::Refused { .. }) => self
                .command(["hash-object", "-t", "tree", "--stdin"])
                .stdin(Vec::new())
                .text(),
            Err(error) => Err(error),
        }
    }

    /// When the last commit was made, in seconds since 1970; `None` before the first.
    #[must_use]
    pub fn committed_at(&self) -> Option<u64> {
        let asked = self.command(["log", "-1", "--format=%ct"]).text();
        asked.ok()?.parse().ok()
    }

    /// A file's text in the last commit; `None` when it is not there, or no text.
    #[must_use]
    pub fn committed(&self, path: &str) -> Option<String> {
        let asked = self.command(["cat-file", "blob", &format!("HEAD:./{path}")]).output();
        String::from_utf8(asked.ok()?).ok()
    }

    /// How the prototype's root is called from the repository's top folder: empty, or ending with `/`.
    fn prefix(&self) -> Result<String, GitError> {
        self.command(["rev-parse", "--show-prefix"]).text()
    }
}

/// The parts of an answer that was asked for with `-z`. Names that are no UTF-8 are left out: no request could name them.
fn parts(output: &[u8]) -> impl Iterator<Item = &str> {
    output
        .split(|byte| *byte == 0)
        .filter_map(|part| str::from_utf8(part).ok())
}
