//! What differs from the last commit, and where the branch stands.

use serde::Serialize;

use super::{Git, GitError, parts};
use crate::gate::looking::Configured;

/// The state of the working tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The branch; `None` when HEAD is detached.
    pub branch: Option<String>,
    /// The commit in full; `None` when nothing was committed yet.
    pub head: Option<String>,
    /// The branch this one follows, as `origin/main`.
    pub upstream: Option<String>,
    /// Commits the upstream does not have.
    pub ahead: u32,
    /// Commits of the upstream that are not here.
    pub behind: u32,
    /// What is changed below the prototype's root.
    pub files: Vec<FileStatus>,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileStatus {
    /// Relative to the prototype's root.
    pub path: String,
    /// How it differs from the last commit.
    pub state: State,
    /// Whether some of the change is staged.
    pub staged: bool,
    /// Whether some of the change is not staged.
    #[serde(skip)]
    pub unstaged: bool,
    /// Whether it is another repository inside this one.
    #[serde(skip)]
    pub submodule: bool,
}

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Its content is another.
    Modified,
    /// It is new, and git knows of it.
    Added,
    /// It is gone.
    Deleted,
    /// It is new, and git does not know of it.
    Untracked,
    /// A merge left it to be decided.
    Conflicted,
}

impl Git {
    /// The state of the prototype's part of the working tree.
    ///
    /// # Errors
    /// With git's words.
    pub fn status(&self) -> Result<Status, GitError> {
        self.status_by(&Configured::of(&self.root))
    }

    /// The same, with whether git knows who commits. Two processes, where the prototype is the repository's top folder and the
    /// configuration names who commits.
    ///
    /// # Errors
    /// With git's words.
    pub fn overview(&self) -> Result<(Status, bool), GitError> {
        let configured = Configured::of(&self.root);
        let status = self.status_by(&configured)?;
        Ok((status, configured.identity || self.has_identity()))
    }

    fn status_by(&self, configured: &Configured) -> Result<Status, GitError> {
        let asked = [
            "status",
            "--porcelain=v2",
            "--branch",
            "--no-renames",
            "--untracked-files=all",
            // Looking into another repository would be asking its configuration.
            "--ignore-submodules=dirty",
            "-z",
            "--",
            ".",
        ];
        let output = self.command(asked).comparing_by(configured).output()?;
        // Where `.git` stands beside the files, their names begin here.
        let is_top = !configured.work_tree && self.root.join(".git").symlink_metadata().is_ok();
        let prefix = if is_top { String::new() } else { self.prefix()? };
        Ok(read(&output, &prefix))
    }
}

fn read(output: &[u8], prefix: &str) -> Status {
    let mut status = Status {
        branch: None,
        head: None,
        upstream: None,
        ahead: 0,
        behind: 0,
        files: Vec::new(),
    };
    for line in parts(output) {
        if let Some(header) = line.strip_prefix("# ") {
            status.header(header);
        } else if let Some(file) = file(line, prefix) {
            status.files.push(file);
        }
    }
    status
}

impl Status {
    fn header(&mut self, header: &str) {
        match header.split_once(' ') {
            Some(("branch.oid", head)) if head != "(initial)" => self.head = Some(head.to_owned()),
            Some(("branch.head", branch)) if branch != "(detached)" => self.branch = Some(branch.to_owned()),
            Some(("branch.upstream", upstream)) => self.upstream = Some(upstream.to_owned()),
            Some(("branch.ab", counts)) => {
                let mut counts = counts.split(' ').map(|count| count[1..].parse().unwrap_or_default());
                self.ahead = counts.next().unwrap_or_default();
                self.behind = counts.next().unwrap_or_default();
            }
            _ => {}
        }
    }
}

/// One line of `git status --porcelain=v2`, as its manual page describes them.
fn file(line: &str, prefix: &str) -> Option<FileStatus> {
    let (kind, rest) = line.split_once(' ')?;
    // Fields before the path, which may hold spaces itself.
    let fields = match kind {
        "1" => 7,
        "u" => 9,
        "?" => 0,
        _ => return None,
    };
    let mut rest = rest.splitn(fields + 1, ' ');
    let (marks, submodule) = match kind {
        "?" => ("??", false),
        _ => (rest.next()?, rest.next()?.starts_with('S')),
    };
    let path = rest.last()?.strip_prefix(prefix)?;
    let (index, tree) = (marks.get(..1)?, marks.get(1..)?);
    let state = match (kind, index, tree) {
        ("u", ..) => State::Conflicted,
        ("?", ..) => State::Untracked,
        (_, _, "D") | (_, "D", _) => State::Deleted,
        (_, "A", _) | (_, _, "A") => State::Added,
        _ => State::Modified,
    };
    Some(FileStatus {
        path: path.to_owned(),
        state,
        staged: kind == "1" && index != ".",
        unstaged: tree != ".",
        submodule,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_with_odd_names() {
        let zeros = "0000000";
        let output = [
            "# branch.oid 1234",
            "# branch.head main",
            "# branch.upstream origin/main",
            "# branch.ab +2 -1",
            &format!("1 .M N... 100644 100644 100644 {zeros} {zeros} app/a b\n\"ü\".tsx"),
            &format!("1 A. N... 000000 100644 100644 {zeros} {zeros} app/new"),
            &format!("1 .M S..U 160000 160000 160000 {zeros} {zeros} app/sub"),
            &format!("u UU N... 100644 100644 100644 100644 {zeros} {zeros} {zeros} app/torn"),
            "? app/ un known",
            "",
        ]
        .join("\0");
        let status = read(output.as_bytes(), "app/");
        assert_eq!(status.branch.as_deref(), Some("main"));
        assert_eq!((status.ahead, status.behind), (2, 1));
        let files: Vec<_> = status
            .files
            .iter()
            .map(|file| (&*file.path, file.state, file.staged))
            .collect();
        assert_eq!(
            files,
            [
                ("a b\n\"ü\".tsx", State::Modified, false),
                ("new", State::Added, true),
                ("sub", State::Modified, false),
                ("torn", State::Conflicted, false),
                (" un known", State::Untracked, false),
            ]
        );
        assert!(status.files[2].submodule);
    }
}
