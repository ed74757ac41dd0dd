//! Hints as files, `.tool/hints/<hash of what was asked>.json`: who restarts the Editor does not pay again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::checked::Hints;
use crate::workspace::write_private;

/// Files of libraries; the oldest go first.
const MAX_FILES: usize = 64;
/// A larger file is none of ours.
const MAX_BYTES: u64 = 256 << 10;

/// Those of a question; `None` where there are none that can be read.
pub(super) fn read(folder: &Path, name: &str) -> Option<Hints> {
    let path = place(folder, name);
    let found = fs::symlink_metadata(&path).ok()?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Keeps them.
pub(super) fn write(folder: &Path, name: &str, hints: &Hints) -> io::Result<()> {
    write_private(&place(folder, name), &serde_json::to_vec(hints)?)?;
    within(folder, MAX_FILES)
}

fn place(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.json"))
}

fn within(folder: &Path, most: usize) -> io::Result<()> {
    let mut all: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        all.push((entry.metadata()?.modified()?, entry.path()));
    }
    all.sort();
    for (_, path) in all.iter().rev().skip(most) {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_kept_by_what_was_asked_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let mut hints = Hints::default();
        hints.examples.insert("Button".to_owned(), "<Button />".to_owned());
        write(folder.path(), "one", &hints).unwrap();
        assert_eq!(read(folder.path(), "one"), Some(hints.clone()));
        assert_eq!(read(folder.path(), "two"), None);
        fs::File::open(place(folder.path(), "one"))
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH)
            .unwrap();
        write(folder.path(), "two", &hints).unwrap();
        within(folder.path(), 1).unwrap();
        assert_eq!(read(folder.path(), "one"), None);
        assert_eq!(read(folder.path(), "two"), Some(hints));
        fs::write(place(folder.path(), "two"), "{").unwrap();
        assert_eq!(read(folder.path(), "two"), None);
    }
}
