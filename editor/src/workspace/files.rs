//! Which files the prototype has: what git tracks or would track.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::{git, paths};

/// A list is believed so long when nobody watches the folders, and when somebody does (a watch can miss something).
const UNWATCHED: Duration = Duration::from_secs(1);
const WATCHED: Duration = Duration::from_secs(60);

pub(super) struct Files {
    root: PathBuf,
    known: Mutex<Option<(Instant, Arc<[String]>)>>,
    watched: AtomicBool,
    /// Files that were asked for by name and that git ignores.
    ignored: Mutex<HashSet<String>>,
}

impl Files {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            known: Mutex::default(),
            watched: AtomicBool::new(false),
            ignored: Mutex::default(),
        }
    }

    /// The same as [`Files::has`] when it can be told without running git.
    pub(super) fn has_at_once(&self, path: &str) -> Option<bool> {
        let list = match &*self.known.lock() {
            Some((since, list)) if since.elapsed() < self.lasts() => Arc::clone(list),
            _ => return None,
        };
        if list.binary_search_by(|listed| listed.as_str().cmp(path)).is_ok() {
            return Some(true);
        }
        let is_none = paths::checked(path).is_err() || self.ignored.lock().contains(path);
        is_none.then_some(false)
    }

    /// Whether a file is one of them. The list may be a moment old: git is asked about a file it does not have.
    pub(super) fn has(&self, path: &str) -> bool {
        let is_listed = self.list().binary_search_by(|listed| listed.as_str().cmp(path)).is_ok();
        if is_listed || paths::checked(path).is_err() {
            return is_listed;
        }
        if self.ignored.lock().contains(path) {
            return false;
        }
        // Names are taken as they are here anyway, and asking for it is an error.
        let ask = git::Command::new(&self.root, ["check-ignore", "--quiet", "--", &format!("./{path}")]);
        let ignored = ask.env("GIT_LITERAL_PATHSPECS", "0").output().is_ok();
        if ignored {
            self.ignored.lock().insert(path.to_owned());
        }
        !ignored
    }

    /// All of them, sorted.
    pub(super) fn list(&self) -> Arc<[String]> {
        let mut known = self.known.lock();
        if let Some((since, list)) = &*known
            && since.elapsed() < self.lasts()
        {
            return Arc::clone(list);
        }
        let list: Arc<[String]> = ask(&self.root).into();
        *known = Some((Instant::now(), Arc::clone(&list)));
        list
    }

    /// How long a list is believed.
    fn lasts(&self) -> Duration {
        if self.watched.load(Ordering::Relaxed) {
            WATCHED
        } else {
            UNWATCHED
        }
    }

    /// Something came or went.
    pub(super) fn forget(&self) {
        *self.known.lock() = None;
        self.ignored.lock().clear();
    }

    pub(super) fn are_watched(&self) {
        self.watched.store(true, Ordering::Relaxed);
    }
}

fn ask(root: &Path) -> Vec<String> {
    let listed = git::Command::new(root, ["ls-files", "-z", "-co", "--exclude-standard"]).output();
    let listed = match listed {
        Ok(listed) => listed,
        Err(error) => {
            tracing::warn!(%error, "git does not list the prototype's files");
            return Vec::new();
        }
    };
    let names = listed
        .split(|byte| *byte == 0)
        .filter_map(|name| str::from_utf8(name).ok());
    let mut names: Vec<String> = names
        .filter(|name| paths::checked(name).is_ok() && root.join(name).is_file())
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    // A file in the middle of a merge is listed once for each side.
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_git_ignores_is_not_the_prototypes_own() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        git::Command::new(&root, ["init", "--quiet"]).output().unwrap();
        for path in [
            "src/[id].tsx",
            "src/a.tsx",
            "dist/a.js",
            "node_modules/x/y.js",
            ".tool/journal.jsonl",
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        fs::write(root.join(".gitignore"), "dist\n").unwrap();
        let files = Files::new(&root);
        assert_eq!(
            *files.list(),
            [".gitignore", "src/[id].tsx", "src/a.tsx"].map(String::from)
        );
        fs::write(root.join("src/[new].tsx"), "").unwrap();
        for path in ["src/a.tsx", "src/[new].tsx"] {
            assert!(files.has(path), "{path}");
        }
        assert_eq!(files.has_at_once("src/a.tsx"), Some(true));
        assert_eq!(files.has_at_once("dist/a.js"), None, "git was not asked yet");
        for path in ["dist/a.js", "dist/b.js", "node_modules/x/y.js", "../a", ".git/config"] {
            assert!(!files.has(path), "{path}");
            assert_eq!(files.has_at_once(path), Some(false), "{path}");
        }
        files.forget();
        assert_eq!(files.has_at_once("src/a.tsx"), None);
    }
}
