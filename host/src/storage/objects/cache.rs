//! Copies of objects on the local disk: bounded, checked before their first use, fetched once however many ask.
//!
//! A copy is the object as the store has it, trailer included. It is checked again when its file changed since the last
//! check; a damaged one is deleted and fetched again.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::error::ObjectError;
use super::stored::Stored;
use super::trailer::{self, Trailer};
use crate::storage::durable;
use crate::storage::id::new_id;
use crate::storage::stamp::Stamp;

/// The folder of copies, in the data folder.
pub const CACHE: &str = "cache";
/// Where copies are made. No object's name begins so.
const DRAFTS: &str = ".drafts";

/// The copies.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    max_bytes: u64,
    copies: Mutex<Copies>,
    /// One lock for each object that is being fetched or changed.
    fetches: Mutex<HashMap<String, Arc<Mutex<()>>>>,
}

#[derive(Debug, Default)]
struct Copies {
    known: HashMap<String, Known>,
    bytes: u64,
    uses: u64,
}

#[derive(Debug)]
struct Known {
    size: u64,
    last_use: u64,
    /// What the file was when its content was checked.
    checked: Option<Stamp>,
}

impl Cache {
    /// Uses (and creates) a folder; what it holds counts from the oldest to the newest.
    pub fn open(folder: PathBuf, max_bytes: u64) -> io::Result<Self> {
        let drafts = folder.join(DRAFTS);
        let _ = fs::remove_dir_all(&drafts);
        fs::create_dir_all(&drafts)?;
        let mut found = Vec::new();
        collect(&folder, "", &mut found)?;
        found.sort();
        let mut copies = Copies::default();
        for (_, name, size) in found {
            copies.add(&name, size, None);
        }
        let cache = Self {
            folder,
            max_bytes,
            copies: Mutex::new(copies),
            fetches: Mutex::default(),
        };
        cache.make_room("");
        Ok(cache)
    }

    /// A path for a file that will be [`insert`](Self::insert)ed.
    pub fn draft(&self) -> PathBuf {
        self.folder.join(DRAFTS).join(new_id())
    }

    /// The object, from its copy. Without a sound one `fetch` writes it to a path; who asks meanwhile waits for the same.
    pub fn open_or(
        &self,
        name: &str,
        fetch: impl FnOnce(&Path) -> Result<(), ObjectError>,
    ) -> Result<Stored, ObjectError> {
        if let Some(stored) = self.sound(name)? {
            return Ok(stored);
        }
        self.exclusively(name, || match self.sound(name)? {
            Some(stored) => Ok(stored),
            None => self.fetched(name, fetch),
        })
    }

    /// Runs `work` while nobody else fetches or changes this object.
    pub fn exclusively<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        let lock = self.fetches.lock().entry(name.to_owned()).or_default().clone();
        let held = lock.lock();
        let done = work();
        drop(held);
        let mut fetches = self.fetches.lock();
        // Nobody else waits for it: one reference is the table's, one is here.
        if Arc::strong_count(&lock) <= 2 {
            fetches.remove(name);
        }
        done
    }

    fn fetched(&self, name: &str, fetch: impl FnOnce(&Path) -> Result<(), ObjectError>) -> Result<Stored, ObjectError> {
        let draft = self.draft();
        let stored = fetch(&draft).and_then(|()| {
            let file = File::open(&draft)?;
            let len = trailer::check(&file)?.ok_or_else(|| ObjectError::Damaged(name.to_owned()))?;
            self.insert(name, &draft, &file)?;
            Ok(Stored::new(name, file, len))
        });
        if stored.is_err() {
            let _ = fs::remove_file(&draft);
        }
        stored
    }

    /// The trailer of a copy, if there is one. The copy is not checked.
    pub fn trailer(&self, name: &str) -> Option<Trailer> {
        trailer::read(&File::open(self.folder.join(name)).ok()?).ok()?
    }

    /// Takes a whole object in, whose content was checked or made here; its file is moved.
    pub fn insert(&self, name: &str, draft: &Path, file: &File) -> io::Result<()> {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        let stamp = Stamp::of(&file.metadata()?);
        fs::rename(draft, &path)?;
        self.copies.lock().add(name, stamp.size, Some(stamp));
        self.make_room(name);
        Ok(())
    }

    /// Forgets an object; a missing one is fine.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.copies.lock().forget(name);
        durable::remove_file(&self.folder.join(name))
    }

    /// The copy, when it is there and as it was stored.
    fn sound(&self, name: &str) -> Result<Option<Stored>, ObjectError> {
        let path = self.folder.join(name);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.copies.lock().forget(name);
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let stamp = Stamp::of(&file.metadata()?);
        if self.copies.lock().is_checked(name, stamp) {
            return Ok(Some(Stored::new(name, file, stamp.size - trailer::LEN)));
        }
        match trailer::check(&file)? {
            Some(len) => {
                self.copies.lock().add(name, stamp.size, Some(stamp));
                Ok(Some(Stored::new(name, file, len)))
            }
            None => {
                tracing::warn!("the copy of {name} is damaged: it is fetched from the object store again");
                self.remove(name)?;
                Ok(None)
            }
        }
    }

    /// Deletes what was not used for the longest time until the rest fits. `newest` goes last of all.
    fn make_room(&self, newest: &str) {
        let mut copies = self.copies.lock();
        if copies.bytes <= self.max_bytes {
            return;
        }
        let mut by_use: Vec<(bool, u64, String)> = copies
            .known
            .iter()
            .map(|(name, known)| (name == newest, known.last_use, name.clone()))
            .collect();
        by_use.sort();
        for (_, _, name) in by_use {
            if copies.bytes <= self.max_bytes {
                return;
            }
            copies.forget(&name);
            // Who reads it reads on.
            if let Err(error) = durable::remove_file(&self.folder.join(&name)) {
                tracing::warn!("the copy of {name} cannot be deleted: {error}");
            }
        }
    }
}

impl Copies {
    fn add(&mut self, name: &str, size: u64, checked: Option<Stamp>) {
        self.forget(name);
        self.uses += 1;
        self.bytes += size;
        let known = Known {
            size,
            last_use: self.uses,
            checked,
        };
        self.known.insert(name.to_owned(), known);
    }

    fn forget(&mut self, name: &str) {
        if let Some(known) = self.known.remove(name) {
            self.bytes -= known.size;
        }
    }

    /// Whether the content was checked when the file was the same; a use of the copy.
    fn is_checked(&mut self, name: &str, stamp: Stamp) -> bool {
        self.uses += 1;
        let uses = self.uses;
        self.known.get_mut(name).is_some_and(|known| {
            known.last_use = uses;
            known.checked == Some(stamp)
        })
    }
}

/// All copies below a folder: when each was written, its name and its size.
fn collect(folder: &Path, prefix: &str, found: &mut Vec<((i64, i64), String, u64)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A name that is not UTF-8 was not made here, and stays.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let facts = entry.metadata()?;
        if facts.is_file() {
            let stamp = Stamp::of(&facts);
            found.push((stamp.modified, format!("{prefix}{name}"), stamp.size));
        } else if facts.is_dir() && name != DRAFTS {
            collect(&entry.path(), &format!("{prefix}{name}/"), found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;

    fn write(path: &Path, content: &[u8]) -> Result<(), ObjectError> {
        Ok(fs::write(path, [content, &trailer::of(content)].concat())?)
    }

    fn unasked(_: &Path) -> Result<(), ObjectError> {
        panic!("it is here")
    }

    #[test]
    fn what_is_here_is_not_fetched_also_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Cache::open(folder.path().to_owned(), 1 << 20).unwrap();
        let cache = open();
        let stored = cache.open_or("a/b", |path| write(path, b"content")).unwrap();
        assert_eq!(stored.read(0, 100).unwrap(), b"content");
        assert_eq!(stored.read(3, 2).unwrap(), b"te");
        cache.open_or("a/b", unasked).unwrap();
        assert_eq!(open().open_or("a/b", unasked).unwrap().size(), 7);
    }

    #[test]
    fn many_who_ask_get_one_fetch() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().to_owned(), 1 << 20).unwrap();
        let fetches = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let fetch = |path: &Path| {
                        fetches.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(50));
                        write(path, b"content")
                    };
                    assert_eq!(cache.open_or("a", fetch).unwrap().size(), 7);
                });
            }
        });
        assert_eq!(fetches.load(Ordering::Relaxed), 1);
        assert!(cache.fetches.lock().is_empty());
    }

    #[test]
    fn a_damaged_copy_is_fetched_again_and_a_damaged_object_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path().to_owned(), 1 << 20).unwrap();
        cache.open_or("a", |path| write(path, b"content")).unwrap();
        // One bit, in a file of the same length.
        let mut bytes = fs::read(folder.path().join("a")).unwrap();
        bytes[2] ^= 1;
        fs::write(folder.path().join("a"), bytes).unwrap();
        let again = cache.open_or("a", |path| write(path, b"content")).unwrap();
        assert_eq!(again.read(0, 100).unwrap(), b"content");
        fs::write(folder.path().join("a"), b"cut").unwrap();
        let damaged = cache.open_or("a", |path| Ok(fs::write(path, b"no object")?));
        assert!(matches!(damaged, Err(ObjectError::Damaged(_))), "{damaged:?}");
        assert!(!folder.path().join("a").exists());
        assert_eq!(fs::read_dir(folder.path().join(DRAFTS)).unwrap().count(), 0);
    }

    #[test]
    fn what_was_used_last_stays() {
        let folder = tempfile::tempdir().unwrap();
        let size = 100 + trailer::LEN;
        let cache = Cache::open(folder.path().to_owned(), 3 * size).unwrap();
        let fetch = |path: &Path| write(path, &[7; 100]);
        for name in ["a", "b", "c"] {
            cache.open_or(name, fetch).unwrap();
        }
        let held = cache.open_or("b", unasked).unwrap();
        cache.open_or("a", unasked).unwrap();
        cache.open_or("d", fetch).unwrap();
        cache.open_or("e", fetch).unwrap();
        let there = |name: &str| folder.path().join(name).exists();
        assert!(there("a") && !there("b") && !there("c") && there("d") && there("e"));
        assert_eq!(held.read(0, 200).unwrap().len(), 100);
        // One that is too large by itself is served all the same.
        let large = cache.open_or("large", |path| write(path, &[7; 1000])).unwrap();
        assert_eq!(large.read(0, 2000).unwrap().len(), 1000);
        assert_eq!(cache.copies.lock().bytes, 0);
    }
}
