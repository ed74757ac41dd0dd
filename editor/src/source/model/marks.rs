//! Places in the sources of tests.

use super::{LineIndex, Position};

/// A text whose element has `mark` in the place of its `<`: without the mark, and where the element begins.
///
/// # Panics
/// When nothing is marked.
pub(in crate::source) fn marked(source: &str, mark: char) -> (String, Position) {
    let offset = source.find(mark).expect("a mark");
    let text = source.replacen(mark, "<", 1);
    let at = LineIndex::new(&text).position(offset);
    (text, at)
}
