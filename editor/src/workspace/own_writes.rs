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

    /// Whether what stands in the file now is what the Editor wrote. What somebody else wrote ends that: when the Editor's content
    /// comes back (`git stash pop`), it is they who brought it back.
    pub(super) fn explain(&mut self, path: &str, now: Option<&[u8]>) -> bool {
        let is_own = match (self.0.get(path), now) {
            (Some(Some(mark)), Some(now)) => mark.fits(now),
            (Some(None), None) => true,
            _ => false,
        };
        if !is_own {
            self.0.remove(path);
        }
        is_own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_brings_back_is_their_change() {
        let mut own = OwnWrites::default();
        for written in [Some(b"own".as_slice()), None] {
            own.expect("a", written);
            assert!(own.explain("a", written));
            assert!(own.explain("a", written), "it may be heard of twice");
            assert!(!own.explain("a", Some(b"theirs")));
            assert!(!own.explain("a", written));
        }
    }
}
