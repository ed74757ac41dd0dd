//! A consistent copy of the data folder, made while a server uses it, and the way back.
//!
//! All databases are copied as they are at one [`Moment`](moment::Moment), and fit together as after a power failure. Their files are
//! copied afterwards: they are stored before anything refers to them, and a version's never change. When one disappears in between, the
//! copy is brought to another moment.
//! `backup.json` lists every file with its SHA-256: a copy without it is not complete. The list is not believed: what it
//! names is restored only when a backup could have written it, above all no compiled plugin.
//!
//! A cluster's backup is the same: who knows its databases writes them into the folder as files ([`begin`], [`finish`]), and a cluster is
//! filled from the files of a backup that was checked ([`Checked`]).

mod checked;
mod copying;
mod error;
mod folder;
mod list;
mod moment;
mod objects;
mod restore;

use std::collections::{BTreeMap, btree_map};
use std::path::Path;

use super::data_folder;
use super::objects::Bucket;
use copying::Copying;
use folder::{be_empty, be_outside, clear, missing_version, names_below};
use list::{CORE, Entry, List, describe};
use objects::fetch_all;

pub use checked::Checked;
pub use error::BackupError;
pub use list::Summary;
pub use objects::upload;
pub use restore::restore;

/// How often a copy is tried: there is another attempt when a file was deleted meanwhile.
pub const MAX_ATTEMPTS: u32 = 3;

/// Copies the data folder, and what the bucket holds of it, into `target`, which must be empty or missing. `complete` adds what is
/// not in the data folder to the finished copy. `progress` is called with the number of copied files.
pub fn create<E: From<BackupError>>(
    data: &Path,
    bucket: Option<&Bucket>,
    target: &Path,
    complete: impl FnOnce() -> Result<(), E>,
    mut progress: impl FnMut(usize),
) -> Result<Summary, E> {
    let mut copying = begin_copying(data, bucket, target)?;
    let mut missed = None;
    for _ in 0..MAX_ATTEMPTS {
        missed = copying.attempt(&mut progress)?;
        if missed.is_none() {
            break;
        }
    }
    if let Some(missed) = missed {
        give_up(target);
        return Err(BackupError::Missed(missed).into());
    }
    complete()?;
    let mut files = copying.into_files();
    describe_all(target, &mut files, &mut progress)?;
    let list = List::of(files);
    list.write(target)?;
    Ok(list.summary())
}

fn begin_copying<'c>(data: &'c Path, bucket: Option<&'c Bucket>, target: &'c Path) -> Result<Copying<'c>, BackupError> {
    data_folder::be_whole(data)?;
    if !data.join(CORE).is_file() {
        return Err(BackupError::NoData(
            data.to_owned(),
            "set SERVICE_DATA_DIR to the folder of the server",
        ));
    }
    be_outside(target, data)?;
    begin(target)?;
    Ok(Copying::new(data, bucket, target))
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
    describe_all(target, &mut files, &mut progress)?;
    fetch_all(bucket, kinds, target, &BTreeMap::new(), &mut files, &mut progress)?;
    if missing_version(target)?.is_some() {
        clear(target)?;
        return Ok(None);
    }
    let list = List::of(files);
    list.write(target)?;
    Ok(Some(list.summary()))
}

/// Adds the files in the folder that are not described yet.
fn describe_all(
    target: &Path,
    files: &mut BTreeMap<String, Entry>,
    progress: &mut impl FnMut(usize),
) -> Result<(), BackupError> {
    for name in names_below(target)? {
        let key = name.to_string_lossy().into_owned();
        let known = files.len() + 1;
        if let btree_map::Entry::Vacant(place) = files.entry(key) {
            let path = target.join(&name);
            place.insert(describe(&path).map_err(|error| BackupError::File(path, error))?);
            progress(known);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
