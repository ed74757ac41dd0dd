//! Filling a data folder from a backup.

use std::fs;
use std::io;
use std::path::Path;

use super::checked::Checked;
use super::error::BackupError;
use super::folder::{be_outside, copy_file};
use super::list::Summary;
use crate::config::pause::{self, Step};
use crate::storage::data_folder::{FolderLock, LOCK, RESTORING};
use crate::storage::durable;

/// Checks a backup and copies it into `data`, which must be empty or missing, or half restored. From the first file until `complete` has
/// run, no server starts on it.
pub fn restore<E: From<BackupError>>(
    backup: &Path,
    data: &Path,
    complete: impl FnOnce() -> Result<(), E>,
    mut progress: impl FnMut(usize),
) -> Result<Summary, E> {
    let (checked, lock) = begin(backup, data)?;
    pause::block_at(Step::Restore);
    for (done, name) in checked.names().enumerate() {
        let (from, to) = (checked.path(name), data.join(name));
        copy_file(&from, &to).map_err(|error| BackupError::File(from, error))?;
        progress(done + 1);
    }
    complete()?;
    lock.end_filling().map_err(BackupError::from)?;
    Ok(checked.summary())
}

/// The data folder is emptied and marked when everything else was looked at. One that is refused stays as it is.
fn begin(backup: &Path, data: &Path) -> Result<(Checked, FolderLock), BackupError> {
    let unchecked = Checked::list_of(backup)?;
    be_free(data)?;
    let checked = unchecked.check(|_| {})?;
    let lock = FolderLock::take_to_fill(data)?;
    // A server may have been faster.
    be_free(data)?;
    // Emptying the folder would delete it.
    be_outside(backup, data)?;
    let fail = |error| BackupError::File(data.to_owned(), error);
    durable::private_folder(data).map_err(fail)?;
    lock.begin_to_fill()?;
    clear(data).map_err(fail)?;
    Ok((checked, lock))
}

/// Refuses a folder with anything in it but the files of its lock and of a restoration that was interrupted.
fn be_free(data: &Path) -> Result<(), BackupError> {
    let fail = |error| BackupError::File(data.to_owned(), error);
    if !data.exists() || data.join(RESTORING).exists() {
        return Ok(());
    }
    for entry in fs::read_dir(data).map_err(fail)? {
        if entry.map_err(fail)?.file_name() != LOCK {
            return Err(BackupError::NotEmpty(
                data.to_owned(),
                "a backup is restored into an empty data folder; move the present one away",
            ));
        }
    }
    Ok(())
}

/// Deletes what an interrupted restoration copied.
fn clear(data: &Path) -> io::Result<()> {
    for entry in fs::read_dir(data)? {
        let entry = entry?;
        if entry.file_name() == LOCK || entry.file_name() == RESTORING {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}
