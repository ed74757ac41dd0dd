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

const WORD: u8 = 1;
const SIGN: u8 = 2;
const OPENS: u8 = 4;

/// What each byte counts as. A table, because every text passes through here: branches took a quarter of stamping.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        let it = byte as u8;
        kinds[byte] = if it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$' | 0x80..) {
            WORD
        } else if matches!(it, b'(' | b'[' | b'{' | b'<') {
            SIGN | OPENS
        } else if it.is_ascii_punctuation() {
            SIGN
        } else {
            0
        };
        byte += 1;
    }
    kinds
};

/// Runs `work`, which parses `text` and walks its tree, with enough stack for it; `None` when that is too much.
pub(super) fn with_room<R>(text: &str, work: impl FnOnce() -> R) -> Option<R> {
    let need = need(text);
    (need <= MOST).then(|| stacker::maybe_grow(need, need, work))
}

/// How many bytes of stack `text` could take.
fn need(text: &str) -> usize {
    let (mut brackets, mut tokens, mut in_word) = (0usize, 0usize, 0);
    for byte in text.bytes() {
        let kind = KINDS[usize::from(byte)];
        let is_word = kind & WORD;
        brackets += usize::from(kind / OPENS);
        // A word counts where it begins, a sign always.
        tokens += usize::from(is_word & !in_word) + usize::from(kind / SIGN % 2);
        in_word = is_word;
    }
    GROUND + brackets * BRACKET + tokens * TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_signs_and_brackets_are_counted() {
        let need = |text| need(text) - GROUND;
        assert_eq!(need(""), 0);
        assert_eq!(need("aé_1 $b  c"), 3 * TOKEN, "words");
        assert_eq!(need("a.b"), 3 * TOKEN, "two words and a sign");
        assert_eq!(need("([{<"), 4 * (BRACKET + TOKEN));
        assert_eq!(need("a)\n]"), 3 * TOKEN, "what closes is a sign like any other");
    }
}
