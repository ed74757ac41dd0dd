//! Writes stamps into a text, and the source map that undoes them.
//!
//! Stamping inserts within lines and changes nothing else, so line N of the result is line N of the file, and the map can be
//! written while copying. Every word and every sign has its segment: what a later tool maps through this one keeps its
//! exact column.

use crate::source::Position;

use super::{ATTRIBUTE, Stamped};

/// A stamp to write.
pub(super) struct Insertion {
    /// Where it goes, as a byte offset.
    pub offset: usize,
    /// What it says.
    pub at: Position,
}

/// `insertions` ascend and stand on character boundaries.
pub(super) fn stamped(path: &str, code: &str, insertions: &[Insertion]) -> Stamped {
    let head = format!(" {ATTRIBUTE}=\"{}:", attribute_text(path));
    let head_units = units(&head);
    let mut result = String::with_capacity(code.len() + insertions.len() * (head.len() + 9));
    let mut mappings = Mappings::with_capacity(code.len());
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
        map: json(path, code, &mappings.text),
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

/// The map's source is named relative to the module itself: it is the file of that name.
fn json(path: &str, code: &str, mappings: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let string = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        r#"{{"version":3,"names":[],"sources":[{}],"sourcesContent":[{}],"mappings":"{mappings}"}}"#,
        string(name),
        string(code)
    )
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The `mappings` of <https://tc39.es/ecma426/>, written as the text goes by.
struct Mappings {
    text: String,
    /// Columns of the result and the file, in UTF-16 units, where the pass stands; and as of the last segment.
    column: (usize, usize),
    last_result: usize,
    last_column: usize,
    /// Lines of the file since the last segment.
    lines: usize,
    /// Whether the pass stands inside a word.
    in_word: bool,
}

impl Mappings {
    fn with_capacity(length: usize) -> Self {
        Self {
            text: String::with_capacity(length + length / 2),
            column: (0, 0),
            last_result: 0,
            last_column: 0,
            lines: 0,
            in_word: false,
        }
    }

    /// The pass goes over text of the file.
    fn copied(&mut self, text: &str) {
        let bytes = text.as_bytes();
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' => self.line(),
                // Source maps count lines as JavaScript does; a lone carriage return ends one.
                b'\r' if bytes.get(index + 1) != Some(&b'\n') => self.line(),
                b' ' | b'\t' | b'\r' => {
                    self.in_word = false;
                    self.advance(1);
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => {
                    if !self.in_word {
                        self.segment();
                        self.in_word = true;
                    }
                    self.advance(1);
                }
                0x80..=0xBF => {}
                0xC0.. => {
                    if !self.in_word {
                        self.segment();
                        self.in_word = true;
                    }
                    self.advance(if *byte >= 0xF0 { 2 } else { 1 });
                }
                _ => {
                    self.in_word = false;
                    self.segment();
                    self.advance(1);
                }
            }
        }
    }

    /// The pass wrote `units` that are not of the file; they count as the place where they stand.
    fn inserted(&mut self, units: usize) {
        self.segment();
        self.column.0 += units;
        self.in_word = false;
    }

    fn advance(&mut self, units: usize) {
        self.column.0 += units;
        self.column.1 += units;
    }

    fn line(&mut self) {
        self.text.push(';');
        self.column = (0, 0);
        self.last_result = 0;
        self.lines += 1;
        self.in_word = false;
    }

    fn segment(&mut self) {
        // Segments of one line are parted by commas; a line begins behind a semicolon.
        if !matches!(self.text.as_bytes().last(), None | Some(b';')) {
            self.text.push(',');
        }
        let (result, column) = self.column;
        vlq(&mut self.text, result as i64 - self.last_result as i64);
        self.text.push('A');
        vlq(&mut self.text, self.lines as i64);
        vlq(&mut self.text, column as i64 - self.last_column as i64);
        (self.last_result, self.last_column, self.lines) = (result, column, 0);
    }
}

/// Base 64 digits of five bits each, the sign in the lowest bit of the first.
fn vlq(text: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let digit = rest as usize & 31;
        rest >>= 5;
        let more = if rest > 0 { 32 } else { 0 };
        text.push(char::from(DIGITS[digit | more]));
        if rest == 0 {
            return;
        }
    }
}
