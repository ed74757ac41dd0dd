//! The buffer that JSON is written to. Answers are mostly text, and most texts need no escapes: a text is copied in words of
//! eight bytes, each checked on the way, and written again with escapes only when a word needs one.
//!
//! The buffer is filled with zeros ahead, so that bounds are checked once for each copy and not for each word. Small copies
//! by the general routine (a call out of the sandbox) and byte-wise loops took more than half of a list's time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A growing buffer.
pub(super) struct Buffer {
    /// The bytes from `end` on are free to be overwritten.
    bytes: Vec<u8>,
    end: usize,
}

impl Buffer {
    pub(super) fn new() -> Buffer {
        Buffer {
            bytes: vec![0; 4096],
            end: 0,
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.truncate(self.end);
        self.bytes
    }

    /// The next `len` bytes, to be written over.
    #[inline(always)]
    fn next(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() - self.end < len {
            self.grow(len);
        }
        &mut self.bytes[self.end..][..len]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        self.bytes.resize((self.bytes.len() * 2).max(self.end + len), 0);
    }

    /// Appends one byte.
    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        self.next(1)[0] = byte;
        self.end += 1;
    }

    /// Appends bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.next(bytes.len()).copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Appends a text in quotes.
    #[inline]
    pub(super) fn text(&mut self, text: &str) {
        let length = text.len();
        let to = self.next(length + 2);
        if let [first, inside @ .., last] = to
            && copy(inside, text.as_bytes())
        {
            (*first, *last) = (b'"', b'"');
            self.end += length + 2;
        } else {
            self.escaped(text.as_bytes());
        }
    }

    /// Appends a member's name with its colon, and a comma before it unless it is the first. Always inlined: the name is a
    /// constant, of which a few stores remain.
    #[inline(always)]
    pub(super) fn name(&mut self, first: bool, name: &'static str) {
        if !first {
            self.push(b',');
        }
        let length = name.len();
        let to = self.next(length + 3);
        if let [quote, inside @ .., end, colon] = to
            && copy(inside, name.as_bytes())
        {
            (*quote, *end, *colon) = (b'"', b'"', b':');
            self.end += length + 3;
        } else {
            self.escaped(name.as_bytes());
            self.push(b':');
        }
    }

    /// The position of the next byte.
    pub(super) fn position(&self) -> usize {
        self.end
    }

    /// The bytes that were written from `position` on.
    pub(super) fn since(&self, position: usize) -> &[u8] {
        &self.bytes[position..self.end]
    }

    /// Puts what was written from `position` on in quotes.
    pub(super) fn quote_since(&mut self, position: usize) {
        self.next(2);
        self.bytes.copy_within(position..self.end, position + 1);
        self.bytes[position] = b'"';
        self.end += 1;
        self.push(b'"');
    }

    /// Appends a text in which something must be escaped.
    #[cold]
    #[inline(never)]
    fn escaped(&mut self, mut text: &[u8]) {
        self.push(b'"');
        while let Some(at) = special(text) {
            self.raw(&text[..at]);
            self.escape(text[at]);
            text = &text[at + 1..];
        }
        self.raw(text);
        self.push(b'"');
    }

    fn escape(&mut self, byte: u8) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            _ => {
                self.raw(&[
                    b'\\',
                    b'u',
                    b'0',
                    b'0',
                    HEX[usize::from(byte >> 4)],
                    HEX[usize::from(byte & 15)],
                ]);
                return;
            }
        };
        self.raw(&[b'\\', short]);
    }
}

/// Numbers are written by `serde_json`.
impl std::io::Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.raw(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Copies `from` to `to`, which is as long, and answers whether nothing in it must be escaped. The last word may overlap
/// the one before: cheaper than up to seven single bytes.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) -> bool {
    let (Some(last), Some(to_last)) = (from.last_chunk::<8>(), to.last_chunk_mut::<8>()) else {
        return copy_short(to, from);
    };
    *to_last = *last;
    let mut found = specials(u64::from_le_bytes(*last));
    for (to, word) in to.as_chunks_mut::<8>().0.iter_mut().zip(from.as_chunks::<8>().0) {
        *to = *word;
        found |= specials(u64::from_le_bytes(*word));
    }
    found == 0
}

#[inline(always)]
fn copy_short(to: &mut [u8], from: &[u8]) -> bool {
    let mut plain = true;
    for (to, byte) in to.iter_mut().zip(from) {
        *to = *byte;
        plain &= !is_special(*byte);
    }
    plain
}

/// The position of the first byte that must be escaped.
fn special(bytes: &[u8]) -> Option<usize> {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    tail.iter()
        .position(|byte| is_special(*byte))
        .map(|at| words.len() * 8 + at)
}

#[inline(always)]
fn is_special(byte: u8) -> bool {
    matches!(byte, 0..0x20 | b'"' | b'\\')
}

/// The high bit of each byte that is a control character, `"` or `\`. A borrow can set bits above the first such byte,
/// never below it.
#[inline(always)]
const fn specials(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let slash = slash.wrapping_sub(ONES) & !slash;
    (control | quote | slash) & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_reads_back() {
        for code in (0..0x180).filter_map(char::from_u32) {
            for before in 0..10 {
                for after in [0, 1, 9] {
                    let text = format!("{}{code}{}", "ä".repeat(before), "x".repeat(after));
                    let mut out = Buffer::new();
                    out.text(&text);
                    assert_eq!(out.finish(), serde_json::to_vec(&text).unwrap());
                }
            }
        }
    }

    #[test]
    fn it_grows() {
        let mut out = Buffer::new();
        for length in [1, 4_095, 3, 20_000, 0] {
            out.text(&"x".repeat(length));
            out.push(b'\n');
        }
        assert_eq!(out.finish().len(), 24_099 + 15);
    }
}
