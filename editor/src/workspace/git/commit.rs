//! Committing named files, and nothing else.
//!
//! The commit is made from an index of its own: the last commit's, with the named files as they are in the working tree.
//! What the user staged in theirs stays there; only the entries of the named files are brought up to the new commit, as
//! `git commit -- files` does. Hooks run, and see that index, as they would with git itself.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{FileStatus, Git, GitError, State};

/// Hooks may run whole test suites.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(600);
/// Longer names and addresses are nobody's.
const MAX_IDENTITY_BYTES: usize = 320;
/// So often the user's own git may hold the index when it is to be brought up.
const MAX_ATTEMPTS: u32 = 20;

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Made {
    /// Its name in full.
    pub commit: String,
    /// Its first line.
    pub subject: String,
    /// The files it holds.
    pub files: Vec<String>,
}

/// Who makes a commit, where git does not know.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Author {
    /// As people call them.
    pub name: String,
    /// Their mail address.
    pub email: String,
}

impl Author {
    /// What git cannot take: nothing, signs it leaves out or that end the field, and addresses that are none. The key and why.
    ///
    /// # Errors
    /// With the key that does not fit, and why.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let is_bad = |text: &str| text.contains(['<', '>', '\n', '\r', '\0']) || text.len() > MAX_IDENTITY_BYTES;
        // Git leaves these out at both ends; a name of nothing else would be none.
        let left_out = |c: char| c.is_whitespace() || ".,:;<>\"\\'".contains(c);
        if is_bad(&self.name) || self.name.chars().all(left_out) {
            return Err(("name", "must be a name of one line, without < and >"));
        }
        let email = self.email.trim();
        let has_sides = email
            .split_once('@')
            .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty());
        if is_bad(email) || !has_sides || email.contains(char::is_whitespace) {
            return Err(("email", "must be a mail address, as name@example.com"));
        }
        Ok(())
    }

    fn variables(&self) -> Vec<(&'static str, &str)> {
        let (name, email) = (self.name.trim(), self.email.trim());
        vec![
            ("GIT_AUTHOR_NAME", name),
            ("GIT_AUTHOR_EMAIL", email),
            ("GIT_COMMITTER_NAME", name),
            ("GIT_COMMITTER_EMAIL", email),
        ]
    }
}

impl Git {
    /// Whether git knows who makes a commit here: from its settings or its variables, and not by guessing from the machine's name.
    #[must_use]
    pub fn has_identity(&self) -> bool {
        let known = |who| {
            let ask = self.command(["-c", "user.useConfigOnly=true", "var", who]);
            ask.text().is_ok()
        };
        known("GIT_AUTHOR_IDENT") && known("GIT_COMMITTER_IDENT")
    }

    /// Commits these files as they are in the working tree; a deleted one is deleted. Names without a change are left out.
    ///
    /// # Errors
    /// With git's words, or a hook's; nothing is committed then. A file that is staged in part is refused: either its
    /// staged part would be lost, or what was not named would be committed.
    pub fn commit(&self, message: &str, paths: &[String], author: Option<&Author>) -> Result<Made, GitError> {
        if let Some(word) = self.in_progress() {
            return Err(GitError::Declined(format!(
                "A {word} is in progress: finish it with git, or abort it, then commit"
            )));
        }
        if author.is_none() && !self.has_identity() {
            return Err(GitError::NoIdentity);
        }
        let status = self.status()?;
        let named: Vec<&FileStatus> = status.files.iter().filter(|file| paths.contains(&file.path)).collect();
        check(&named)?;
        let files: Vec<String> = named.iter().map(|file| file.path.clone()).collect();
        let folder = self
            .folder()
            .ok_or_else(|| GitError::Declined("The repository is gone".into()))?;
        let index = Scratch::new(&folder)?;
        self.fill(&index, status.head.is_some(), &files)?;
        self.command(["commit", "--file=-"])
            .acting()
            .envs(author.map(Author::variables).unwrap_or_default())
            .env("GIT_OPTIONAL_LOCKS", "1")
            .env("GIT_LITERAL_PATHSPECS", "0")
            .env("GIT_INDEX_FILE", &index.path)
            .stdin(message)
            .timeout(COMMIT_TIMEOUT)
            .words()?;
        self.bring_up(&files)?;
        let described = self.command(["log", "-1", "--format=%H%n%s"]).text()?;
        let (commit, subject) = described.split_once('\n').unwrap_or((&described, ""));
        Ok(Made {
            commit: commit.to_owned(),
            subject: subject.to_owned(),
            files,
        })
    }

    /// The last commit's files, with the named ones as they are now.
    fn fill(&self, index: &Scratch, born: bool, files: &[String]) -> Result<(), GitError> {
        let base = if born {
            ["read-tree", "--reset", "HEAD"].as_slice()
        } else {
            &["read-tree", "--empty"]
        };
        self.command(base)
            .acting()
            .env("GIT_INDEX_FILE", &index.path)
            .output()?;
        let names = files.join("\0");
        self.command(["update-index", "--add", "--remove", "-z", "--stdin"])
            .acting()
            .env("GIT_INDEX_FILE", &index.path)
            .stdin(names)
            .output()?;
        Ok(())
    }

    /// Sets the entries of the named files in the user's index to what was committed, which hooks may have formatted.
    fn bring_up(&self, files: &[String]) -> Result<(), GitError> {
        let prefix = self.prefix()?;
        let fixed = ["ls-tree", "-z", "--full-name", "HEAD", "--"];
        let listed = self
            .command(fixed.iter().copied().chain(files.iter().map(String::as_str)))
            .output()?;
        let mut entries = Vec::new();
        // An entry that is not listed below was deleted; one of mode 0 is removed.
        for file in files {
            entries
                .extend_from_slice(format!("0 0000000000000000000000000000000000000000\t{prefix}{file}\0").as_bytes());
        }
        entries.extend_from_slice(&listed);
        let mut attempt = 0;
        loop {
            let update = self
                .command(["update-index", "-z", "--index-info"])
                .acting()
                .stdin(entries.clone());
            match update.output() {
                Ok(_) => break,
                Err(GitError::Refused { .. }) if attempt < MAX_ATTEMPTS => attempt += 1,
                Err(error) => return Err(error),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        // Only so that git need not read the files again to see that they are unchanged.
        let _ = self.command(["update-index", "-q", "--refresh"]).acting().output();
        Ok(())
    }
}

fn check(named: &[&FileStatus]) -> Result<(), GitError> {
    let names = |pick: fn(&FileStatus) -> bool| -> Vec<&str> {
        let picked = named.iter().filter(|file| pick(file));
        picked.map(|file| file.path.as_str()).collect()
    };
    let declined = |words: String| Err(GitError::Declined(words));
    let torn = names(|file| file.state == State::Conflicted);
    let partly = names(|file| file.staged && file.unstaged);
    if named.is_empty() {
        declined("There is nothing to commit: none of these files differs from the last commit".into())
    } else if !torn.is_empty() {
        declined(format!("{} has conflicts: solve them with git first", torn.join(", ")))
    } else if !partly.is_empty() {
        declined(format!(
            "Parts of {} are staged, and the rest is not. Commit what is staged first, or unstage it with: git restore --staged {}",
            partly.join(", "),
            partly.join(" ")
        ))
    } else {
        Ok(())
    }
}

/// An index for one commit. It begins as a copy of the user's, so that git knows which files it need not read again.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new(folder: &Path) -> Result<Self, GitError> {
        let path = folder.join(format!("galley-index-{}", std::process::id()));
        let scratch = Self { path };
        match scratch.copy(&folder.join("index")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(GitError::Declined(format!("{}: {error}", scratch.path.display())))
            }
            _ => Ok(scratch),
        }
    }

    /// With its time: git reads files again that changed in the second in which their index was written, and a younger
    /// index would hide them.
    fn copy(&self, index: &Path) -> io::Result<()> {
        let written = fs::metadata(index)?.modified()?;
        fs::copy(index, &self.path)?;
        File::options().write(true).open(&self.path)?.set_modified(written)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(self.path.with_extension("lock"));
    }
}
