//! Elements whose content is text: `script` and `style` as it stands, `title` and `textarea` with expressions.

use super::{Piece, Scanner, is_space};

impl Scanner<'_> {
    /// Text up to the closing tag of `tag`, which stands on the stack.
    pub(super) fn raw_text(&mut self, tag: &str) {
        let start = self.at;
        let end = self.find_closing(tag, start);
        if end > start {
            self.add_text(start, end, Piece::Raw);
        }
        self.finish_text(end);
    }

    pub(super) fn text_with_expressions(&mut self, tag: &str) {
        let mut limit = self.find_closing(tag, self.at);
        while self.at < limit {
            let start = self.at;
            let stop = self.find_expression(tag, start, limit);
            if stop > start {
                self.add_text(start, stop, Piece::Plain);
            }
            self.at = stop;
            if stop < limit {
                self.interpolation(stop);
                if self.at > limit {
                    // The expression held what looked like the closing tag.
                    limit = self.find_closing(tag, self.at);
                }
            }
        }
        self.finish_text(limit);
    }

    /// The next `{{` before `limit`. As the compiler compares what follows a `<` with the closing tag, it looks at the
    /// character that differs for nothing else: a brace there begins no expression.
    pub(super) fn find_expression(&self, tag: &str, from: usize, limit: usize) -> usize {
        let mut at = from;
        while at < limit {
            match self.bytes[at] {
                b'{' if self.verbatim.is_none() && self.bytes.get(at + 1) == Some(&b'{') => return at,
                b'<' => {
                    let rest = &self.bytes[at + 1..limit];
                    let wanted = std::iter::once(b'/').chain(tag.bytes().map(|byte| byte.to_ascii_lowercase()));
                    let same = rest
                        .iter()
                        .zip(wanted)
                        .take_while(|(found, wanted)| **found | 0x20 == *wanted)
                        .count();
                    at += 1 + same;
                    if self.bytes.get(at) != Some(&b'<') {
                        at += 1;
                    }
                }
                _ => at += 1,
            }
        }
        limit
    }

    pub(super) fn finish_text(&mut self, end: usize) {
        self.at = end;
        if end < self.bytes.len() {
            self.exact = true;
            self.closing_tag(end);
            self.exact = false;
        }
    }

    /// The `<` of `</tag` with a `>` or a space behind it, or the end of the text.
    pub(super) fn find_closing(&self, tag: &str, from: usize) -> usize {
        let sequence = tag.as_bytes();
        let root = self.stack.len() == 1;
        let mut at = from;
        loop {
            at = self.find("</", at);
            let name = at + 2;
            let Some(found) = self.bytes.get(name..name + sequence.len()) else {
                return self.bytes.len();
            };
            // The compiler sets the bit that makes letters small, in the text only: a block with capitals is never closed.
            let equal = found.iter().zip(sequence).all(|(found, wanted)| {
                let wanted = if root { *wanted } else { wanted.to_ascii_lowercase() };
                found | 0x20 == wanted
            });
            let ends = self
                .bytes
                .get(name + sequence.len())
                .is_some_and(|byte| *byte == b'>' || is_space(*byte));
            if equal && ends {
                return at;
            }
            at = name;
        }
    }
}
