//! Stack for the parser.
//!
//! The parser and every walk over its tree call themselves once for each level of nesting, so a text of ten thousand `(`
//! would end the program. What a text can nest is bounded by its tokens, which are counted without understanding them
//! (nothing in a string or comment can make the count too small); the stack is made large enough for that. Memory that is
//! not touched costs nothing.

/// What one level of brackets or tags takes at most, with room to spare; a build without optimisation takes more.
const BRACKET: usize = if cfg!(debug_assertions) { 24 << 10 } else { 8 << 10 };
/// Operators and words nest too (`!!!a`, `a.b.c`, `if (a) if (b)`), in fewer calls.
const TOKEN: usize = if cfg!(debug_assertions) { 6 << 10 } else { 2 << 10 };
/// What the parser needs for a text without any nesting.
const GROUND: usize = 256 << 10;
/// A text that could need more is not read: it is far larger than any source people edit.
const MOST: usize = if cfg!(debug_assertions) { 6 << 30 } else { 1 << 30 };

/// Runs `work`, which parses `text` and walks its tree, with enough stack for it; `None` when that is too much.
pub(super) fn with_room<R>(text: &str, work: impl FnOnce() -> R) -> Option<R> {
    let need = need(text);
    (need <= MOST).then(|| stacker::maybe_grow(need, need, work))
}

/// How many bytes of stack `text` could take.
fn need(text: &str) -> usize {
    let (mut brackets, mut tokens, mut in_word) = (0usize, 0usize, false);
    for byte in text.bytes() {
        let is_word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
        brackets += usize::from(matches!(byte, b'(' | b'[' | b'{' | b'<'));
        tokens += usize::from(is_word && !in_word);
        tokens += usize::from(byte.is_ascii_punctuation() && !is_word);
        in_word = is_word;
    }
    GROUND + brackets * BRACKET + tokens * TOKEN
}
