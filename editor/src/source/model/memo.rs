//! What was made of files, kept across requests while they stay as they are.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

/// What the parts of this room keep between two requests, one value of each type. The part that keeps something owns its
/// type, so that nothing below has to know what stands above.
#[derive(Default)]
pub struct Kept {
    by_type: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Kept {
    /// The value of this type; its default at first.
    ///
    /// # Panics
    /// Never: what is kept for a type is of that type.
    pub fn of<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut by_type = self.by_type.lock();
        let kept = by_type.entry(TypeId::of::<T>()).or_insert_with(|| Arc::<T>::default());
        match kept.clone().downcast() {
            Ok(kept) => kept,
            Err(_) => unreachable!("kept under another type"),
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Kept")
            .field("types", &self.by_type.lock().len())
            .finish()
    }
}

/// How many texts of one file are remembered: going back and forth between two is what undoing does.
const MAX_TEXTS: usize = 2;

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
        self.known(path, text).unwrap_or_else(|| {
            // Not under the lock: making takes its time, and doing it twice does no harm.
            let made = make();
            self.keep(path, text, made.clone());
            made
        })
    }

    /// What is kept for this text of the file.
    pub fn known(&self, path: &str, text: &Arc<str>) -> Option<T> {
        let mut kept = self.kept.lock();
        let texts = kept.get_mut(path)?;
        let at = texts.iter().position(|(known, _)| same(known, text))?;
        texts[..=at].rotate_right(1);
        Some(texts[0].1.clone())
    }

    /// Keeps something for this text of the file, beside what is kept for the text before it.
    pub fn keep(&self, path: &str, text: &Arc<str>, made: T) {
        let mut kept = self.kept.lock();
        let texts = kept.entry(path.to_owned()).or_default();
        texts.retain(|(known, _)| !same(known, text));
        texts.insert(0, (text.clone(), made));
        texts.truncate(MAX_TEXTS);
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
