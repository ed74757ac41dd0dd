//! Places in source files, as stamps name them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The attribute that holds a stamp.
pub const ATTRIBUTE: &str = "data-desde-src";

/// A place in a text: `line` from 1, `column` from 0 in UTF-16 units. A byte order mark is not part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1. Lines end with `\n`, `\r\n` or a lone `\r`, as JavaScript counts them.
    pub line: u32,
    /// UTF-16 units since the line's beginning, from 0.
    pub column: u32,
}

/// What `data-desde-src` holds: `path:line:column` of an element's `<`. The path is relative to the prototype's root, with
/// `/` between its parts on every system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// The file.
    pub path: String,
    /// The place of the element's `<`.
    pub at: Position,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.at.line, self.at.column)
    }
}

/// A text that is no `path:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no source position: it should be path:line:column, as src/App.tsx:12:4")]
pub struct NoStamp(String);

impl FromStr for Stamp {
    type Err = NoStamp;

    fn from_str(text: &str) -> Result<Self, NoStamp> {
        let parts = || {
            let (rest, column) = text.rsplit_once(':')?;
            let (path, line) = rest.rsplit_once(':')?;
            let at = Position {
                line: number(line).filter(|line| *line > 0)?,
                column: number(column)?,
            };
            let path = Some(path).filter(|path| is_inside(path))?.to_owned();
            Some(Stamp { path, at })
        };
        parts().ok_or_else(|| NoStamp(text.to_owned()))
    }
}

/// Digits and nothing else: `+1` and ` 1` are no numbers of a stamp.
fn number(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// Whether a path stays inside the folder it is relative to.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && !path.contains(['\\', '\0']) && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Turns byte offsets of one text into positions and back. Made once for each text: O(length).
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    /// The byte offset of each line's beginning.
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts = lines(text);
        Self { text, starts }
    }

    /// The position of a byte offset; one past the end, or inside a character, counts as what is before it.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(self.starts[line]..end).unwrap_or_default();
        let column = if before.is_ascii() {
            before.len()
        } else {
            before.chars().map(char::len_utf16).sum()
        };
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The byte offset of a position, when the text has it.
    #[must_use]
    pub fn offset(&self, position: Position) -> Option<usize> {
        let line = usize::try_from(position.line).ok()?.checked_sub(1)?;
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let mut left = usize::try_from(position.column).ok()?;
        for (offset, character) in self.text[start..end].char_indices() {
            if left == 0 {
                return Some(start + offset);
            }
            left = left.checked_sub(character.len_utf16())?;
        }
        (left == 0).then_some(end)
    }
}

/// Positions of ascending offsets, found in one pass over the text however long its lines are.
#[derive(Debug)]
pub struct Walker<'t> {
    text: &'t str,
    offset: usize,
    at: Position,
}

impl<'t> Walker<'t> {
    /// Begins at the text's beginning.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let at = Position { line: 1, column: 0 };
        Self { text, offset: 0, at }
    }

    /// The position of a byte offset. One before the last that was asked for gives that one again.
    pub fn position(&mut self, offset: usize) -> Position {
        let bytes = self.text.as_bytes();
        let end = offset.min(bytes.len());
        if self.offset >= end {
            return self.at;
        }
        let part = &bytes[self.offset..end];
        // A lone carriage return ends a line; whether the last one is lone is seen behind the part.
        let returns = part
            .contains(&b'\r')
            .then(|| lone_returns(&bytes[self.offset..], part.len()));
        let ends = count(part, |byte| byte == b'\n') + returns.as_ref().map_or(0, |(lone, _)| *lone);
        let mut line = part;
        if ends > 0 {
            let last = part.iter().rposition(|byte| *byte == b'\n');
            let last = last.max(returns.and_then(|(_, last)| last));
            line = &part[last.map_or(0, |last| last + 1)..];
            self.at.line = self.at.line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
            self.at.column = 0;
        }
        self.at.column = self
            .at
            .column
            .saturating_add(u32::try_from(utf16_len(line)).unwrap_or(u32::MAX));
        self.offset = end;
        self.at
    }
}

/// How many of the first `length` bytes are a `\r` without `\n` behind it, and where the last of them is.
fn lone_returns(bytes: &[u8], length: usize) -> (usize, Option<usize>) {
    let lone = (0..length).filter(|at| bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    lone.fold((0, None), |(count, _), at| (count + 1, Some(at)))
}

/// How many UTF-16 units a text takes, or a part of one: a character of four bytes is a pair of units, and bytes that continue
/// one are none.
fn utf16_len(bytes: &[u8]) -> usize {
    count(bytes, |byte| !(0x80..0xC0).contains(&byte)) + count(bytes, |byte| byte >= 0xF0)
}

/// In blocks whose count fits a byte, which is what the compiler turns into vector instructions.
fn count(bytes: &[u8], counts: impl Fn(u8) -> bool) -> usize {
    let block = |block: &[u8]| {
        block
            .iter()
            .fold(0u8, |sum, byte| sum.wrapping_add(u8::from(counts(*byte))))
    };
    bytes.chunks(128).map(|bytes| usize::from(block(bytes))).sum()
}

/// The byte offset of each line's beginning.
pub(in crate::source) fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    // Most texts end their lines with one character, which is found many bytes at a time.
    if !text.contains('\r') {
        starts.extend(text.match_indices('\n').map(|(offset, _)| offset + 1));
        return starts;
    }
    for (offset, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(offset + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            starts.push(offset + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stamps_are_read_as_they_are_written() {
        let stamp: Stamp = "src/a:b.tsx:12:4".parse().unwrap();
        assert_eq!(stamp.path, "src/a:b.tsx");
        assert_eq!(stamp.at, Position { line: 12, column: 4 });
        assert_eq!(stamp.to_string(), "src/a:b.tsx:12:4");
    }

    #[test]
    fn what_is_no_stamp_is_refused() {
        for text in [
            "",
            "a",
            "a:1",
            ":1:1",
            "a:0:1",
            "a:1:-1",
            "a:1:+1",
            "/etc/passwd:1:1",
            "../a:1:1",
            "a/../b:1:1",
            "a//b:1:1",
            "a:1:1 ",
        ] {
            assert!(text.parse::<Stamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn columns_are_utf_16_units_and_every_line_end_counts() {
        let text = "a😀<b>\r\n\r<é/>\n<c>";
        let index = LineIndex::new(text);
        for (wanted, line, column) in [("<b>", 1, 3), ("<é", 3, 0), ("/>", 3, 2), ("<c>", 4, 0)] {
            let offset = text.find(wanted).unwrap();
            assert_eq!(index.position(offset), Position { line, column }, "{wanted}");
            assert_eq!(index.offset(Position { line, column }), Some(offset), "{wanted}");
        }
        assert_eq!(index.offset(Position { line: 9, column: 0 }), None);
        assert_eq!(index.offset(Position { line: 1, column: 2 }), None, "inside a pair");
    }

    proptest! {
        #[test]
        fn offsets_and_positions_are_inverse(text in "[a😀é\r\n\t<]{0,40}") {
            let index = LineIndex::new(&text);
            for (offset, _) in text.char_indices() {
                prop_assert_eq!(index.offset(index.position(offset)), Some(offset));
            }
        }

        #[test]
        fn walking_gives_the_same_positions(text in "[a😀é\r\n\t<]{0,40}") {
            let (index, mut walker) = (LineIndex::new(&text), Walker::new(&text));
            for (offset, _) in text.char_indices() {
                prop_assert_eq!(walker.position(offset), index.position(offset));
            }
        }
    }
}
