//! A bucket with its cache: what is asked of both happens in an order that no crash and no other thread can spoil.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::bucket::{Bucket, Listed};
use super::cache::{CACHE, Cache};
use super::error::ObjectError;
use super::multipart::Unfinished;
use super::stored::Stored;
use super::trailer::Trailer;
use crate::storage::durable;
use crate::storage::id::now_ms;

/// What is younger may belong to somebody who is not finished with it, in milliseconds.
pub const YOUNG: i64 = 60 * 60 * 1000;

/// A bucket and its cache. Names are whole: `sites/PROJECT/VERSION.pack`.
pub(super) struct Store {
    bucket: Bucket,
    cache: Cache,
    /// Whether other servers use the bucket.
    is_shared: bool,
}

impl Store {
    pub fn open(bucket: Bucket, data: &Path, cache_bytes: u64, is_shared: bool) -> io::Result<Self> {
        let cache = Cache::open(data.join(CACHE), cache_bytes)?;
        bucket.give_up_when_away();
        Ok(Self {
            bucket,
            cache,
            is_shared,
        })
    }

    /// The object, from its cached copy or the bucket.
    pub fn get(&self, name: &str) -> Result<Stored, ObjectError> {
        self.cache.open_or(name, |to| self.bucket.fetch(name, to))
    }

    /// Forgets the cached copy of an object that another server replaced. While the bucket is away the copy stays.
    pub fn compare(&self, name: &str) -> Result<(), ObjectError> {
        let copy = self.is_shared.then(|| self.cache.trailer(name)).flatten();
        let Some(copy) = copy else {
            return Ok(());
        };
        match self.bucket.trailer(name) {
            Ok(trailer) if trailer == copy => Ok(()),
            Ok(_) | Err(ObjectError::NotFound) => self.cache.exclusively(name, || {
                // Somebody here may have replaced it meanwhile.
                match self.cache.trailer(name) == Some(copy) {
                    true => Ok(self.cache.remove(name)?),
                    false => Ok(()),
                }
            }),
            Err(ObjectError::Away(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Stores a file for good under a name that is free, and keeps it as the cached copy. The file is moved.
    pub fn add(&self, name: &str, draft: &Path) -> Result<(), ObjectError> {
        self.bucket.fail_if_away()?;
        let file = OpenOptions::new().read(true).append(true).open(draft)?;
        let trailer = self.bucket.create(name, &file)?;
        self.keep(name, draft, file, &trailer);
        Ok(())
    }

    /// Stores a file that lies in the data folder, unless it was deleted meanwhile, and deletes it there. Who reads it finds it
    /// here or there.
    pub fn move_file(&self, name: &str, from: &Path) -> Result<(), ObjectError> {
        self.cache.exclusively(name, || {
            if !from.exists() {
                return Ok(());
            }
            let draft = self.cache.draft();
            fs::copy(from, &draft)?;
            let added = self.add(name, &draft);
            durable::remove_file(&draft)?;
            added?;
            Ok(durable::remove_file(from)?)
        })
    }

    /// Stores a content, whatever had the name before. `then` runs before anybody reads it.
    pub fn replace<E: From<ObjectError>>(
        &self,
        name: &str,
        content: &[u8],
        then: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        self.bucket.fail_if_away()?;
        self.cache.exclusively(name, || {
            // If the request fails, nobody knows which content the bucket has.
            self.cache.remove(name).map_err(ObjectError::from)?;
            let trailer = self.bucket.replace(name, content)?;
            then()?;
            let draft = self.cache.draft();
            match File::create_new(&draft).and_then(|mut file| file.write_all(content).map(|()| file)) {
                Ok(file) => self.keep(name, &draft, file, &trailer),
                Err(error) => tracing::warn!("{name} is not cached: {error}"),
            }
            Ok(())
        })
    }

    /// Stores a blob that lies in the data folder, unless it was deleted or replaced meanwhile, and deletes it there.
    pub fn move_blob(&self, name: &str, from: &Path) -> Result<(), ObjectError> {
        self.cache.exclusively(name, || {
            let content = match fs::read(from) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                content => content?,
            };
            self.bucket.fail_if_away()?;
            self.bucket.replace(name, &content)?;
            self.cache.remove(name)?;
            Ok(durable::remove_file(from)?)
        })
    }

    /// Deletes an object; a missing one is fine. `then` runs before anybody reads the name again.
    pub fn remove(&self, name: &str, then: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.cache.exclusively(name, || {
            then()?;
            self.cache.remove(name)?;
            Ok(self.bucket.delete(name)?)
        })
    }

    pub fn exists(&self, name: &str) -> Result<bool, ObjectError> {
        self.bucket.exists(name)
    }

    pub fn list(&self, folder: &str) -> Result<Vec<Listed>, ObjectError> {
        self.bucket.list(folder)
    }

    pub async fn check(&self) -> Result<(), ObjectError> {
        self.bucket.check().await
    }

    /// Removes the parts of uploads that began an hour ago or earlier and did not end. Returns how many.
    pub fn abandon_unfinished(&self) -> Result<usize, ObjectError> {
        let unfinished: Vec<Unfinished> = self.bucket.unfinished(now_ms() - YOUNG)?;
        let count = unfinished.len();
        for upload in unfinished {
            self.bucket.abandon(upload)?;
        }
        Ok(count)
    }

    /// Makes a file the cached copy of what was just stored. Without a copy it is fetched when it is asked for.
    fn keep(&self, name: &str, draft: &Path, mut file: File, trailer: &Trailer) {
        let kept = file
            .write_all(trailer)
            .and_then(|()| self.cache.insert(name, draft, &file));
        if let Err(error) = kept {
            tracing::warn!("{name} is not cached: {error}");
            let _ = fs::remove_file(draft);
        }
    }
}
