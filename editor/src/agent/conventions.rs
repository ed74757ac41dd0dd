//! What a repository tells assistants: five files of its top folder, the rules of an editor, and the docs tree.
//!
//! They are data for the model, as everything else of the repository is; they change no permission.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::agent::reading::is_withheld;
use crate::config::tool::Conventions;

/// The files of the top folder.
const FILES: [&str; 5] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".windsurfrules"];
/// The rules of an editor: all files below it.
const RULES: &str = ".cursor/rules";
/// The docs tree: Markdown below it.
const DOCS: &str = "docs";
/// All texts together, in bytes.
pub const MAX_BYTES: usize = 32 << 10;
/// Files that are looked at.
const MAX_FILES: usize = 500;
/// Folders within folders.
const MAX_DEPTH: usize = 12;
/// Files that were left out and are named.
const MAX_LEFT: usize = 50;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Files whose texts the model gets.
    pub taken: Vec<Taken>,
    /// Files it does not get.
    pub left: Vec<Left>,
}

/// A file the model gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Relative to the repository's top folder.
    pub path: String,
    /// How much of it, in bytes.
    pub bytes: usize,
    /// Whether its end is missing.
    pub cut: bool,
    /// The text itself, which no page is sent.
    #[serde(skip)]
    pub text: String,
}

/// A file the model does not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Relative to the repository's top folder.
    pub path: String,
    /// Why not.
    pub why: String,
}

/// Looks for them below the repository's top folder.
#[must_use]
pub fn find(git_root: &Path, settings: &Conventions) -> Found {
    let mut found = Found::default();
    if !settings.use_repo_conventions {
        return found;
    }
    let mut room = MAX_BYTES;
    for path in candidates(git_root) {
        let mut leave = |why: &str| {
            if found.left.len() < MAX_LEFT {
                let (path, why) = (path.clone(), why.to_owned());
                found.left.push(Left { path, why });
            }
        };
        if settings.exclude_files.contains(&path) {
            leave("`conventions.excludeFiles` names it");
            continue;
        }
        let text = match read(git_root, &path) {
            Ok(text) => text,
            Err(why) => {
                leave(why);
                continue;
            }
        };
        if text.trim().is_empty() {
            continue;
        }
        if room == 0 {
            leave("the 32 KB for instructions are used up");
            continue;
        }
        let whole = text.len();
        let end = text.floor_char_boundary(whole.min(room));
        // Half a line could say the opposite of the whole.
        let end = if end < whole {
            text[..end].rfind('\n').map_or(0, |at| at + 1)
        } else {
            end
        };
        if end == 0 {
            room = 0;
            leave("the 32 KB for instructions are used up");
            continue;
        }
        room = if end < whole { 0 } else { room - end };
        found.taken.push(Taken {
            path,
            bytes: end,
            cut: end < whole,
            text: text[..end].to_owned(),
        });
    }
    found
}

/// All paths that could be instructions, in the order they are taken in.
fn candidates(git_root: &Path) -> Vec<String> {
    let mut paths: Vec<String> = FILES.map(str::to_owned).into();
    paths.retain(|path| git_root.join(path).is_file());
    for (folder, markdown_only) in [(RULES, false), (DOCS, true)] {
        let mut below = Vec::new();
        walk(git_root, folder, 0, &mut below);
        below.retain(|path| !markdown_only || path.to_ascii_lowercase().ends_with(".md"));
        below.sort_unstable();
        paths.extend(below);
    }
    paths.truncate(MAX_FILES);
    paths
}

fn walk(root: &Path, folder: &str, depth: usize, paths: &mut Vec<String>) {
    if depth > MAX_DEPTH || paths.len() > MAX_FILES {
        return;
    }
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = format!("{folder}/{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name != "node_modules" && !name.starts_with('.') => {
                walk(root, &path, depth + 1, paths);
            }
            // Links are looked at when they are read: they may lead out of the repository.
            Ok(kind) if !kind.is_dir() => paths.push(path),
            _ => {}
        }
    }
}

fn read(root: &Path, path: &str) -> Result<String, &'static str> {
    let place: PathBuf = root.join(path);
    let real = place.canonicalize().map_err(|_| "it cannot be opened")?;
    let root = root.canonicalize().map_err(|_| "the repository cannot be opened")?;
    let inside = real
        .strip_prefix(&root)
        .map_err(|_| "it is a link that leads out of the repository")?;
    if inside.iter().any(|part| is_withheld(&part.to_string_lossy())) {
        return Err("files of its name may hold secrets");
    }
    let facts = std::fs::metadata(&real).map_err(|_| "it cannot be opened")?;
    if !facts.is_file() {
        return Err("it is no file");
    }
    if facts.len() > 16 << 20 {
        return Err("it is too large");
    }
    let bytes = std::fs::read(&real).map_err(|_| "it cannot be read")?;
    String::from_utf8(bytes).map_err(|_| "it is no text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn settings(exclude: &[&str]) -> Conventions {
        Conventions {
            use_repo_conventions: true,
            exclude_files: exclude.iter().map(|path| (*path).to_owned()).collect(),
        }
    }

    fn paths(found: &Found) -> Vec<&str> {
        found.taken.iter().map(|taken| taken.path.as_str()).collect()
    }

    #[test]
    fn the_five_files_the_rules_and_the_docs_are_taken_in_this_order() {
        let folder = repository(&[
            (".windsurfrules", "w"),
            ("AGENTS.md", "a"),
            (".cursorrules", "c"),
            ("CLAUDE.md", "c"),
            ("GEMINI.md", "g"),
            (".cursor/rules/b/style.mdc", "b"),
            (".cursor/rules/a.mdc", "a"),
            ("docs/design/colours.md", "d"),
            ("docs/.hidden/x.md", "x"),
            ("docs/node_modules/x.md", "x"),
            ("docs/picture.svg", "x"),
            ("src/AGENTS.md", "x"),
        ]);
        let found = find(folder.path(), &settings(&["GEMINI.md"]));
        let wanted = [
            "AGENTS.md",
            "CLAUDE.md",
            ".cursorrules",
            ".windsurfrules",
            ".cursor/rules/a.mdc",
            ".cursor/rules/b/style.mdc",
            "docs/design/colours.md",
        ];
        assert_eq!(paths(&found), wanted);
        assert_eq!(found.left[0].path, "GEMINI.md");
        let off = Conventions {
            use_repo_conventions: false,
            exclude_files: Vec::new(),
        };
        assert_eq!(find(folder.path(), &off), Found::default());
    }

    #[test]
    fn thirty_two_kilobytes_are_taken_in_whole_lines() {
        let long = "a line of the rules\n".repeat(2_000);
        let folder = repository(&[("AGENTS.md", "first\n"), ("CLAUDE.md", &long), ("docs/a.md", "late\n")]);
        let found = find(folder.path(), &settings(&[]));
        assert_eq!(paths(&found), ["AGENTS.md", "CLAUDE.md"]);
        assert!(found.taken[1].cut && found.taken[1].text.ends_with("rules\n"));
        let all: usize = found.taken.iter().map(|taken| taken.bytes).sum();
        assert!(all <= MAX_BYTES && all > MAX_BYTES - 100);
        assert_eq!(found.left[0].path, "docs/a.md");
    }

    #[test]
    fn links_out_of_the_repository_and_files_with_secrets_are_left() {
        let outside = repository(&[("secret.md", "secret")]);
        let folder = repository(&[("docs/real.md", "real"), (".env", "KEY=1")]);
        symlink(outside.path().join("secret.md"), folder.path().join("docs/out.md")).unwrap();
        symlink("../.env", folder.path().join("docs/env.md")).unwrap();
        symlink("real.md", folder.path().join("docs/same.md")).unwrap();
        let found = find(folder.path(), &settings(&[]));
        assert_eq!(paths(&found), ["docs/real.md", "docs/same.md"]);
        assert_eq!(found.left.len(), 2);
    }
}
