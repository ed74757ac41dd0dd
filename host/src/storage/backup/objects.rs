//! The objects of a bucket, as files of a backup.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checked::Checked;
use super::error::BackupError;
use super::list::{Entry, belongs, describe, is_plain};
use crate::storage::durable;
use crate::storage::objects::{Bucket, ObjectError};

/// Objects that are on their way at once.
const UPLOADS: usize = 8;

/// The names of the objects of a bucket that a backup holds.
pub fn names_in(bucket: &Bucket, kinds: &[&str]) -> Result<Vec<String>, BackupError> {
    let mut names = Vec::new();
    for &kind in kinds {
        let listed = bucket.list(kind);
        let listed = listed.map_err(|error| BackupError::Object(kind.to_owned(), error))?;
        names.extend(listed.into_iter().map(|listed| listed.name));
    }
    names.retain(|name| is_plain(name) && belongs(name));
    Ok(names)
}

/// Copies the objects of a bucket, under the names that their files have in a data folder. `earlier` are the files that are in the
/// copy already.
pub fn fetch_all(
    bucket: &Bucket,
    kinds: &[&str],
    target: &Path,
    earlier: &BTreeMap<String, Entry>,
    files: &mut BTreeMap<String, Entry>,
    progress: &mut impl FnMut(usize),
) -> Result<(), BackupError> {
    for name in names_in(bucket, kinds)? {
        // What the data folder has as well is newer: it was not moved yet.
        if files.contains_key(&name) {
            continue;
        }
        // Of all objects blobs alone are replaced.
        if let Some(entry) = earlier.get(&name).filter(|_| !name.starts_with("blobs/")) {
            files.insert(name, entry.clone());
            continue;
        }
        let to = target.join(&name);
        let folder = to.parent().unwrap_or(target);
        durable::private_folder(folder)
            .and_then(|()| durable::remove_file(&to))
            .map_err(|error| BackupError::File(to.clone(), error))?;
        match bucket.save(&name, &to) {
            // Deleted since the bucket was listed: whether it is missed is found out at the end.
            Err(ObjectError::NotFound) => continue,
            saved => saved.map_err(|error| BackupError::Object(name.clone(), error))?,
        }
        let entry = describe(&to).map_err(|error| BackupError::File(to, error))?;
        files.insert(name, entry);
        progress(files.len());
    }
    Ok(())
}

/// Whether a file of a backup lies in the bucket of a cluster: versions, blobs, components, and logs that ended.
fn is_object(backup: &Checked, name: &str) -> bool {
    match name.split('/').next().unwrap_or_default() {
        "sites" | "blobs" | "artifacts" => true,
        "logs" => name
            .strip_suffix(".log")
            .is_some_and(|log| backup.has(&format!("{log}.status"))),
        _ => false,
    }
}

/// Puts the files of a backup that are objects into a bucket. What is there already stays, when it is the same. `progress` is told how
/// many there are.
pub fn upload(backup: &Checked, bucket: &Bucket, progress: impl Fn(usize) + Sync) -> Result<usize, BackupError> {
    let names: Vec<&str> = backup.names().filter(|name| is_object(backup, name)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = upload_one(backup, bucket, name) {
                // The others end, too.
                next.store(names.len(), Ordering::Relaxed);
                return Err(error);
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..UPLOADS).map(|_| scope.spawn(work)).collect();
        let mut ended = threads.into_iter().map(|thread| thread.join());
        let failed = |_| {
            BackupError::Store(
                "a file".to_owned(),
                ObjectError::Away("an upload ended badly".to_owned()),
            )
        };
        ended.try_for_each(|ended| ended.map_err(failed)?)
    })?;
    Ok(names.len())
}

fn upload_one(backup: &Checked, bucket: &Bucket, name: &str) -> Result<(), BackupError> {
    let path = backup.path(name);
    let file = File::open(&path).map_err(|error| BackupError::File(path, error))?;
    match bucket.create(name, &file) {
        Err(ObjectError::Exists) => Err(BackupError::Taken(name.to_owned(), bucket.url().to_owned())),
        Err(error) => Err(BackupError::Store(name.to_owned(), error)),
        Ok(_) => Ok(()),
    }
}
