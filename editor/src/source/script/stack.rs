//! Stack for the parser.
//!
//! The parser and every walk over its tree call themselves once for each level of nesting, so a text of ten thousand `(`
//! would end the program. What a text can nest is bounded by its tokens, which are counted without understanding them
//! (nothing in a string or comment can make the count too small); the stack is made large enough for that. Memory that is
//! not touched costs nothing, but a stack of its own for each text does: the system maps, fills and unmaps it. The count is
//! therefore as near as it can be proven, and the program's threads have [`ROOMY`] stacks, so that ordinary files stay on them.

/// The stack of a thread that reads sources. With 64 MB files up to 100 KB and more are read without another one; it is an
/// address range, of which only what was used takes memory.
pub const ROOMY: usize = 64 << 20;

/// What one level of brackets or tags takes at most, above what its tokens are counted for. Measured over every construct of
/// the language, ours without optimisation and oxc's with, as all profiles have it: no level takes half of what its bracket and
/// tokens are given here. Fuzzing compiles all of it with checks that need more.
const BRACKET: usize = if cfg!(fuzzing) { 24 << 10 } else { 2 << 10 };
/// Operators and words nest too (`!!!a`, `a.b.c`, `if (a) if (b)`), in fewer calls: 0.6 KB for `yield`, which takes most.
const TOKEN: usize = if cfg!(fuzzing) { 6 << 10 } else { 1280 };
/// What the parser needs for a text without any nesting.
const GROUND: usize = 256 << 10;
/// A text that could need more is not read: it is far larger than any source people edit.
const MAX_STACK: usize = if cfg!(fuzzing) { 6 << 30 } else { 1 << 30 };

/// About how many words and signs that is.
pub(super) const MAX_TOKENS: usize = MAX_STACK / TOKEN / 1000 * 1000;

/// Runs `work`, which parses `text` and walks its tree, with enough stack for it; `None` when that is too much.
pub(super) fn with_room<R>(text: &str, work: impl FnOnce() -> R) -> Option<R> {
    let need = need(text);
    (need <= MAX_STACK).then(|| stacker::maybe_grow(need, need, work))
}

/// Whether `text` is small enough to be parsed.
#[must_use]
pub fn is_readable(text: &str) -> bool {
    // No byte is more than a bracket and a token.
    text.len() <= (MAX_STACK - GROUND) / (BRACKET + TOKEN) || need(text) <= MAX_STACK
}

/// How many bytes of stack `text` could take.
fn need(text: &str) -> usize {
    // Every text passes through here: blocks whose counts fit a byte are what the compiler turns into vector instructions.
    const BLOCK: usize = 128;
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else { return GROUND };
    let (mut brackets, mut tokens) = (usize::from(opens(*first)), usize::from(begins(*first, b' ')));
    for (block, before) in bytes[1..].chunks(BLOCK).zip(bytes.chunks(BLOCK)) {
        let (mut open, mut begun) = (0u8, 0u8);
        for (byte, before) in block.iter().zip(before) {
            open = open.wrapping_add(u8::from(opens(*byte)));
            begun = begun.wrapping_add(u8::from(begins(*byte, *before)));
        }
        brackets += usize::from(open);
        tokens += usize::from(begun);
    }
    GROUND + brackets * BRACKET + tokens * TOKEN
}

fn opens(byte: u8) -> bool {
    (byte == b'(') | (byte == b'[') | (byte == b'{') | (byte == b'<')
}

/// Whether something that could nest begins here: a word, a sign, or a character beyond ASCII. The latter may be white space
/// between two words, so each of them counts.
fn begins(byte: u8, before: u8) -> bool {
    (is_word(byte) & !is_word(before)) | is_sign(byte) | (byte >= 0xC0)
}

fn is_word(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10) | (byte == b'_') | (byte == b'$')
}

/// Signs that make a level, or could. What closes a bracket does not, nor what parts the items of a list; a quote begins a
/// string, which holds nothing.
fn is_sign(byte: u8) -> bool {
    let flat = (byte == b')')
        | (byte == b']')
        | (byte == b'}')
        | (byte == b',')
        | (byte == b';')
        | (byte == b'"')
        | (byte == b'\'');
    (byte > b' ') & (byte < 0x7F) & !is_word(byte) & !flat
}

#[cfg(test)]
mod tests;
