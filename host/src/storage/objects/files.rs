//! Files by name, in a folder or in a bucket.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bucket::Listed;
use super::error::ObjectError;
use super::mover::Mover;
use super::store::Store;
use super::stored::Stored;
use crate::storage::durable;

/// The files of one kind. Names are relative paths of checked parts, such as `PROJECT/VERSION.pack`. Calls block.
#[derive(Clone)]
pub struct Files {
    kind: &'static str,
    folder: PathBuf,
    store: Option<(Arc<Store>, Mover)>,
}

impl Files {
    pub(super) fn new(kind: &'static str, folder: PathBuf, store: Option<(Arc<Store>, Mover)>) -> Self {
        Self { kind, folder, store }
    }

    /// Where the files of a data folder are that are not in a bucket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether they lie in a bucket.
    pub fn is_remote(&self) -> bool {
        self.store.is_some()
    }

    /// Opens a file. `NotFound` when there is none, and [`is_away`](super::is_away) when only the bucket has it and cannot be
    /// reached.
    pub fn open(&self, name: &str) -> io::Result<Stored> {
        match (Stored::open(&self.folder.join(name)), &self.store) {
            (Err(error), Some((store, _))) if error.kind() == io::ErrorKind::NotFound => {
                Ok(store.get(&self.whole(name))?)
            }
            (opened, _) => opened,
        }
    }

    /// The same for a file that can be [replaced](Self::replace): where other servers may do so, a copy is compared with what the bucket has now.
    pub fn open_latest(&self, name: &str) -> io::Result<Stored> {
        if let Some((store, _)) = &self.store {
            store.compare(&self.whole(name))?;
        }
        self.open(name)
    }

    /// Whether there is a file of this name, as far as the data folder knows: `None` where only the bucket does.
    pub fn is_here(&self, name: &str) -> Option<bool> {
        match (self.folder.join(name).exists(), &self.store) {
            (false, Some(_)) => None,
            (found, _) => Some(found),
        }
    }

    /// Whether there is a file of this name.
    pub fn exists(&self, name: &str) -> io::Result<bool> {
        match (self.is_here(name), &self.store) {
            (None, Some((store, _))) => Ok(store.exists(&self.whole(name))?),
            (found, _) => Ok(found.unwrap_or_default()),
        }
    }

    /// Gives a finished and synced file its name, durably; the file is moved. In a bucket the name must be free
    /// (`AlreadyExists`), in a folder the file replaces one that is there.
    pub fn add(&self, name: &str, draft: &Path) -> io::Result<()> {
        if let Some((store, _)) = &self.store {
            return Ok(store.add(&self.whole(name), draft)?);
        }
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        if !folder.exists() {
            fs::create_dir_all(folder)?;
            folder.parent().map_or(Ok(()), durable::sync_folder)?;
        }
        fs::rename(draft, &path)?;
        durable::sync_folder(folder)
    }

    /// Stores a content under a name, durably, whatever had it before.
    pub fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.folder.join(name);
        if let Some((store, _)) = &self.store {
            return store.replace(&self.whole(name), content, || durable::remove_file(&path));
        }
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        durable::write_file(&path, content)
    }

    /// Deletes a file; a missing one is fine.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.folder.join(name);
        match &self.store {
            Some((store, _)) => store.remove(&self.whole(name), || durable::remove_file(&path)),
            None => durable::remove_file(&path),
        }
    }

    /// Deletes everything below a folder of names, which has no slash at its end.
    pub fn remove_below(&self, folder: &str) -> io::Result<()> {
        for name in self.listed(folder)?.into_iter().flatten() {
            self.remove(&name)?;
        }
        match fs::remove_dir_all(self.folder.join(folder)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The names that a bucket has below a folder (all with an empty one), and when each was stored, in milliseconds since
    /// 1970; `None` without a bucket.
    pub fn in_bucket(&self, folder: &str) -> io::Result<Option<Vec<(String, i64)>>> {
        let Some((store, _)) = &self.store else { return Ok(None) };
        let whole = self.whole(folder);
        let listed = store.list(whole.trim_end_matches('/'))?;
        let own = |listed: Listed| {
            let name = listed.name.strip_prefix(self.kind)?.strip_prefix('/')?;
            Some((name.to_owned(), listed.modified))
        };
        Ok(Some(listed.into_iter().filter_map(own).collect()))
    }

    fn listed(&self, folder: &str) -> io::Result<Option<Vec<String>>> {
        let found = self.in_bucket(folder)?;
        Ok(found.map(|found| found.into_iter().map(|(name, _)| name).collect()))
    }

    /// The file in the data folder is finished: it is moved to the bucket, where there is one, when that is possible.
    pub fn move_later(&self, name: &str) {
        if let Some((_, mover)) = &self.store {
            mover.enqueue(self.whole(name));
        }
    }

    /// Whether the bucket answers now; fine without one.
    pub async fn check(&self) -> Result<(), ObjectError> {
        match &self.store {
            Some((store, _)) => store.check().await,
            None => Ok(()),
        }
    }

    /// The name within the bucket.
    fn whole(&self, name: &str) -> String {
        format!("{}/{name}", self.kind)
    }
}
