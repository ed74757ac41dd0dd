//! Reading from git's commits.

use std::path::Path;

use super::matches::Matches;
use super::names;
use crate::workspace::git::{Command, GitError};

/// Blobs larger than this are not shown.
const MAX_BLOB: u64 = 4 << 20;

/// The text of a file at a commit, and how to call it.
pub(super) fn read(root: &Path, path: &str, name: &str) -> Result<(String, Vec<String>), String> {
    let commit = commit(root, name)?;
    let object = format!("{commit}:./{path}");
    let gone = || format!("there is no file {path} at {name}");
    let size = Command::new(root, ["cat-file", "-s", &object])
        .text()
        .map_err(|_| gone())?;
    if size.trim().parse::<u64>().unwrap_or(u64::MAX) > MAX_BLOB {
        return Err(format!("{path} is larger than {} MB", MAX_BLOB >> 20));
    }
    // A folder is an object, too, and a link's content is where it leads to.
    let bytes = Command::new(root, ["cat-file", "blob", &object])
        .output()
        .map_err(|_| gone())?;
    if bytes.iter().take(8_000).any(|byte| *byte == 0) {
        return Err(format!("{path} is no text"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{path} is no text"))?;
    Ok((text, vec![format!("at {}, {}", name, short(&commit))]))
}

/// Lines of tracked files at HEAD, and the commit.
pub(super) fn search(
    root: &Path,
    query: &str,
    is_regex: bool,
    path: Option<&str>,
) -> Result<(Matches, String), String> {
    let commit = commit(root, "HEAD")?;
    let how = if is_regex {
        "--extended-regexp"
    } else {
        "--fixed-strings"
    };
    let mut args = vec![
        "grep",
        "--no-color",
        "-I",
        "-n",
        "-z",
        "--full-name",
        how,
        "-e",
        query,
        &commit,
        "--",
    ];
    let args_path = path.unwrap_or(".");
    args.push(args_path);
    let prefix = Command::new(root, ["rev-parse", "--show-prefix"])
        .text()
        .unwrap_or_default();
    let output = match Command::new(root, args).output() {
        Ok(output) => output,
        // Nothing found is an exit code too; words come only with a mistake.
        Err(GitError::Refused { words }) if words.starts_with("git ended with") => Vec::new(),
        Err(error) => return Err(error.to_string()),
    };
    let text = String::from_utf8_lossy(&output);
    let mut matches = Matches::default();
    for line in text.lines() {
        // `commit:path`, a zero, the number, a zero (before git 2.21 a colon), the line.
        let Some((place, rest)) = line.split_once('\0') else {
            continue;
        };
        let Some((number, found)) = rest.split_once(['\0', ':']) else {
            continue;
        };
        let Some(path) = place.strip_prefix(&format!("{commit}:")) else {
            continue;
        };
        let path = path.strip_prefix(prefix.as_str()).unwrap_or(path);
        if path.split('/').any(|part| names::closed(part).is_some()) {
            continue;
        }
        if !matches.add(path, number.parse().unwrap_or_default(), found) {
            break;
        }
    }
    Ok((matches, short(&commit).to_owned()))
}

/// Commits with their days, authors and subjects.
pub(super) fn list(root: &Path, path: Option<&str>, limit: usize) -> Result<String, String> {
    let limit = format!("--max-count={limit}");
    let args = [
        "log",
        &limit,
        "--no-color",
        "--date=short",
        "--format=%h %ad %an: %s",
        "--",
        path.unwrap_or("."),
    ];
    let text = Command::new(root, args).text().map_err(|error| error.to_string())?;
    Ok(if text.is_empty() {
        "[no commits]".to_owned()
    } else {
        text
    })
}

/// A unified diff of a file; without `to` against the one on disk.
pub(super) fn diff(root: &Path, path: &str, from: &str, to: Option<&str>) -> Result<String, String> {
    let from = commit(root, from)?;
    let to = to.map(|to| commit(root, to)).transpose()?;
    let mut args = vec![
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--relative",
        &from,
    ];
    args.extend(to.as_deref());
    args.extend(["--", path]);
    let bytes = Command::new(root, args)
        .comparing()
        .output()
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The commit that a name means. Names that could be options are none.
fn commit(root: &Path, name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || "._/~^@{}-".contains(c);
    let unknown = || format!("there is no commit {name:?}");
    if name.is_empty() || name.len() > 200 || name.starts_with('-') || !name.chars().all(plain) {
        return Err(unknown());
    }
    let wanted = format!("{name}^{{commit}}");
    let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
    let text = Command::new(root, args).text().map_err(|_| unknown())?;
    // Older versions of git print the separator itself.
    let commit = text.lines().last().unwrap_or_default();
    let is_hash = commit.len() >= 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
    if is_hash { Ok(commit.to_owned()) } else { Err(unknown()) }
}

fn short(commit: &str) -> &str {
    &commit[..commit.len().min(9)]
}
