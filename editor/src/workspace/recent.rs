//! Texts that somebody was shown lately, by their hash: an edit that names one can find its element in the newer text.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

/// No more than so many, and no more than so many bytes together.
const MAX_TEXTS: usize = 128;
const MAX_BYTES: usize = 32 << 20;

/// The newest last.
#[derive(Default)]
pub(super) struct Recent(Mutex<VecDeque<(String, Arc<str>)>>);

impl Recent {
    pub(super) fn remember(&self, hash: &str, text: &Arc<str>) {
        let mut texts = self.0.lock();
        texts.retain(|(known, _)| known != hash);
        texts.push_back((hash.to_owned(), Arc::clone(text)));
        let mut bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
        while texts.len() > MAX_TEXTS || bytes > MAX_BYTES {
            match texts.pop_front() {
                Some((_, text)) => bytes -= text.len(),
                None => break,
            }
        }
    }

    pub(super) fn find(&self, hash: &str) -> Option<Arc<str>> {
        let texts = self.0.lock();
        let found = texts.iter().rev().find(|(known, _)| known == hash);
        found.map(|(_, text)| Arc::clone(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_texts_are_forgotten() {
        let recent = Recent::default();
        let text: Arc<str> = Arc::from("x");
        for number in 0..=MAX_TEXTS {
            recent.remember(&number.to_string(), &text);
        }
        assert!(recent.find("0").is_none());
        assert!(recent.find("1").is_some());
        let large: Arc<str> = Arc::from("x".repeat(MAX_BYTES));
        recent.remember("large", &large);
        assert!(recent.find("1").is_none());
        assert!(recent.find("large").is_some());
    }
}
