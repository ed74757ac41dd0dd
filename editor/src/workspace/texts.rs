//! Reading source files, with a cache that a changed file does not get past.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;

use super::paths;
use crate::source::model::project::MAX_SOURCE_BYTES;

/// What UTF-8 files may begin with. It is kept when a file is written, and is no part of its text.
pub(super) const BOM: &str = "\u{feff}";
/// A file that was written this shortly before it was read may change again with the same time: clocks of file systems
/// tick slowly.
const TICK: Duration = Duration::from_millis(40);

/// Texts by path, each with what told that it is still the file's.
pub(super) struct Texts {
    root: PathBuf,
    known: Mutex<HashMap<String, Known>>,
}

struct Known {
    version: Version,
    text: Option<Arc<str>>,
}

/// What changes whenever a file does. Replacing a file changes the inode, writing into it the times.
#[derive(PartialEq, Eq, Clone, Copy)]
struct Version {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Version {
    fn of(found: &fs::Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            size: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        }
    }
}

impl Texts {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            known: Mutex::default(),
        }
    }

    /// The text without byte order mark.
    pub(super) fn read(&self, path: &str) -> Option<Arc<str>> {
        paths::checked(path).ok()?;
        // Whatever stands there now: when it is the very file that was read, nobody has to ask where it really stands.
        let there = fs::metadata(self.root.join(path)).ok().filter(fs::Metadata::is_file)?;
        if let Some(known) = self.known.lock().get(path)
            && known.version == Version::of(&there)
        {
            return known.text.clone();
        }
        let real = paths::resolve(&self.root, path).ok()?;
        let found = fs::metadata(&real).ok().filter(fs::Metadata::is_file)?;
        let version = Version::of(&found);
        let text = load(&real, found.len());
        if is_settled(&found) {
            let text = text.clone();
            self.known.lock().insert(path.to_owned(), Known { version, text });
        } else {
            self.known.lock().remove(path);
        }
        text
    }
}

fn load(path: &Path, size: u64) -> Option<Arc<str>> {
    if size > MAX_SOURCE_BYTES {
        return None;
    }
    let text = String::from_utf8(fs::read(path).ok()?).ok()?;
    Some(Arc::from(text.strip_prefix(BOM).unwrap_or(&text)))
}

fn is_settled(found: &fs::Metadata) -> bool {
    let changed = Duration::new(
        u64::try_from(found.ctime()).unwrap_or_default(),
        u32::try_from(found.ctime_nsec()).unwrap_or_default(),
    );
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH + changed)
        .is_ok_and(|age| age > TICK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_read_again_however_fast_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let texts = Texts::new(&root);
        for round in 100..200 {
            fs::write(root.join("a"), format!("text {round}")).unwrap();
            assert_eq!(texts.read("a").as_deref(), Some(&*format!("text {round}")));
        }
    }

    #[test]
    fn a_file_that_becomes_a_link_out_of_the_prototype_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("root");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("a"), "own").unwrap();
        fs::write(folder.path().join("secret"), "not").unwrap();
        std::thread::sleep(2 * TICK);
        let texts = Texts::new(&root);
        for _ in 0..2 {
            assert_eq!(texts.read("a").as_deref(), Some("own"));
        }
        fs::remove_file(root.join("a")).unwrap();
        std::os::unix::fs::symlink("../secret", root.join("a")).unwrap();
        for _ in 0..2 {
            assert_eq!(texts.read("a"), None);
        }
    }

    #[test]
    fn only_text_is_read_and_without_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("bom"), "\u{feff}a\r\n").unwrap();
        fs::write(root.join("binary"), b"\xff\xfe").unwrap();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("large"), vec![b'a'; 5 << 20]).unwrap();
        let texts = Texts::new(&root);
        assert_eq!(texts.read("bom").as_deref(), Some("a\r\n"));
        for path in ["binary", "folder", "large", "missing", "../x"] {
            assert_eq!(texts.read(path), None, "{path}");
        }
    }
}
