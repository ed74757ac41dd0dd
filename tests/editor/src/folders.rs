//! Copies of whole folders.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

/// What dev servers and bundlers leave in `node_modules` and write again in place: never shared with the original.
fn is_cache(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && !matches!(&*name, ".bin" | ".pnpm" | ".modules.yaml" | ".package-lock.json")
}

/// Copies what lies in `from` into `to`, which is made. Packages are linked where the disk allows it, because dev servers
/// change none of them; links stay links. `keep` is asked for each name, and what it refuses is left out with all below it.
///
/// # Errors
/// When something cannot be read or written.
pub fn copy(from: &Path, to: &Path, keep: &impl Fn(&OsStr) -> bool) -> io::Result<()> {
    each(from, to, keep, false)
}

fn each(from: &Path, to: &Path, keep: &impl Fn(&OsStr) -> bool, packages: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if !keep(&name) {
            continue;
        }
        let (path, to) = (entry.path(), to.join(&name));
        if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&path)?, to)?;
        } else if kind.is_dir() {
            if from.file_name().is_some_and(|folder| folder == "node_modules") && is_cache(&name) {
                continue;
            }
            each(&path, &to, keep, packages || name == "node_modules")?;
        } else if kind.is_file() && !(packages && fs::hard_link(&path, &to).is_ok()) {
            fs::copy(&path, &to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_shared_and_sources_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for path in [
            "src/a.js",
            "node_modules/p/p.js",
            "node_modules/.vite/x.js",
            ".git/HEAD",
        ] {
            fs::create_dir_all(from.join(path).parent().unwrap()).unwrap();
            fs::write(from.join(path), "old").unwrap();
        }
        copy(&from, &to, &|name| name != ".git").unwrap();
        fs::write(to.join("src/a.js"), "new").unwrap();
        fs::write(to.join("node_modules/p/p.js"), "new").unwrap();
        let read = |path: &str| fs::read_to_string(from.join(path)).unwrap();
        assert_eq!(read("src/a.js"), "old", "a source is the copy's own");
        assert_eq!(read("node_modules/p/p.js"), "new", "a package is one file in both");
        assert!(!to.join("node_modules/.vite").exists(), "caches are made anew");
        assert!(!to.join(".git").exists(), "what is not kept is left out");
    }
}
