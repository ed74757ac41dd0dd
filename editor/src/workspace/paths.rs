//! Which paths are the prototype's own. Nothing outside its root is ever read or written, whatever a request or a symbolic
//! link says, and nothing in the folders that run programs (`.git`) or are made by them.

use std::io;
use std::path::{Path, PathBuf};

/// The folder of the Editor inside the prototype's root.
pub const FOLDER: &str = ".tool";

/// Folders no edit may touch: what stands in `.git` is run by git, the others are not the prototype's source.
const CLOSED: [&str; 3] = [".git", "node_modules", FOLDER];

/// A path that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPath {
    /// It leaves the root or is no plain relative path.
    #[error("“{0}” is no path inside the prototype: it should be relative, with / between its parts")]
    Outside(String),
    /// It stands in a folder that is not source.
    #[error("“{0}” is not a source file of the prototype")]
    Closed(String),
}

/// Checks the spelling of a path: relative, `/` between parts, none of them empty, `.` or `..`, and not in a closed folder.
///
/// # Errors
/// With the path.
pub fn checked(path: &str) -> Result<(), BadPath> {
    let plain = !path.is_empty() && path.len() <= 4096 && !path.contains(['\\', '\0']);
    if !plain || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(BadPath::Outside(path.to_owned()));
    }
    if path.split('/').any(is_closed) {
        return Err(BadPath::Closed(path.to_owned()));
    }
    Ok(())
}

/// Names of files that are the same file on every system, and lead nowhere else: letters, digits, spaces, `-` and `_`.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(char::is_alphanumeric)
        && characters.all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '))
        && !name.ends_with(' ')
        && name.len() <= 100
}

/// File systems that ignore letter case open `.GIT` as `.git`.
pub(super) fn is_closed(part: &str) -> bool {
    CLOSED.iter().any(|closed| part.eq_ignore_ascii_case(closed))
}

/// Where a file really stands. `root` has no symbolic links; those below it are followed only when they stay inside.
/// The file itself, and folders above it, may be missing.
pub(super) fn resolve(root: &Path, path: &str) -> Result<PathBuf, BadPath> {
    checked(path)?;
    let outside = || BadPath::Outside(path.to_owned());
    let mut missing = Vec::new();
    let mut known = root.join(path);
    if is_free_of_links(&known) {
        return Ok(known);
    }
    let mut real = loop {
        match known.canonicalize() {
            Ok(real) => break real,
            // A link that leads nowhere is there all the same: writing "to" it would be writing elsewhere.
            Err(_) if known.is_symlink() => return Err(outside()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                missing.push(known.file_name().ok_or_else(outside)?.to_owned());
                known.pop();
            }
            Err(_) => return Err(outside()),
        }
    };
    real.extend(missing.iter().rev());
    let inside = real.strip_prefix(root).map_err(|_| outside())?;
    let closed = inside.iter().any(|part| part.to_str().is_none_or(is_closed));
    if closed || inside.as_os_str().is_empty() {
        return Err(BadPath::Closed(path.to_owned()));
    }
    Ok(real)
}

/// Whether a path leads to what is there without any symbolic link: then it is where the file really stands. Reading the path
/// part by part asks the system once for each of them, and every file is read by its path.
#[cfg(target_os = "linux")]
fn is_free_of_links(path: &Path) -> bool {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    // An older kernel, or one that forbids the call, refuses: then it is not known.
    openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn is_free_of_links(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_plain_relative_paths_are_allowed() {
        for path in [
            "src/App.tsx",
            "a",
            "src/.hidden",
            "src/...",
            "src/a b:c.tsx",
            ".gitignore",
        ] {
            assert_eq!(checked(path), Ok(()), "{path}");
        }
        for path in ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/", "./a", "a\\b", "a\0"] {
            assert!(matches!(checked(path), Err(BadPath::Outside(_))), "{path}");
        }
        for path in [
            ".git/hooks/pre-commit",
            "a/.GIT/config",
            "node_modules/a/b.js",
            ".tool/journal.jsonl",
        ] {
            assert!(matches!(checked(path), Err(BadPath::Closed(_))), "{path}");
        }
    }

    #[test]
    fn plain_names_lead_nowhere_else() {
        for name in ["todo", "Über uns 2", "a-b_c"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", " a", "a ", ".", "..", "a/b", "../x", "a.b", "-a", "a\0", "a\n"] {
            assert!(!is_plain_name(name), "{name}");
        }
    }

    #[test]
    fn links_are_followed_inside_the_root_only() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("root");
        fs::create_dir_all(root.join("src/.git")).unwrap();
        fs::write(root.join("src/a.tsx"), "").unwrap();
        fs::write(folder.path().join("secret"), "").unwrap();
        symlink("src/a.tsx", root.join("inside")).unwrap();
        symlink("../secret", root.join("outside")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("src/.git", root.join("harmless")).unwrap();
        symlink("nowhere", root.join("dangling")).unwrap();
        assert_eq!(resolve(&root, "inside"), Ok(root.join("src/a.tsx")));
        assert_eq!(resolve(&root, "src/new/b.tsx"), Ok(root.join("src/new/b.tsx")));
        for path in [
            "outside",
            "up/secret",
            "up/new",
            "harmless/config",
            "dangling",
            "src/a.tsx/b",
        ] {
            assert!(resolve(&root, path).is_err(), "{path}");
        }
    }
}
