//! The files of a data folder, or of a backup.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::error::BackupError;
use super::list::{CORE, belongs};
use crate::storage::durable;
use crate::storage::sites;

/// Makes a folder that must be empty. One that is refused stays as it is.
pub fn be_empty(folder: &Path, why: &'static str) -> Result<(), BackupError> {
    let fail = |error| BackupError::File(folder.to_owned(), error);
    if folder.exists() && fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(BackupError::NotEmpty(folder.to_owned(), why));
    }
    durable::private_folder(folder).map_err(fail)
}

/// Refuses a backup that would be a part of the data folder, and of its next backup. Parts of the folder may lie elsewhere.
pub fn be_outside(target: &Path, data: &Path) -> Result<(), BackupError> {
    let fail = |error| BackupError::File(data.to_owned(), error);
    let real = std::path::absolute(target).map(|target| real_path(&target));
    let real = real.map_err(|error| BackupError::File(target.to_owned(), error))?;
    let mut parts = vec![data.to_owned()];
    for entry in fs::read_dir(data).map_err(fail)? {
        parts.push(entry.map_err(fail)?.path());
    }
    let is_inside = |part: &PathBuf| fs::canonicalize(part).is_ok_and(|part| real.starts_with(part));
    match parts.iter().any(is_inside) {
        true => Err(BackupError::Inside(target.to_owned(), data.to_owned())),
        false => Ok(()),
    }
}

/// A path without links, as far as it is there.
fn real_path(path: &Path) -> PathBuf {
    let real = |there: &Path| Some(fs::canonicalize(there).ok()?.join(path.strip_prefix(there).ok()?));
    path.ancestors().find_map(real).unwrap_or_else(|| path.to_owned())
}

/// Empties a folder.
pub fn clear(folder: &Path) -> Result<(), BackupError> {
    fs::remove_dir_all(folder)
        .and_then(|()| durable::private_folder(folder))
        .map_err(|error| BackupError::File(folder.to_owned(), error))
}

/// The files that belong into a backup, relative to the data folder. A part of that may be a link to another disk; a link within
/// a part is refused.
pub fn names_below(data: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let mut found = Vec::new();
    let mut left = vec![PathBuf::new()];
    while let Some(folder) = left.pop() {
        let path = data.join(&folder);
        let fail = |error| BackupError::File(path.clone(), error);
        let entries = match fs::read_dir(&path) {
            // Deleted since the folder above was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.as_os_str().is_empty() => continue,
            entries => entries.map_err(fail)?,
        };
        for entry in entries {
            let entry = entry.map_err(fail)?;
            let name = folder.join(entry.file_name());
            if !belongs(&name.to_string_lossy()) {
                continue;
            }
            let mut kind = entry.file_type().map_err(fail)?;
            if kind.is_symlink() {
                let path = entry.path();
                if !folder.as_os_str().is_empty() {
                    return Err(BackupError::Link(path));
                }
                let led_to = fs::metadata(&path).map_err(|error| BackupError::File(path, error))?;
                kind = led_to.file_type();
            }
            if kind.is_dir() {
                left.push(name);
            } else if kind.is_file() {
                found.push(name);
            }
        }
    }
    Ok(found)
}

/// A durable copy that only its owner reads.
pub fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    copy_opened(&mut File::open(from)?, to)
}

/// The same of a file that is open.
pub fn copy_opened(from: &mut File, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    durable::private_folder(folder)?;
    let mut copy = File::create(to)?;
    copy.set_permissions(fs::Permissions::from_mode(0o600))?;
    io::copy(from, &mut copy)?;
    copy.sync_all()?;
    durable::sync_folder(folder)
}

/// The file of a version that the copied database knows and the copy lacks.
pub fn missing_version(copy: &Path) -> Result<Option<String>, BackupError> {
    let path = copy.join(CORE);
    let ask = || {
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut statement = connection.prepare("SELECT project_id, id FROM versions")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
    };
    let versions = ask().map_err(|error| BackupError::Database(path.clone(), error))?;
    let mut files = versions
        .iter()
        .map(|(project, version)| sites::pack_file(copy, project, version));
    let missing = files.find(|file| !file.is_file());
    Ok(missing.map(|file| file.strip_prefix(copy).unwrap_or(&file).display().to_string()))
}
