//! The files of a data folder, or of a backup.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::error::BackupError;
use super::list::{Entry, belongs, describe};
use crate::storage::durable;
use crate::storage::sites;
use crate::storage::sqlite::copy_database;

/// Makes a folder that must be empty.
pub fn be_empty(folder: &Path, why: &'static str) -> Result<(), BackupError> {
    let fail = |error| BackupError::File(folder.to_owned(), error);
    durable::private_folder(folder).map_err(fail)?;
    if fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(BackupError::NotEmpty(folder.to_owned(), why));
    }
    Ok(())
}

/// Empties a folder.
pub fn clear(folder: &Path) -> Result<(), BackupError> {
    fs::remove_dir_all(folder)
        .and_then(|()| durable::private_folder(folder))
        .map_err(|error| BackupError::File(folder.to_owned(), error))
}

/// Copies what belongs into a backup.
pub fn copy_all(
    data: &Path,
    target: &Path,
    progress: &mut impl FnMut(usize),
) -> Result<BTreeMap<String, Entry>, BackupError> {
    let mut names = names_below(data, Path::new(""))?;
    // Databases first, and of those the core's.
    names.sort_by_key(|name| (name != Path::new("core.db"), !is_database(name), name.clone()));
    let mut files = BTreeMap::new();
    for name in names {
        let (from, to) = (data.join(&name), target.join(&name));
        let copied = if is_database(&name) {
            if let Some(folder) = to.parent() {
                let _ = durable::private_folder(folder);
            }
            copy_database(&from, &to, None).map_err(|error| BackupError::Database(from.clone(), error))
        } else {
            match copy_file(&from, &to) {
                // Deleted since the folder was read: whether it is missed is found out at the end.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                copied => copied.map_err(|error| BackupError::File(from.clone(), error)),
            }
        };
        copied?;
        let entry = describe(&to).map_err(|error| BackupError::File(to, error))?;
        files.insert(name.to_string_lossy().into_owned(), entry);
        progress(files.len());
    }
    Ok(files)
}

fn is_database(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending == "db")
}

/// The files that belong into a backup, relative to the data folder.
pub fn names_below(data: &Path, folder: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let mut found = Vec::new();
    let path = data.join(folder);
    let fail = |error| BackupError::File(path.clone(), error);
    for entry in fs::read_dir(&path).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = folder.join(entry.file_name());
        let kind = entry.file_type().map_err(fail)?;
        if !belongs(&name.to_string_lossy()) {
            continue;
        }
        if kind.is_dir() {
            found.extend(names_below(data, &name)?);
        } else if kind.is_file() {
            found.push(name);
        }
    }
    Ok(found)
}

/// A durable copy that only its owner reads.
pub fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    durable::private_folder(folder)?;
    fs::copy(from, to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o600))?;
    File::open(to)?.sync_all()?;
    durable::sync_folder(folder)
}

/// Whether every version the copied database knows has its file in the copy.
pub fn is_whole(copy: &Path) -> Result<bool, BackupError> {
    let path = copy.join("core.db");
    let ask = || {
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut statement = connection.prepare("SELECT project_id, id FROM versions")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
    };
    let versions = ask().map_err(|error| BackupError::Database(path.clone(), error))?;
    Ok(versions
        .iter()
        .all(|(project, version)| sites::pack_file(copy, project, version).is_file()))
}
