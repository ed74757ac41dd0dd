//! `readRoots`: folders besides the prototype that may be read. A mistake in the file stops the Editor from starting; a
//! folder that is not there on this machine is a warning.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::key::Key;
use super::{Problem, Warning};
use crate::gate::git;

/// The name of the prototype itself among the roots.
const RESERVED: &str = "worktree";
/// The longest name.
const MAX_NAME: usize = 31;

/// A folder that may be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadRoot {
    /// What it is called by.
    pub name: String,
    /// Where it is, without symbolic links.
    pub path: PathBuf,
    /// What it holds, for people and models.
    pub description: Option<String>,
    /// Whether its files are read from git's last commit; else from disk.
    pub is_git: bool,
}

/// Checks all of them. Paths are relative to `root`, the prototype's.
pub(super) fn parse(top: &Key<'_>, root: &Path, warnings: &mut Vec<Warning>) -> Result<Vec<ReadRoot>, Problem> {
    let mut roots: Vec<ReadRoot> = Vec::new();
    for (name, entry) in top.object("readRoots")?.entries() {
        if name == RESERVED {
            return Err(entry.problem("has a reserved name: `worktree` is the prototype itself"));
        }
        if !is_name(name) {
            return Err(entry.problem(
                "has a bad name: it must be a lowercase letter, then at most 30 lowercase letters, digits and hyphens",
            ));
        }
        if !entry.value().is_some_and(serde_json::Value::is_object) {
            return Err(entry.expected("an object with `path` and `description`"));
        }
        let path_key = entry.get("path");
        let path = root.join(path_key.required_text()?);
        let description = entry.get("description").text()?.map(str::to_owned);
        let path = match path.canonicalize() {
            Ok(path) => path,
            Err(error) => {
                let words = format!(
                    "`readRoots.{name}` is skipped: {} cannot be opened ({error})",
                    path.display()
                );
                warnings.push(Warning::new("read-root-missing", words));
                continue;
            }
        };
        if path == root {
            return Err(path_key.problem("is the prototype's own folder, which is always read"));
        }
        if !path.is_dir() {
            return Err(path_key.problem(format!("must be a folder, but {} is a file", path.display())));
        }
        if let Some(twin) = roots.iter().find(|other| other.path == path) {
            let words = format!(
                "`readRoots.{name}` and `readRoots.{}` are the same folder, {}",
                twin.name,
                path.display()
            );
            warnings.push(Warning::new("read-root-twice", words));
        }
        roots.push(ReadRoot {
            name: name.to_owned(),
            is_git: is_git(&path),
            path,
            description,
        });
    }
    Ok(roots)
}

/// `^[a-z][a-z0-9-]{0,30}$`
fn is_name(name: &str) -> bool {
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= MAX_NAME && name.chars().all(inside)
}

/// Whether the last commit of some repository holds the folder. One that lies in a repository but is ignored or new there
/// has nothing git could show.
fn is_git(path: &Path) -> bool {
    let asked = git(path).args(["rev-parse", "--quiet", "--verify", "HEAD:./"]).output();
    asked.is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(root: &Path, roots: &Value) -> (Result<Vec<ReadRoot>, Problem>, Vec<Warning>) {
        let file = json!({ "readRoots": roots });
        let mut warnings = Vec::new();
        let read = parse(&Key::top(&file).unwrap(), root, &mut warnings);
        (read, warnings)
    }

    #[test]
    fn mistakes_in_the_file_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        let long = "a".repeat(32);
        for (roots, key) in [
            (json!([]), "readRoots"),
            (json!({ "Docs": { "path": ".." } }), "readRoots.Docs"),
            (json!({ "1": { "path": ".." } }), "readRoots.1"),
            (json!({ "": { "path": ".." } }), "readRoots."),
            (
                json!({ (long.clone()): { "path": ".." } }),
                &format!("readRoots.{long}"),
            ),
            (json!({ "worktree": { "path": ".." } }), "readRoots.worktree"),
            (json!({ "docs": ".." }), "readRoots.docs"),
            (json!({ "docs": {} }), "readRoots.docs.path"),
            (json!({ "docs": { "path": " " } }), "readRoots.docs.path"),
            (
                json!({ "docs": { "path": "..", "description": 1 } }),
                "readRoots.docs.description",
            ),
            (json!({ "docs": { "path": "." } }), "readRoots.docs.path"),
            (json!({ "docs": { "path": root } }), "readRoots.docs.path"),
            (json!({ "docs": { "path": "file" } }), "readRoots.docs.path"),
        ] {
            assert_eq!(read(&root, &roots).0.unwrap_err().key, key, "{roots}");
        }
    }

    #[test]
    fn what_this_machine_lacks_is_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder
            .path()
            .join("app")
            .canonicalize()
            .unwrap_or(folder.path().join("app"));
        std::fs::create_dir_all(root.join("../docs")).unwrap();
        let root = root.canonicalize().unwrap();
        let roots =
            json!({ "gone": { "path": "../gone" }, "one": { "path": "../docs" }, "two": { "path": "../docs/." } });
        let (roots, warnings) = read(&root, &roots);
        let names: Vec<_> = roots
            .unwrap()
            .into_iter()
            .map(|root| (root.name, root.is_git))
            .collect();
        assert_eq!(names, [("one".to_owned(), false), ("two".to_owned(), false)]);
        let codes: Vec<_> = warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["read-root-missing", "read-root-twice"]);
    }
}
