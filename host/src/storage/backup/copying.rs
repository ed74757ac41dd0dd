//! The copy of a data folder. What is deleted while it is copied may be missed in it: then another attempt copies the databases anew,
//! and of the files those that are new.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::error::BackupError;
use super::folder::{copy_file, copy_opened, missing_version};
use super::list::{Entry, describe};
use super::moment::Moment;
use super::objects::{fetch_all, names_in};
use crate::config::pause::{self, Step};
use crate::storage::durable;
use crate::storage::objects::{Bucket, KINDS};
use crate::storage::stamp::Stamp;

/// A copy under way.
pub struct Copying<'c> {
    data: &'c Path,
    bucket: Option<&'c Bucket>,
    target: &'c Path,
    files: BTreeMap<String, Entry>,
    /// What each file was when it was copied.
    stamps: BTreeMap<String, Stamp>,
}

impl<'c> Copying<'c> {
    /// Nothing is copied yet.
    pub fn new(data: &'c Path, bucket: Option<&'c Bucket>, target: &'c Path) -> Self {
        Self {
            data,
            bucket,
            target,
            files: BTreeMap::new(),
            stamps: BTreeMap::new(),
        }
    }

    /// The files of the copy.
    pub fn into_files(self) -> BTreeMap<String, Entry> {
        self.files
    }

    /// Makes the copy one of the present moment. The answer is the name of a file that is missing in it.
    pub fn attempt(&mut self, progress: &mut impl FnMut(usize)) -> Result<Option<String>, BackupError> {
        let earlier = std::mem::take(&mut self.files);
        let mut expected = match self.bucket {
            None => Vec::new(),
            Some(bucket) => names_in(bucket, &KINDS)?,
        };
        let moment = Moment::of(self.data)?;
        pause::block_at(Step::Moment);
        for (name, snapshot) in moment.databases {
            let to = self.target.join(&name);
            let folder = to.parent().unwrap_or(self.target);
            durable::private_folder(folder)
                .and_then(|()| durable::remove_file(&to))
                .map_err(|error| BackupError::File(to.clone(), error))?;
            let copied = snapshot.copy_to(&to, None);
            copied.map_err(|error| BackupError::Database(self.data.join(&name), error))?;
            self.add(&name, progress)?;
        }
        for (name, mut file) in moment.top {
            let copied = copy_opened(&mut file, &self.target.join(&name));
            copied.map_err(|error| BackupError::File(self.data.join(&name), error))?;
            self.add(&name, progress)?;
        }
        for name in moment.names {
            self.copy_new(&name, &earlier, progress)?;
            expected.push(name.to_string_lossy().into_owned());
        }
        if let Some(bucket) = self.bucket {
            fetch_all(bucket, &KINDS, self.target, &earlier, &mut self.files, progress)?;
        }
        for name in earlier.keys().filter(|name| !self.files.contains_key(*name)) {
            let path = self.target.join(name);
            durable::remove_file(&path).map_err(|error| BackupError::File(path, error))?;
        }
        let missed = expected.into_iter().find(|name| !self.files.contains_key(name));
        match missed {
            None => missing_version(self.target),
            missed => Ok(missed),
        }
    }

    /// Copies a file, unless an earlier attempt did. One that was deleted is left out.
    fn copy_new(
        &mut self,
        name: &Path,
        earlier: &BTreeMap<String, Entry>,
        progress: &mut impl FnMut(usize),
    ) -> Result<(), BackupError> {
        let from = self.data.join(name);
        let key = name.to_string_lossy().into_owned();
        let copied = match fs::metadata(&from).map(|found| Stamp::of(&found)) {
            Err(error) => Err(error),
            Ok(stamp) => {
                if let Some(entry) = earlier.get(&key)
                    && self.stamps.get(&key) == Some(&stamp)
                {
                    self.files.insert(key, entry.clone());
                    return Ok(());
                }
                // Looked at first: one that is replaced during the copy is copied again.
                self.stamps.insert(key, stamp);
                copy_file(&from, &self.target.join(name))
            }
        };
        match copied {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(BackupError::File(from, error)),
            Ok(()) => self.add(name, progress),
        }
    }

    fn add(&mut self, name: &Path, progress: &mut impl FnMut(usize)) -> Result<(), BackupError> {
        let path = self.target.join(name);
        let entry = describe(&path).map_err(|error| BackupError::File(path, error))?;
        self.files.insert(name.to_string_lossy().into_owned(), entry);
        progress(self.files.len());
        Ok(())
    }
}
