//! Git that only looks runs nothing a repository's own configuration names: a folder may come from anywhere, and its `.git/config`
//! with it. What the user configured for themselves, outside of any repository, is theirs and stays.

use std::path::Path;
use std::process::{Command, Stdio};

/// Settings that could run a program, or look into other repositories, while git reads.
const QUIET: [&str; 7] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "log.showSignature=false",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
    "diff.ignoreSubmodules=dirty",
];

/// Arguments of `git` itself, before the subcommand.
pub const ARGUMENTS: [&str; 14] = {
    let mut arguments = ["-c"; 14];
    let mut at = 0;
    while at < QUIET.len() {
        arguments[2 * at + 1] = QUIET[at];
        at += 1;
    }
    arguments
};

/// Variables: an object that is missing is not fetched, and over no protocol.
pub const VARIABLES: [(&str, &str); 2] = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")];

/// What git's configuration says that the Editor has to know, asked once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configured {
    /// More arguments for what compares files with commits: without them git would hand contents to the filters that the
    /// repository names. Their names are its own.
    pub without_filters: Vec<String>,
    /// Whether both a name and an address of whoever commits are given. Git itself may know them from elsewhere.
    pub identity: bool,
    /// Whether the files may lie elsewhere than beside `.git`.
    pub work_tree: bool,
}

impl Configured {
    /// Of the repository in `folder`.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(folder)
            .args(["config", "--list", "--show-scope", "-z"]);
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let output = command.output().map(|output| output.stdout).unwrap_or_default();
        Self::read(&String::from_utf8_lossy(&output))
    }

    fn read(listed: &str) -> Self {
        let mut parts = listed.split('\0');
        let (mut name, mut email, mut work_tree) = (false, false, false);
        while let (Some(_), Some(entry)) = (parts.next(), parts.next()) {
            match entry.split_once('\n') {
                Some(("user.name", value)) => name = !value.trim().is_empty(),
                Some(("user.email", value)) => email = !value.trim().is_empty(),
                Some(("core.worktree", _)) => work_tree = true,
                _ => {}
            }
        }
        Self {
            without_filters: overrides(listed),
            identity: name && email,
            work_tree,
        }
    }
}

/// [`Configured::without_filters`] alone.
#[must_use]
pub fn without_filters(folder: &Path) -> Vec<String> {
    Configured::of(folder).without_filters
}

/// From `git config --list --show-scope -z`: each scope and each `key\nvalue` ends with a zero.
fn overrides(listed: &str) -> Vec<String> {
    let mut parts = listed.split('\0');
    let mut arguments = Vec::new();
    while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
        if !matches!(scope, "local" | "worktree") {
            continue;
        }
        let key = entry.split('\n').next().unwrap_or_default();
        let Some(name) = key
            .strip_prefix("filter.")
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(name, _)| name)
        else {
            continue;
        };
        for setting in ["clean=", "smudge=", "process=", "required=false"] {
            let argument = format!("filter.{name}.{setting}");
            if !arguments.contains(&argument) {
                arguments.extend(["-c".to_owned(), argument]);
            }
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_of_the_repository_are_emptied_and_those_of_the_user_stay() {
        let listed = "global\0filter.lfs.clean\ngit-lfs clean\0local\0core.bare\nfalse\0local\0filter.a.b.clean\nsh -c \"x\"\0worktree\0filter.c.process\nx\0";
        let found = overrides(listed);
        assert_eq!(found.iter().filter(|argument| *argument == "-c").count(), 8);
        for wanted in ["filter.a.b.clean=", "filter.a.b.required=false", "filter.c.smudge="] {
            assert!(found.iter().any(|argument| argument == wanted), "{wanted}");
        }
        assert!(!found.iter().any(|argument| argument.contains("lfs")));
    }

    #[test]
    fn who_commits_is_known_from_the_same_list() {
        let listed = "global\0user.name\nAnna\0local\0user.email\na@example.com\0";
        let found = Configured::read(listed);
        assert!(found.identity && !found.work_tree);
        assert!(!Configured::read("global\0user.name\nAnna\0").identity);
        assert!(!Configured::read(&format!("{listed}worktree\0user.email\n\0")).identity);
        assert!(Configured::read("local\0core.worktree\n/elsewhere\0").work_tree);
    }

    #[test]
    fn each_setting_follows_its_switch() {
        assert!(ARGUMENTS.chunks(2).all(|pair| pair[0] == "-c" && pair[1].contains('=')));
    }
}
