//! The folder of one build: the repository, and a home and a place for temporary files that no other build sees.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::storage::durable::private_folder;

/// How often the deletion of a folder is tried, and the pause in between: the last processes of a stopped build may still
/// be ending.
const MAX_TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// A fresh folder. [`BuildFolder::remove`] deletes it; one that is left is deleted at the next boot.
#[derive(Debug, Clone)]
pub struct BuildFolder {
    root: PathBuf,
}

impl BuildFolder {
    /// Makes `<data folder>/builds/<name>` with what a build needs in it, for `user` (its number and its group's) when that
    /// is not the server's.
    pub fn create(data_dir: &Path, name: &str, user: Option<(u32, u32)>) -> io::Result<Self> {
        // Commands run elsewhere, and need a path that holds there.
        let root = data_dir.canonicalize()?.join("builds").join(name);
        remove(&root)?;
        let folder = Self { root };
        for part in [folder.root(), &folder.source(), &folder.home(), &folder.temporary()] {
            private_folder(part)?;
            if let Some((user, group)) = user {
                chown(part, Some(user), Some(group))?;
            }
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The repository's files.
    pub fn source(&self) -> PathBuf {
        self.root.join("source")
    }

    /// HOME.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// TMPDIR.
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Deletes it.
    pub fn remove(&self) -> io::Result<()> {
        remove(&self.root)
    }
}

/// Deletes the folders of earlier builds.
pub fn sweep(data_dir: &Path) -> io::Result<()> {
    remove(&data_dir.join("builds"))
}

/// Deletes a folder with all that is in it, also what a build made unreadable; a missing one is fine.
fn remove(folder: &Path) -> io::Result<()> {
    let mut tried = 0;
    loop {
        let error = match fs::remove_dir_all(folder) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => return Ok(()),
            Err(error) => error,
        };
        tried += 1;
        if tried == MAX_TRIES {
            return Err(error);
        }
        open_up(folder);
        std::thread::sleep(PAUSE);
    }
}

/// Gives the owner back what is needed for deleting: a build may take it from its own folders.
fn open_up(folder: &Path) {
    let Ok(kind) = fs::symlink_metadata(folder) else { return };
    if !kind.is_dir() {
        return;
    }
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        open_up(&entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_fresh_private_and_goes_with_everything_in_it() {
        let data = tempfile::tempdir().unwrap();
        let folder = BuildFolder::create(data.path(), "b1", None).unwrap();
        let mode = fs::metadata(folder.root()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::create_dir_all(folder.source().join("a/b")).unwrap();
        fs::write(folder.source().join("a/b/c"), "x").unwrap();
        fs::set_permissions(folder.source().join("a"), fs::Permissions::from_mode(0o000)).unwrap();
        let again = BuildFolder::create(data.path(), "b1", None).unwrap();
        assert!(!again.source().join("a").exists());
        again.remove().unwrap();
        again.remove().unwrap();
        sweep(data.path()).unwrap();
        sweep(data.path()).unwrap();
        assert!(!data.path().join("builds").exists());
    }
}
