//! Replacing files so that a crash, of the program or of the machine, leaves either the old content or the new.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;

/// New contents are prepared here, under `.tool/`. Dev servers watch the source folders: a temporary file there would make
/// them look twice, and one that a crash left behind would stay.
pub(super) const STAGING: &str = "staging";

/// A new content, not yet in its place.
pub(super) struct Staged {
    path: PathBuf,
    file: File,
    target: PathBuf,
    mode: Option<u32>,
}

impl Staged {
    /// Writes `content` beside its place. `mode` is that of the file it replaces.
    pub(super) fn new(tool: &Path, name: &str, target: &Path, content: &[u8], mode: Option<u32>) -> io::Result<Self> {
        let path = tool.join(STAGING).join(name);
        let file = prepare(&path, content, mode)?;
        let target = target.to_owned();
        Ok(Self {
            path,
            file,
            target,
            mode,
        })
    }

    /// Makes the content durable; before this a crash of the machine may lose it.
    pub(super) fn sync(&self) -> Result<(), WorkspaceError> {
        self.file.sync_all().map_err(WorkspaceError::at(&self.target))
    }

    /// Puts it into its place, in one step.
    pub(super) fn settle(self) -> io::Result<()> {
        let folder = self.target.parent().unwrap_or(Path::new("."));
        match fs::rename(&self.path, &self.target) {
            // The folder is a mount of its own: the step has to begin in it.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let beside = folder.join(beside_name(&self.path));
                let content = fs::read(&self.path)?;
                prepare(&beside, &content, self.mode)?.sync_all()?;
                fs::rename(&beside, &self.target)?;
                fs::remove_file(&self.path)
            }
            other => other,
        }
    }
}

/// What a temporary file is called where it has to stand beside its target.
fn beside_name(staged: &Path) -> String {
    let name = staged.file_name().unwrap_or_default().to_string_lossy();
    format!(".galley-{name}")
}

/// Removes what a crash may have left beside a target.
pub(super) fn clear_beside(target: &Path, name: &str) {
    if let Some(folder) = target.parent() {
        let _ = fs::remove_file(folder.join(beside_name(Path::new(name))));
    }
}

/// Removes everything that was being prepared when the program ended.
pub(super) fn clear_staging(tool: &Path) {
    for left in fs::read_dir(tool.join(STAGING)).into_iter().flatten().flatten() {
        let _ = fs::remove_file(left.path());
    }
}

fn prepare(path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = match create() {
        // A crash left it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove(path)?;
            create()?
        }
        created => created?,
    };
    file.write_all(content)?;
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(file)
}

/// Writes one of the Editor's own files in one step.
pub(crate) fn write_file(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}

/// Opens one of the Editor's own files for reading and appending; a symbolic link in its place is an error.
pub(super) fn open_own(path: &Path, create: bool) -> io::Result<File> {
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits();
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(create).mode(0o600);
    options
        .custom_flags(i32::try_from(no_link).unwrap_or_default())
        .open(path)
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Deletes a file; a missing one is fine.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_with_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(STAGING)).unwrap();
        let target = folder.path().join("run.sh");
        fs::write(&target, "old").unwrap();
        let staged = Staged::new(folder.path(), "1", &target, b"new", Some(0o755)).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"old");
        staged.sync().unwrap();
        staged.settle().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_dir(folder.path().join(STAGING)).unwrap().count(), 0);
    }

    #[test]
    fn a_link_is_not_taken_for_one_of_the_editors_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other"), "precious").unwrap();
        std::os::unix::fs::symlink("other", folder.path().join("journal")).unwrap();
        assert!(open_own(&folder.path().join("journal"), true).is_err());
    }
}
