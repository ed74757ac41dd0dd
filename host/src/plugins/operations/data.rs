//! Deleting what a removed slot kept.

use std::fs;
use std::io;
use std::path::Path;

use crate::storage::blobs::BlobStore;
use crate::storage::{durable, slot_data};

/// Deletes a slot's databases and blobs. Blocks.
pub fn delete(data_dir: &Path, blobs: &BlobStore, slot: &str) -> io::Result<()> {
    let slots = slot_data::folder(data_dir);
    let files = [slots.join("copies"), slots].map(fs::read_dir);
    for file in files.into_iter().flatten().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        // `SLOT.db` and what lies beside it, and the files of other schemas and copies, `SLOT@…`.
        let rest = name.strip_prefix(slot).unwrap_or_default();
        if rest.starts_with(".db") || rest.starts_with('@') {
            // SQLite deletes what lies beside a database when the last of its connections ends, which may be now.
            durable::remove_file(&file.path())?;
        }
    }
    blobs.remove_all(slot)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_file_that_goes_by_itself_is_no_failure() {
        let data = tempfile::tempdir().unwrap();
        let slots = data.path().join("slots");
        fs::create_dir(&slots).unwrap();
        let blobs = BlobStore::open(data.path()).unwrap();
        let closed = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // As SQLite does when it closes a database.
            scope.spawn(|| {
                let beside: Vec<_> = (0..50).map(|number| slots.join(format!("a.db-{number}"))).collect();
                for _ in 0..200 {
                    beside.iter().for_each(|file| fs::write(file, "x").unwrap());
                    beside.iter().for_each(|file| drop(fs::remove_file(file)));
                }
                closed.store(true, Ordering::Relaxed);
            });
            while !closed.load(Ordering::Relaxed) {
                delete(data.path(), &blobs, "a").unwrap();
            }
        });
    }

    #[test]
    fn only_what_is_the_slots_goes() {
        let data = tempfile::tempdir().unwrap();
        for file in [
            "slots/a.db",
            "slots/a.db-wal",
            "slots/a@other.db",
            "slots/copies/a@other@1.db",
            "slots/a-b.db",
            "blobs/b/x.blob",
        ] {
            let path = data.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        let blobs = BlobStore::open(data.path()).unwrap();
        delete(data.path(), &blobs, "a").unwrap();
        delete(data.path(), &blobs, "nothing").unwrap();
        let there = |file: &str| data.path().join(file).exists();
        assert!(there("slots/a-b.db") && there("blobs/b/x.blob"));
        assert!(
            !there("slots/a.db")
                && !there("slots/a.db-wal")
                && !there("slots/a@other.db")
                && !there("slots/copies/a@other@1.db")
        );
    }
}
