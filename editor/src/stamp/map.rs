//! Writes stamps into a text, and the source map that undoes them.
//!
//! Stamping inserts within lines and changes nothing else, so line N of the result is line N of the file, and the map can be
//! written while copying. Every word and every sign has its segment: what a later tool maps through this one keeps its
//! exact column. That is what magic-string writes for `hires: 'boundary'`, but for segments of white space, to which nothing
//! is ever mapped. Segments for lines or stamps only would be quicker to write, but a consumer takes the place of the nearest
//! segment before the one it looks for: error overlays would name the beginning of the line, and a debugger could not stop
//! between two calls of it.

use crate::source::model::Position;

use super::ATTRIBUTE;
use super::stamped::Stamped;

/// A stamp to write.
pub(super) struct Insertion {
    /// Where it goes, as a byte offset.
    pub offset: usize,
    /// What it says.
    pub at: Position,
}

/// `insertions` ascend and stand on character boundaries.
pub(super) fn stamped(path: &str, code: &str, insertions: &[Insertion]) -> Stamped {
    if insertions.is_empty() {
        return Stamped {
            code: code.to_owned(),
            mappings: String::new(),
            elements: 0,
        };
    }
    let head = format!(" {ATTRIBUTE}=\"{}:", attribute_text(path));
    let head_units = units(&head);
    let mut result = String::with_capacity(code.len() + insertions.len() * (head.len() + 9));
    let mut mappings = Mappings::new(code.len());
    let mut done = 0;
    for insertion in insertions {
        let before = &code[done..insertion.offset];
        result.push_str(before);
        mappings.copied(before);
        let start = result.len();
        result.push_str(&head);
        result.push_str(&insertion.at.line.to_string());
        result.push(':');
        result.push_str(&insertion.at.column.to_string());
        result.push('"');
        let numbers = result.len() - start - head.len();
        mappings.inserted(head_units + numbers);
        done = insertion.offset;
    }
    result.push_str(&code[done..]);
    mappings.copied(&code[done..]);
    Stamped {
        mappings: mappings.finish(),
        code: result,
        elements: insertions.len(),
    }
}

/// A text between double quotes, in JSX and in HTML.
fn attribute_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("&quot;"),
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '<' => escaped.push_str("&lt;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Base 64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// How much of a text is looked at before its segments are written; places in it fit a byte.
const BLOCK: usize = 256;

/// The [`mappings`](https://tc39.es/ecma426/) of a source map with one source, written as the text goes by.
struct Mappings {
    text: Vec<u8>,
    /// Where the pass stands in the file's line, in UTF-16 units; and where the last segment stood.
    column: usize,
    last_column: usize,
    /// How much further it stands in the result's line; and as of the last segment.
    shift: usize,
    last_shift: usize,
    /// Lines since the last segment.
    lines: usize,
    /// Whether the line has a segment.
    begun: bool,
    /// Whether the pass stands inside a word.
    in_word: bool,
}

impl Mappings {
    /// For a file of `length` bytes.
    fn new(length: usize) -> Self {
        Self {
            text: Vec::with_capacity(2 * length + 256),
            column: 0,
            last_column: 0,
            shift: 0,
            last_shift: 0,
            lines: 0,
            begun: false,
            in_word: false,
        }
    }

    fn finish(self) -> String {
        String::from_utf8(self.text).expect("digits and separators were written")
    }

    /// The pass goes over text of the file.
    fn copied(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut start = 0;
        for block in bytes.chunks(BLOCK) {
            // A carriage return needs to know what follows it.
            let next = bytes.get(start + block.len()).copied();
            if block.is_ascii() {
                self.ascii(block, next);
            } else {
                self.any(block, next);
            }
            start += block.len();
        }
    }

    /// Finds where segments and ends of lines are, without a branch for each byte, and then writes them: nearly all go a step
    /// of one digit, as far in the result as in the file, and are collected before they join the map.
    fn ascii(&mut self, block: &[u8], next: Option<u8>) {
        let mut found = [0u8; BLOCK];
        let mut steps = Steps::default();
        let (mut begin, mut last) = (self.column, self.last_column);
        let mut is_even = self.begun && self.shift == self.last_shift;
        for at in find(block, self.in_word, &mut found) {
            let at = usize::from(*at);
            let column = begin.wrapping_add(at);
            match block[at] {
                b'\n' => {}
                b'\r' if block.get(at + 1).copied().or(next) == Some(b'\n') => continue,
                b'\r' => {}
                _ => {
                    let step = column.wrapping_sub(last);
                    if is_even && step < 16 {
                        steps.push(step);
                    } else {
                        steps.join(&mut self.text);
                        (self.column, self.last_column) = (column, last);
                        self.segment();
                        is_even = true;
                    }
                    last = column;
                    continue;
                }
            }
            steps.join(&mut self.text);
            self.line();
            begin = 0usize.wrapping_sub(at + 1);
            is_even = false;
        }
        steps.join(&mut self.text);
        (self.column, self.last_column) = (begin.wrapping_add(block.len()), last);
        self.in_word = block.last().is_some_and(|last| is_word(*last));
    }

    fn any(&mut self, block: &[u8], next: Option<u8>) {
        for (at, byte) in block.iter().enumerate() {
            match byte {
                b'\n' => self.line(),
                // Source maps count lines as JavaScript does; a lone carriage return ends one.
                b'\r' if block.get(at + 1).copied().or(next) != Some(b'\n') => self.line(),
                b' ' | b'\t' | b'\r' => {
                    self.in_word = false;
                    self.column += 1;
                }
                0x80..=0xBF => {}
                _ => {
                    let is_word = !byte.is_ascii() || is_word(*byte);
                    if !(is_word && self.in_word) {
                        self.segment();
                    }
                    self.in_word = is_word;
                    self.column += if *byte >= 0xF0 { 2 } else { 1 };
                }
            }
        }
    }

    /// The pass wrote `units` that are not of the file; they count as the place where they stand.
    fn inserted(&mut self, units: usize) {
        self.segment();
        self.shift += units;
        self.in_word = false;
    }

    fn line(&mut self) {
        self.text.push(b';');
        self.lines += 1;
        (self.column, self.shift, self.last_shift) = (0, 0, 0);
        self.begun = false;
        self.in_word = false;
    }

    fn segment(&mut self) {
        let column = self.column as i64 - self.last_column as i64;
        if self.begun {
            self.text.push(b',');
            self.vlq(column + self.shift as i64 - self.last_shift as i64);
        } else {
            // A line's first segment counts from the line's beginning.
            self.vlq((self.column + self.shift) as i64);
        }
        self.text.push(b'A');
        self.vlq(self.lines as i64);
        self.vlq(column);
        (self.last_column, self.last_shift) = (self.column, self.shift);
        (self.lines, self.begun) = (0, true);
    }

    /// Digits of five bits each, the sign in the lowest bit of the first.
    fn vlq(&mut self, number: i64) {
        let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
        loop {
            let digit = rest as usize & 31;
            rest >>= 5;
            let more = if rest > 0 { 32 } else { 0 };
            self.text.push(DIGITS[digit | more]);
            if rest == 0 {
                return;
            }
        }
    }
}

/// The places in a block of ASCII where a word begins, a sign stands, or a line ends. Three loops without branches, of which the
/// compiler turns all but the last into vector instructions: this is done for every byte of every module.
fn find<'f>(block: &[u8], in_word: bool, found: &'f mut [u8; BLOCK]) -> &'f [u8] {
    let (mut words, mut begins) = ([0u8; BLOCK + 1], [0u8; BLOCK]);
    words[0] = u8::from(in_word);
    for (word, byte) in words[1..].iter_mut().zip(block) {
        *word = u8::from(is_word(*byte));
    }
    for (((begins, byte), word), before) in begins.iter_mut().zip(block).zip(&words[1..]).zip(&words) {
        let space = (*byte == b' ') | (*byte == b'\t');
        *begins = (word & !before) | (!word & u8::from(!space) & 1);
    }
    let mut count = 0usize;
    for (at, begins) in begins.iter().enumerate().take(block.len()) {
        found[count % BLOCK] = at as u8;
        count = count.wrapping_add(usize::from(*begins));
    }
    &found[..count.min(BLOCK)]
}

fn is_word(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10) | (byte == b'_') | (byte == b'$')
}

/// Segments of a block that go a step of less than 16, as `,CAAC`.
struct Steps {
    text: [u8; Self::LENGTH * BLOCK + 8],
    length: usize,
}

impl Default for Steps {
    fn default() -> Self {
        let text = [0; Self::LENGTH * BLOCK + 8];
        Self { text, length: 0 }
    }
}

impl Steps {
    const LENGTH: usize = 5;

    /// Written as one number, eight bytes wide: the next one goes over what is too much.
    fn push(&mut self, step: usize) {
        let digit = u64::from(DIGITS[step * 2 % 64]);
        let segment = u64::from_le_bytes(*b",\0AA\0\0\0\0") | digit << 8 | digit << 32;
        if let Some(place) = self.text.get_mut(self.length..self.length.wrapping_add(8)) {
            place.copy_from_slice(&segment.to_le_bytes());
            self.length = self.length.wrapping_add(Self::LENGTH);
        }
    }

    fn join(&mut self, mappings: &mut Vec<u8>) {
        mappings.extend_from_slice(&self.text[..self.length]);
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_are_mapped_as_their_bytes_are_one_by_one(
            text in "[ab_ \t\n\r(.é😀]{0,40}|(\r\n|\r|\n|ab|[ (;]){0,900}",
            insert in 0..40usize,
        ) {
            let mut at = insert.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let (mut quick, mut slow) = (Mappings::new(0), Mappings::new(0));
            let (before, behind) = text.split_at(at);
            quick.copied(before);
            quick.inserted(7);
            quick.copied(behind);
            slow.any(before.as_bytes(), None);
            slow.inserted(7);
            slow.any(behind.as_bytes(), None);
            prop_assert_eq!(quick.finish(), slow.finish());
        }
    }
}
