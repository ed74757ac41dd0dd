//! What git says of the folder. Git is asked by its own program, so that its rules and its words are git's.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::looking;
use super::operation::Operation;
use super::refused::Refused;

/// Git that looks at `folder`: free of variables that point it at another repository, as they are set while a hook runs, and
/// running nothing that the repository's configuration names ([`looking`]).
#[must_use]
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(looking::ARGUMENTS)
        .envs(looking::VARIABLES);
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

/// What git says of a work tree.
pub(super) struct Answers {
    /// Its top folder.
    pub root: PathBuf,
    /// Its file `HEAD`, which names the branch. Each work tree of a repository has its own, as it has what follows.
    pub head: PathBuf,
    /// What was begun in it and not finished.
    pub operations: Vec<Operation>,
}

/// Asks about the work tree `folder` lies in. The repository must have a commit: edits are undone and shown against it.
///
/// Everything that starts waits for these answers, and a process of git takes longer than its answer: there are two, side by
/// side.
pub(super) fn ask(folder: &Path) -> Result<Answers, Refused> {
    let mut arguments = vec!["rev-parse", "--show-toplevel"];
    for mark in MARKS {
        arguments.extend(["--git-path", mark]);
    }
    let state = begin(folder, &arguments);
    let commit = begin(folder, &["log", "-1", "--no-show-signature", "--format=%H"]);
    let state = answer(state);
    let commit = answer(commit);
    let state = state.map_err(|text| Refused::Git {
        text,
        remedy: "The Editor needs a git repository with at least one commit: run `git init` and commit the prototype.",
    })?;
    commit.map_err(|text| Refused::Git {
        text,
        remedy: "The Editor needs at least one commit: run `git add --all` and `git commit`.",
    })?;
    // A folder's name may hold the end of a line: what follows it has a fixed number of lines.
    let lines: Vec<&str> = state.split('\n').collect();
    let (top, paths) = lines.split_at(lines.len().saturating_sub(MARKS.len()));
    let top = PathBuf::from(top.join("\n"));
    Ok(Answers {
        root: top.canonicalize().unwrap_or(top),
        head: place(folder, paths, "HEAD").unwrap_or_default(),
        operations: operations(folder, paths),
    })
}

/// Where HEAD is, files and folders git keeps while an operation lasts, and where references of the newer format are.
const MARKS: [&str; 10] = [
    "HEAD",
    "MERGE_HEAD",
    "rebase-merge",
    "rebase-apply",
    "rebase-apply/applying",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "sequencer/todo",
    "reftable",
];

/// Where one of [`MARKS`] is or would be.
fn place(folder: &Path, paths: &[&str], name: &str) -> Option<PathBuf> {
    let index = MARKS.iter().position(|mark| *mark == name)?;
    paths.get(index).map(|path| folder.join(path))
}

/// What is in progress, by the places of [`MARKS`].
fn operations(folder: &Path, paths: &[&str]) -> Vec<Operation> {
    let mark = |name: &str| place(folder, paths, name).filter(|path| path.exists());
    let has = |name: &str| mark(name).is_some();
    let todo = mark("sequencer/todo").and_then(|path| std::fs::read_to_string(path).ok());
    let next = todo.as_deref().and_then(|todo| todo.split_whitespace().next());
    // Repositories with the newer format keep these two among the references, and not as files.
    let kept = |name: &str| {
        has(name) || has("reftable") && answer(begin(folder, &["rev-parse", "--quiet", "--verify", name])).is_ok()
    };

    let am = has("rebase-apply/applying");
    let rebase = has("rebase-merge") || (has("rebase-apply") && !am);
    // A rebase that met a conflict leaves the mark of a cherry-pick too. Between two commits of a longer cherry-pick or
    // revert there is only the list of what is left to do.
    let picking = kept("CHERRY_PICK_HEAD");
    let reverting = kept("REVERT_HEAD");
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
    found
        .into_iter()
        .filter_map(|(operation, is)| is.then_some(operation))
        .collect()
}

/// Starts git.
fn begin(folder: &Path, arguments: &[&str]) -> std::io::Result<Child> {
    let mut command = git(folder);
    command.args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Its output without the last line's end, or its own words on failure.
fn answer(begun: std::io::Result<Child>) -> Result<String, String> {
    let Output { status, stdout, stderr } = begun.and_then(Child::wait_with_output).map_err(|error| {
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
