//! Reading from disk.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use super::matches::Matches;
use super::names;
use super::place::inside;
use crate::workspace::Workspace;

/// Larger files are not read.
const MAX_FILE: u64 = 4 << 20;
/// How long a search may take.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);
/// Files that are looked at.
const MAX_FILES: usize = 50_000;
/// Folders within folders.
const MAX_DEPTH: usize = 40;
/// Folders that no walk goes into, besides those whose names begin with a dot.
const SKIPPED: [&str; 3] = ["node_modules", "dist", "build"];

/// The text of a file of the prototype. What git ignores is not read, as no search finds it: there tools and people keep what is theirs.
pub(super) fn read_own(workspace: &Workspace, path: &str) -> Result<String, String> {
    let root = workspace.root();
    if inside(root, path)?.is_file() && !is_own(workspace, path) {
        return Err(format!("{path} is not read: git ignores it"));
    }
    read(root, path)
}

/// Whether a file is the prototype's own where it really stands: a link may lead to what git ignores.
pub(super) fn is_own(workspace: &Workspace, path: &str) -> bool {
    let root = workspace.root();
    let real = inside(root, path).ok();
    let real = real.as_deref().and_then(|real| real.strip_prefix(root).ok()?.to_str());
    real.is_some_and(|real| workspace.is_own(real))
}

/// The text of a file.
pub(super) fn read(root: &Path, path: &str) -> Result<String, String> {
    let real = inside(root, path)?;
    let facts = std::fs::metadata(&real).map_err(|error| format!("{path} cannot be read: {error}"))?;
    if facts.is_dir() {
        return Err(format!("{path} is a folder: search in it, or name a file"));
    }
    // A pipe or a device would never end.
    if !facts.is_file() {
        return Err(format!("{path} is no file"));
    }
    if facts.len() > MAX_FILE {
        return Err(format!("{path} is larger than {} MB", MAX_FILE >> 20));
    }
    let bytes = std::fs::read(&real).map_err(|error| format!("{path} cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{path} is no text"))
}

/// Files below a folder, or the one file, that a search looks at.
pub(super) fn walk(root: &Path, path: Option<&str>) -> Vec<String> {
    let mut files = Vec::new();
    match path {
        Some(path) if root.join(path).is_file() => files.push(path.to_owned()),
        Some(path) => below(root, path.trim_end_matches('/'), 0, &mut files),
        None => below(root, "", 0, &mut files),
    }
    files.sort_unstable();
    files
}

fn below(root: &Path, folder: &str, depth: usize, files: &mut Vec<String>) {
    if depth > MAX_DEPTH {
        return;
    }
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        if files.len() >= MAX_FILES {
            return;
        }
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let Ok(kind) = entry.file_type() else { continue };
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        // What a link leads to is found where it stands, or lies outside.
        if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            below(root, &path, depth + 1, files);
        } else if kind.is_file() {
            files.push(path);
        }
    }
}

/// Lines of files as `path:line: text`.
pub(super) fn search(
    root: &Path,
    files: impl Iterator<Item = String>,
    query: &str,
    is_regex: bool,
) -> Result<Matches, String> {
    let pattern = if is_regex {
        query.to_owned()
    } else {
        regex::escape(query)
    };
    let pattern = regex::RegexBuilder::new(&pattern).size_limit(1 << 20).build();
    let pattern = pattern.map_err(|error| format!("`query` is no regular expression: {error}"))?;
    let begun = Instant::now();
    let mut matches = Matches::default();
    for path in files {
        if begun.elapsed() > SEARCH_TIMEOUT {
            matches.cut = true;
        }
        if matches.cut {
            break;
        }
        if path.split('/').any(|part| names::closed(part).is_some()) {
            continue;
        }
        let Some(text) = text(root, &path) else { continue };
        for (number, line) in text.lines().enumerate() {
            if pattern.is_match(line) && !matches.add(&path, number + 1, line) {
                break;
            }
        }
    }
    Ok(matches)
}

/// A text file's text; `None` for what is none.
fn text(root: &Path, path: &str) -> Option<String> {
    let real = inside(root, path).ok()?;
    let file = std::fs::File::open(real).ok().filter(|file| {
        let facts = file.metadata();
        facts.is_ok_and(|facts| facts.is_file() && facts.len() <= MAX_FILE)
    })?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
    if bytes.iter().take(8_000).any(|byte| *byte == 0) {
        return None;
    }
    String::from_utf8(bytes).ok()
}
