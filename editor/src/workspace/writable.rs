//! Whether a file may be replaced. A rename asks for the right to write into the folder only, and an administrator may do
//! everything: a file that its owner made read-only would be replaced without a word.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::Access;

use super::error::WorkspaceError;
use super::{Workspace, paths};

/// The bits that let somebody write.
const ANYBODY_WRITES: u32 = 0o222;

impl Workspace {
    /// Why a file of the prototype may not be written, in a sentence; `None` when it may.
    #[must_use]
    pub fn why_read_only(&self, path: &str) -> Option<String> {
        let target = paths::resolve(&self.root, path).ok()?;
        let refused = check(&self.root, path, &target).err()?;
        Some(refused.to_string())
    }
}

/// Checks a file and the nearest folder above it that is there. `path` is what the file is called, `target` where it stands.
///
/// # Errors
/// [`WorkspaceError::NotWritable`].
pub(super) fn check(root: &Path, path: &str, target: &Path) -> Result<(), WorkspaceError> {
    let refused = |why: String| WorkspaceError::NotWritable {
        path: path.to_owned(),
        why,
    };
    if let Ok(found) = fs::metadata(target) {
        may_write(target, &found).map_err(|why| refused(format!("the file {why}. {}", remedy("file"))))?;
    }
    let folders = target.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    let nearest = folders
        .map(|folder| (folder, fs::metadata(folder)))
        .find_map(|(folder, found)| Some((folder, found.ok()?)));
    match nearest {
        Some((folder, found)) => {
            may_write(folder, &found).map_err(|why| refused(format!("its folder {why}. {}", remedy("folder"))))
        }
        None => Ok(()),
    }
}

fn remedy(what: &str) -> String {
    format!("Give yourself the right to write the {what} (chmod u+w), or change the file where it comes from")
}

fn may_write(path: &Path, found: &fs::Metadata) -> Result<(), String> {
    let mode = found.permissions().mode() & 0o777;
    if mode & ANYBODY_WRITES == 0 {
        return Err(format!("is read-only (mode {mode:o})"));
    }
    match rustix::fs::access(path, Access::WRITE_OK) {
        Ok(()) => Ok(()),
        Err(error) => Err(format!("may not be written by you ({})", words(&error.into()))),
    }
}

/// The system's words without its number.
fn words(error: &io::Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words);
    words.to_ascii_lowercase()
}

/// Makes a refusal of the operating system one of the file, by its relative path: it is no defect of the Editor.
pub(super) fn name(root: &Path, error: WorkspaceError) -> WorkspaceError {
    match error {
        WorkspaceError::Io { path, error }
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
            ) =>
        {
            let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let why = format!("{}. Nothing was changed", words(&error));
            WorkspaceError::NotWritable { path, why }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;

    #[test]
    fn a_read_only_file_and_one_in_a_read_only_folder_are_refused_to_everybody() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let set = |path: &str, mode| fs::set_permissions(root.join(path), Permissions::from_mode(mode)).unwrap();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/a"), "").unwrap();
        let tried = |path: &str| check(root, path, &root.join(path)).map_err(|error| error.to_string());
        assert_eq!(tried("src/a"), Ok(()));
        assert_eq!(tried("src/new/b"), Ok(()));
        set("src/a", 0o444);
        let words = tried("src/a").unwrap_err();
        assert!(
            words.starts_with("src/a cannot be written: the file is read-only (mode 444)"),
            "{words}"
        );
        set("src/a", 0o644);
        set("src", 0o555);
        for path in ["src/a", "src/new"] {
            let words = tried(path).unwrap_err();
            assert!(words.contains("its folder is read-only (mode 555)"), "{words}");
        }
        set("src", 0o755);
    }

    #[test]
    fn what_the_system_refuses_is_named_relative_to_the_root() {
        let path = Path::new("/home/me/shop/src/a").to_owned();
        let error = WorkspaceError::Io {
            path,
            error: io::ErrorKind::PermissionDenied.into(),
        };
        let words = name(Path::new("/home/me/shop"), error).to_string();
        assert_eq!(words, "src/a cannot be written: permission denied. Nothing was changed");
    }
}
