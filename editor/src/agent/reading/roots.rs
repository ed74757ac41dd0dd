//! The roots by their names, and which of the two ways each is read in.

use std::path::Path;

use serde::Deserialize;

use super::{commits, live, names};
use crate::config::ReadRoot;
use crate::source::model::Project;
use crate::workspace::Workspace;

/// The prototype's own name among the roots.
pub const WORKTREE: &str = "worktree";
/// What one reading may give, in bytes.
pub const MAX_RESULT: usize = 32 << 10;

/// What may be read during one turn.
pub struct Roots<'r> {
    /// The prototype.
    pub workspace: &'r Workspace,
    /// The others.
    pub others: &'r [ReadRoot],
}

/// Which file, and which part of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadFile {
    pub(super) root: Option<String>,
    pub(super) path: String,
    pub(super) sha: Option<String>,
    /// The first line, from 1.
    pub(super) from: Option<usize>,
    /// The last line.
    pub(super) to: Option<usize>,
}

/// What to look for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    pub(super) root: Option<String>,
    pub(super) query: String,
    #[serde(default)]
    pub(super) regex: bool,
    /// A folder or a file; all without it.
    pub(super) path: Option<String>,
}

/// Whose commits.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListCommits {
    pub(super) root: Option<String>,
    pub(super) path: Option<String>,
    pub(super) limit: Option<usize>,
}

/// Between which commits.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffFile {
    pub(super) root: Option<String>,
    pub(super) path: String,
    pub(super) from: String,
    /// Without it the file on disk in the prototype, HEAD elsewhere.
    pub(super) to: Option<String>,
}

/// A root by its name.
enum Root<'r> {
    /// The prototype: from disk, and its commits.
    Worktree(&'r Workspace),
    /// A folder of a repository: from its commits.
    Git(&'r Path),
    /// Any other folder: from disk.
    Plain(&'r str, &'r Path),
}

impl Roots<'_> {
    /// The text of a file, or of some of its lines.
    ///
    /// # Errors
    /// With a sentence for the model.
    pub fn read_file(&self, ask: &ReadFile) -> Result<String, String> {
        names::check(&ask.path)?;
        let sha = ask.sha.as_deref().filter(|sha| !sha.is_empty());
        let (text, mut notes) = match (self.root(ask.root.as_deref())?, sha) {
            (Root::Worktree(workspace), None) => {
                let text = live::read_own(workspace, &ask.path)?;
                (text, vec!["as it is on disk".to_owned()])
            }
            (Root::Worktree(workspace), Some(sha)) => commits::read(workspace.root(), &ask.path, sha)?,
            (Root::Git(path), sha) => commits::read(path, &ask.path, sha.unwrap_or("HEAD"))?,
            (Root::Plain(name, path), sha) => {
                let mut notes = vec!["as it is on disk".to_owned()];
                if let Some(sha) = sha {
                    notes.push(format!("the commit {sha} was ignored: {name} is not in git"));
                }
                (live::read(path, &ask.path)?, notes)
            }
        };
        let (lines, part) = part(&text, ask.from, ask.to)?;
        notes.extend(part);
        let root = ask.root.as_deref().unwrap_or(WORKTREE);
        Ok(bounded(
            &format!("[{root}: {}; {}]\n", ask.path, notes.join("; ")),
            lines,
        ))
    }

    /// Lines with a text.
    ///
    /// # Errors
    /// With a sentence for the model.
    pub fn search(&self, ask: &Search) -> Result<String, String> {
        if ask.query.is_empty() || ask.query.len() > 1_000 {
            return Err("`query` must have 1 to 1,000 characters".to_owned());
        }
        if ask.query.contains(['\n', '\r', '\0']) {
            return Err("`query` must be within one line".to_owned());
        }
        let path = ask.path.as_deref().filter(|path| !path.is_empty() && *path != ".");
        if let Some(path) = path {
            names::check(path)?;
        }
        let (matches, how) = match self.root(ask.root.as_deref())? {
            Root::Worktree(workspace) => {
                let files = workspace.files();
                let within = |file: &&String| path.is_none_or(|path| names::is_within(file, path));
                let files = files.iter().filter(within);
                let files = files.filter(|file| live::is_own(workspace, file)).cloned();
                let found = live::search(workspace.root(), files, &ask.query, ask.regex)?;
                (found, "files on disk".to_owned())
            }
            Root::Git(root) => {
                let (found, commit) = commits::search(root, &ask.query, ask.regex, path)?;
                (found, format!("tracked files at HEAD, {commit}"))
            }
            Root::Plain(_, root) => {
                let files = live::walk(root, path);
                let found = live::search(root, files.into_iter(), &ask.query, ask.regex)?;
                (found, "files on disk".to_owned())
            }
        };
        let root = ask.root.as_deref().unwrap_or(WORKTREE);
        let count = matches.lines.len();
        let more = if matches.cut {
            ", and there are more: search for something rarer"
        } else {
            ""
        };
        let head = format!("[{root}: {how}; {count} lines{more}]\n");
        Ok(bounded(&head, &matches.lines.join("\n")))
    }

    /// Commits, newest first.
    ///
    /// # Errors
    /// With a sentence for the model.
    pub fn list_commits(&self, ask: &ListCommits) -> Result<String, String> {
        let path = ask.path.as_deref().filter(|path| !path.is_empty() && *path != ".");
        if let Some(path) = path {
            names::check(path)?;
        }
        let root = self.in_git(ask.root.as_deref(), "commits cannot be listed")?;
        let text = commits::list(root, path, ask.limit.unwrap_or(20).clamp(1, 200))?;
        Ok(bounded("", &text))
    }

    /// What became of a file between two commits.
    ///
    /// # Errors
    /// With a sentence for the model.
    pub fn diff_file(&self, ask: &DiffFile) -> Result<String, String> {
        names::check(&ask.path)?;
        let root = self.in_git(ask.root.as_deref(), "files cannot be compared")?;
        let is_worktree = ask.root.as_deref().is_none_or(|root| root == WORKTREE);
        let to = match ask.to.as_deref().filter(|to| !to.is_empty()) {
            None if is_worktree => None,
            to => Some(to.unwrap_or("HEAD")),
        };
        let text = commits::diff(root, &ask.path, &ask.from, to)?;
        let text = if text.is_empty() {
            "[no difference]".to_owned()
        } else {
            text
        };
        Ok(bounded("", &text))
    }

    fn in_git(&self, name: Option<&str>, what: &str) -> Result<&Path, String> {
        match self.root(name)? {
            Root::Worktree(workspace) => Ok(workspace.root()),
            Root::Git(path) => Ok(path),
            Root::Plain(name, _) => Err(format!(
                "{what} in the root {name}: it is a plain folder, not a git repository"
            )),
        }
    }

    fn root(&self, name: Option<&str>) -> Result<Root<'_>, String> {
        let Some(name) = name.filter(|name| *name != WORKTREE) else {
            return Ok(Root::Worktree(self.workspace));
        };
        let Some(root) = self.others.iter().find(|root| root.name == name) else {
            let mut names = vec![WORKTREE];
            names.extend(self.others.iter().map(|root| root.name.as_str()));
            return Err(format!("there is no root {name}; there are: {}", names.join(", ")));
        };
        Ok(if root.is_git {
            Root::Git(&root.path)
        } else {
            Root::Plain(&root.name, &root.path)
        })
    }
}

/// The lines asked for, and how to call them.
fn part(text: &str, from: Option<usize>, to: Option<usize>) -> Result<(&str, Vec<String>), String> {
    let count = text.lines().count();
    if from.is_none() && to.is_none() {
        return Ok((text, vec![format!("{count} lines")]));
    }
    let from = from.unwrap_or(1).max(1);
    let to = to.unwrap_or(count).min(count);
    if from > to {
        return Err(format!("there are no lines {from} to {to}: the file has {count}"));
    }
    let start: usize = text.split_inclusive('\n').take(from - 1).map(str::len).sum();
    let length: usize = text
        .split_inclusive('\n')
        .skip(from - 1)
        .take(to + 1 - from)
        .map(str::len)
        .sum();
    Ok((
        &text[start..start + length],
        vec![format!("lines {from} to {to} of {count}")],
    ))
}

/// A result within its bound; where it is cut it says so.
fn bounded(head: &str, text: &str) -> String {
    const CUT: &str = "\n[cut here: the result is larger than 32 KB; ask for a part]";
    if head.len() + text.len() <= MAX_RESULT {
        return format!("{head}{text}");
    }
    let room = MAX_RESULT.saturating_sub(head.len() + CUT.len());
    format!("{head}{}{CUT}", &text[..text.floor_char_boundary(room)])
}
