//! What the Editor wrote itself, so that it does not take it for somebody else's change.

use std::collections::HashMap;

use super::entry::Mark;

/// What the Editor wrote last into each file; `None`: it deleted it.
#[derive(Default)]
pub(super) struct OwnWrites(HashMap<String, Option<Mark>>);

impl OwnWrites {
    /// Remembers what is about to be written.
    pub(super) fn expect(&mut self, path: &str, content: Option<&[u8]>) {
        let mark = content.map(|content| Mark::of(content, 0));
        self.0.insert(path.to_owned(), mark);
    }

    /// Whether what stands in the file now is what the Editor wrote.
    pub(super) fn explain(&self, path: &str, now: Option<&[u8]>) -> bool {
        match (self.0.get(path), now) {
            (Some(Some(mark)), Some(now)) => mark.fits(now),
            (Some(None), None) => true,
            _ => false,
        }
    }
}
