//! Where texts, quoted names and comments end, as PostgreSQL reads them.

/// Behind the quotation mark that ends the text at `start`; two of them are one of the text.
pub(crate) fn end_of_text(bytes: &[u8], start: usize, has_escapes: bool) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if has_escapes => at += 2,
            byte if byte == quote && bytes.get(at + 1) == Some(&quote) => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Whether the text at `start` is one of the kind `E'…'`, in which a backslash takes the next character with it.
pub(crate) fn has_escapes(bytes: &[u8], start: usize) -> bool {
    start > 0 && matches!(bytes[start - 1], b'e' | b'E') && !follows_word(bytes, start - 1)
}

/// Whether what stands before `at` is part of a name or a number. In names a `$` may stand, too.
pub(crate) fn follows_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && is_word(bytes[at - 1])
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

pub(crate) fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let end = bytes[start..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(bytes.len(), |end| start + end)
}

/// Comments of this kind may stand in each other.
pub(crate) fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_u32);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// Behind the text `$tag$…$tag$` at `start`, or behind the `$` when no such text begins there.
pub(crate) fn end_of_dollars(bytes: &[u8], start: usize) -> usize {
    let word = bytes[start + 1..]
        .iter()
        .take_while(|byte| is_word(**byte) && **byte != b'$')
        .count();
    let end = start + 1 + word;
    let begins = bytes.get(end) == Some(&b'$') && !bytes[start + 1].is_ascii_digit();
    if !begins {
        return start + 1;
    }
    let tag = &bytes[start..=end];
    let text = &bytes[end + 1..];
    let closed = text.windows(tag.len()).position(|window| window == tag);
    closed.map_or(bytes.len(), |at| end + 1 + at + tag.len())
}
