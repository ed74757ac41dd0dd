//! What git says of the folder. Git is asked by its own program, so that its rules and its words are git's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::Refused;

/// Something that was begun with git and is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `git merge`
    Merge,
    /// `git rebase`
    Rebase,
    /// `git am`
    Am,
    /// `git cherry-pick`
    CherryPick,
    /// `git revert`
    Revert,
    /// `git bisect`
    Bisect,
}

impl Operation {
    /// Git's name for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operation::Merge => "merge",
            Operation::Rebase => "rebase",
            Operation::Am => "am",
            Operation::CherryPick => "cherry-pick",
            Operation::Revert => "revert",
            Operation::Bisect => "bisect",
        }
    }

    /// Their names, and for each how to leave it.
    pub(super) fn describe(operations: &[Operation]) -> String {
        let names: Vec<_> = operations.iter().map(|operation| operation.name()).collect();
        let ways: Vec<_> = operations
            .iter()
            .map(|operation| match operation {
                Operation::Bisect => "`git bisect reset`".to_owned(),
                other => format!("`git {0} --continue` or `git {0} --abort`", other.name()),
            })
            .collect();
        format!("{} (finish or abort first: {})", names.join(", "), ways.join("; "))
    }
}

/// Git in `folder`, free of variables that point it at another repository, as they are set while a hook runs.
#[must_use]
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    for name in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_COMMON_DIR",
        "GIT_PREFIX",
    ] {
        command.env_remove(name);
    }
    // Looking must not write: without it, `git status` refreshes the index.
    command.env("GIT_OPTIONAL_LOCKS", "0");
    command
}

/// The top folder of the work tree `folder` lies in. The repository must have a commit: edits are undone and shown
/// against it.
pub(super) fn root(folder: &Path) -> Result<PathBuf, Refused> {
    let top = ask(folder, &["rev-parse", "--show-toplevel"]).map_err(|text| Refused::Git {
        text,
        remedy: "The Editor needs a git repository with at least one commit: run `git init` and commit the prototype.",
    })?;
    let top = PathBuf::from(top);
    ask(folder, &["log", "-1", "--no-show-signature", "--format=%H"]).map_err(|text| Refused::Git {
        text,
        remedy: "The Editor needs at least one commit: run `git add --all` and `git commit`.",
    })?;
    Ok(top.canonicalize().unwrap_or(top))
}

/// Files and folders git keeps while an operation lasts.
const MARKS: [&str; 8] = [
    "MERGE_HEAD",
    "rebase-merge",
    "rebase-apply",
    "rebase-apply/applying",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "sequencer/todo",
];

/// What is in progress in the work tree `folder` lies in. Each work tree of a repository has its own.
pub(super) fn operations(folder: &Path) -> Result<Vec<Operation>, Refused> {
    let mut arguments = vec!["rev-parse"];
    for mark in MARKS {
        arguments.extend(["--git-path", mark]);
    }
    let paths = ask(folder, &arguments).map_err(|text| Refused::Git {
        text,
        remedy: "Git could not say where it keeps its state.",
    })?;
    let paths: Vec<_> = paths.lines().map(|path| folder.join(path)).collect();
    let mark = |name: &str| {
        let index = MARKS.iter().position(|mark| *mark == name)?;
        paths.get(index).filter(|path| path.exists())
    };
    let has = |name: &str| mark(name).is_some();
    let todo = mark("sequencer/todo").and_then(|path| std::fs::read_to_string(path).ok());
    let next = todo.as_deref().and_then(|todo| todo.split_whitespace().next());

    let am = has("rebase-apply/applying");
    let rebase = has("rebase-merge") || (has("rebase-apply") && !am);
    // A rebase that met a conflict leaves the mark of a cherry-pick too. Between two commits of a longer cherry-pick or
    // revert there is only the list of what is left to do.
    let picking = has("CHERRY_PICK_HEAD") || is_pseudo_ref(folder, "CHERRY_PICK_HEAD");
    let reverting = has("REVERT_HEAD") || is_pseudo_ref(folder, "REVERT_HEAD");
    let found = [
        (Operation::Merge, has("MERGE_HEAD")),
        (Operation::Rebase, rebase),
        (Operation::Am, am),
        (
            Operation::CherryPick,
            !rebase && (picking || matches!(next, Some("pick" | "p"))),
        ),
        (Operation::Revert, !rebase && (reverting || next == Some("revert"))),
        (Operation::Bisect, has("BISECT_LOG")),
    ];
    Ok(found
        .into_iter()
        .filter_map(|(operation, is)| is.then_some(operation))
        .collect())
}

/// Repositories with the newer format of references (`reftable`) keep these two there and not as files.
fn is_pseudo_ref(folder: &Path, name: &str) -> bool {
    ask(folder, &["rev-parse", "--quiet", "--verify", name]).is_ok()
}

/// Runs git; its output without the last line's end, or its own words on failure.
fn ask(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let Output { status, stdout, stderr } = git(folder).args(arguments).output().map_err(|error| {
        format!("the program `git` could not be started ({error}); is it installed and on the PATH?")
    })?;
    if status.success() {
        let text = String::from_utf8_lossy(&stdout);
        Ok(text.trim_end_matches(['\n', '\r']).to_owned())
    } else {
        Err(String::from_utf8_lossy(&stderr).trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_is_named_with_the_way_out() {
        let words = Operation::describe(&[Operation::CherryPick, Operation::Bisect]);
        assert_eq!(
            words,
            "cherry-pick, bisect (finish or abort first: `git cherry-pick --continue` or `git cherry-pick --abort`; `git bisect reset`)"
        );
    }
}
