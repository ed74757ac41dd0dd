//! Replacing a file so that a crash leaves either the old content or the new.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The mode of a folder that is its owner's alone.
const PRIVATE: u32 = 0o700;

/// Writes a file that only its owner reads: beside `path`, synced, renamed into place, the folder synced.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    write_file_with_mode(path, content, 0o600)
}

/// The same with this mode, whatever the process's umask.
pub fn write_file_with_mode(path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}

/// Makes the names in a folder durable.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Deletes a file; a missing one is fine.
pub fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a folder only its owner can enter.
pub fn private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(PRIVATE).create(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(PRIVATE))
}

/// Creates the folder, or closes it to everybody but its owner. The line for the log when it was open; a folder that
/// cannot be closed (a volume that belongs to another user) is used all the same.
pub fn close_folder(path: &Path) -> io::Result<Option<String>> {
    if !path.exists() {
        return private_folder(path).map(|()| None);
    }
    let mode = fs::metadata(path)?.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(None);
    }
    let shown = path.display();
    Ok(Some(match private_folder(path) {
        Ok(()) => format!(
            "{shown} was open to other users of this machine (mode {mode:o}) and is closed now (700): what was in it may \
             have been read"
        ),
        Err(error) => format!(
            "{shown} is open to other users of this machine (mode {mode:o}) and cannot be closed: {error}; make this \
             server's user its owner, or close it by hand (chmod 700)"
        ),
    }))
}
