//! A consistent copy of the data folder, made while a server uses it, and the way back.
//!
//! Databases are copied each from a snapshot of its own; the core's comes first, so that an event which a
//! slot has seen and the copy of the core has not is delivered again (delivery is at least once anyway). Files of
//! prototypes never change; a version that disappears between the two is noticed, and the copy is made again.
//! `backup.json` lists every file with its SHA-256: a copy without it is not complete. The list is not believed: what it
//! names is restored only when a backup could have written it, above all no compiled plugin.
//!
//! A cluster's backup is the same: who knows its databases writes them into the folder as files ([`begin`], [`finish`]), and a cluster is
//! filled from the files of a backup that was checked ([`Checked`]).

mod checked;
mod error;
mod folder;
mod list;
mod objects;

use std::collections::BTreeMap;
use std::path::Path;

use super::objects::{Bucket, KINDS};
use folder::{be_empty, clear, copy_all, copy_file, is_whole, names_below};
use list::{Entry, List, describe};
use objects::fetch_all;

pub use checked::Checked;
pub use error::BackupError;
pub use list::Summary;
pub use objects::upload;

/// How often a copy is tried: it starts again when a prototype was deleted meanwhile.
pub const MAX_ATTEMPTS: u32 = 3;

/// Copies the data folder, and what the bucket holds of it, into `target`, which must be empty or missing. `progress` is called
/// with the number of copied files.
pub fn create(
    data: &Path,
    bucket: Option<&Bucket>,
    target: &Path,
    mut progress: impl FnMut(usize),
) -> Result<Summary, BackupError> {
    if !data.join("core.db").is_file() {
        return Err(BackupError::NoData(
            data.to_owned(),
            "set SERVICE_DATA_DIR to the folder of the server",
        ));
    }
    begin(target)?;
    for _ in 0..MAX_ATTEMPTS {
        let files = copy_all(data, target, &mut progress)?;
        let objects = bucket.map(|bucket| (bucket, KINDS.as_slice()));
        if let Some(made) = complete(target, objects, files, &mut progress)? {
            return Ok(made);
        }
    }
    Err(BackupError::Busy)
}

/// Makes an empty folder for a backup.
pub fn begin(target: &Path) -> Result<(), BackupError> {
    be_empty(target, "a backup needs a folder of its own")
}

/// Empties the folder of a backup that cannot be completed.
pub fn give_up(target: &Path) {
    // What cannot be deleted is no backup all the same: it has no list.
    let _ = clear(target);
}

/// Completes a backup whose databases and other files are in the folder: adds what the bucket holds of these kinds, and the list.
/// `None` when versions were deleted meanwhile; the folder is empty again then.
pub fn finish(
    target: &Path,
    bucket: &Bucket,
    kinds: &[&str],
    mut progress: impl FnMut(usize),
) -> Result<Option<Summary>, BackupError> {
    let mut files = BTreeMap::new();
    for name in names_below(target, Path::new(""))? {
        let path = target.join(&name);
        let entry = describe(&path).map_err(|error| BackupError::File(path, error))?;
        files.insert(name.to_string_lossy().into_owned(), entry);
        progress(files.len());
    }
    complete(target, Some((bucket, kinds)), files, &mut progress)
}

fn complete(
    target: &Path,
    objects: Option<(&Bucket, &[&str])>,
    mut files: BTreeMap<String, Entry>,
    progress: &mut impl FnMut(usize),
) -> Result<Option<Summary>, BackupError> {
    if let Some((bucket, kinds)) = objects {
        fetch_all(bucket, kinds, target, &mut files, progress)?;
    }
    if !is_whole(target)? {
        clear(target)?;
        return Ok(None);
    }
    let list = List::of(files);
    list.write(target)?;
    Ok(Some(list.summary()))
}

/// Checks a backup and copies it into `data`, which must be empty or missing. The core's database comes last: a data
/// folder without it is not taken for a whole one.
pub fn restore(backup: &Path, data: &Path, mut progress: impl FnMut(usize)) -> Result<Summary, BackupError> {
    let unchecked = Checked::list_of(backup)?;
    be_empty(
        data,
        "a backup is restored into an empty data folder; move the present one away",
    )?;
    let checked = unchecked.check(|_| {})?;
    let (last, others): (Vec<&str>, Vec<&str>) = checked.names().partition(|name| *name == "core.db");
    for (done, name) in others.into_iter().chain(last).enumerate() {
        let (from, to) = (checked.path(name), data.join(name));
        copy_file(&from, &to).map_err(|error| BackupError::File(from, error))?;
        progress(done + 1);
    }
    Ok(checked.summary())
}

#[cfg(test)]
mod tests;
