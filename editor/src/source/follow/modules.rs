//! What was made of files, kept while they stay as they are.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::lower;
use super::module::Module;
use super::uses::Found;
use crate::source::styles::{Counted, Named, Scanned};

/// Keeps what was made of files, across requests and threads. A file is read again when its text is another one; the
/// number of files is that of the project.
#[derive(Debug, Default)]
pub struct Modules {
    parsed: Memo<Option<Arc<Module>>>,
    pub(super) uses: Found,
    pub(in crate::source) sheets: Memo<Scanned>,
    pub(in crate::source) named: Memo<Named>,
    pub(in crate::source) counted: Memo<Counted>,
}

impl Modules {
    /// What `text` of the file `path` holds; `None` when it cannot be parsed.
    pub fn get(&self, path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
        self.parsed.get(path, text, || read(path, text))
    }
}

/// What `text` of the file `path` holds; `None` when it cannot be parsed.
pub fn read(path: &str, text: &Arc<str>) -> Option<Arc<Module>> {
    lower::file(path, text).ok().map(Arc::new)
}

/// How many texts of one file are remembered: going back and forth between two is what undoing does.
const TEXTS: usize = 2;

/// Something by file, for the latest texts of each.
#[derive(Debug)]
pub struct Memo<T> {
    kept: Mutex<HashMap<String, Texts<T>>>,
}

/// What was made of the texts of one file, the latest first.
type Texts<T> = Vec<(Arc<str>, T)>;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        let kept = Mutex::default();
        Self { kept }
    }
}

impl<T: Clone> Memo<T> {
    /// What is kept for this text of the file, made now if nothing is.
    pub fn get(&self, path: &str, text: &Arc<str>, make: impl FnOnce() -> T) -> T {
        if let Some(texts) = self.kept.lock().get_mut(path)
            && let Some(at) = texts.iter().position(|(known, _)| same(known, text))
        {
            texts[..=at].rotate_right(1);
            return texts[0].1.clone();
        }
        // Not under the lock: making takes its time, and doing it twice does no harm.
        let made = make();
        let mut kept = self.kept.lock();
        let texts = kept.entry(path.to_owned()).or_default();
        texts.insert(0, (text.clone(), made.clone()));
        texts.truncate(TEXTS);
        made
    }
}

/// Whether two texts are the same; mostly they are one.
pub fn same(one: &Arc<str>, other: &Arc<str>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_latest_texts_of_a_file_are_remembered() {
        let memo = Memo::default();
        let made = |text: &str| {
            let mut new = false;
            let length = memo.get("a", &Arc::from(text), || {
                new = true;
                text.len()
            });
            assert_eq!(length, text.len());
            new
        };
        assert!(made("one"));
        assert!(made("three"));
        assert!(!made("one"));
        assert!(made("seven"));
        assert!(!made("one"), "asked for later than “three”");
        assert!(made("three"));
    }
}
