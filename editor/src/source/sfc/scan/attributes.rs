//! Attributes and directives of an opening tag.

use std::collections::HashSet;

use super::{Scanner, is_space};
use crate::source::sfc::tree::{Attribute, AttributeValue, Bound, Directive, Id, Span};

/// From this number of attributes on, doubles are looked up in a set.
const MANY_ATTRIBUTES: usize = 24;

/// How an opening tag ends.
pub(super) struct TagEnd {
    pub after: usize,
    pub self_closing: bool,
}

fn is_name_end(byte: u8) -> bool {
    matches!(byte, b'=' | b'/' | b'>') || is_space(byte)
}

impl Scanner<'_> {
    /// Reads attributes up to the end of the tag; `None` when the text ends before.
    pub(super) fn attributes(&mut self, id: Id) -> Option<(Vec<Attribute>, TagEnd)> {
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        loop {
            match *self.bytes.get(self.at)? {
                b'>' => {
                    let after = self.at + 1;
                    return Some((
                        attributes,
                        TagEnd {
                            after,
                            self_closing: false,
                        },
                    ));
                }
                b'/' => {
                    let slash = self.at;
                    if self.bytes.get(slash + 1) != Some(&b'>') {
                        self.problem(slash, "a “/” stands in a tag, but not at its end");
                    }
                    self.at += 1;
                    while is_space(*self.bytes.get(self.at)?) {
                        self.at += 1;
                    }
                    if self.bytes[self.at] == b'>' {
                        let after = self.at + 1;
                        return Some((
                            attributes,
                            TagEnd {
                                after,
                                self_closing: true,
                            },
                        ));
                    }
                }
                b'<' if self.bytes.get(self.at + 1) == Some(&b'/') => {
                    let after = self.at;
                    return Some((
                        attributes,
                        TagEnd {
                            after,
                            self_closing: false,
                        },
                    ));
                }
                byte if is_space(byte) => self.at += 1,
                _ => {
                    let attribute = self.attribute(id, &mut attributes)?;
                    let name = attribute.name.of(self.sfc.text);
                    let double = if attributes.len() < MANY_ATTRIBUTES {
                        attributes.iter().any(|other| other.name.of(self.sfc.text) == name)
                    } else {
                        if seen.is_empty() {
                            seen.extend(attributes.iter().map(|other| other.name.of(self.sfc.text)));
                        }
                        !seen.insert(name)
                    };
                    if double {
                        self.problem(attribute.span.start, format!("the attribute {name} stands there twice"));
                    }
                    attributes.push(attribute);
                }
            }
        }
    }

    pub(super) fn attribute(&mut self, id: Id, before: &mut [Attribute]) -> Option<Attribute> {
        let start = self.at;
        let bytes = self.bytes;
        let directive = match bytes[start] {
            b'v' if bytes.get(start + 1) == Some(&b'-') => true,
            b'.' | b':' | b'@' | b'#' => true,
            b'=' => {
                self.problem(start, "a tag has “=” where a name should begin");
                false
            }
            _ => false,
        };
        let directive = if directive {
            let directive = self.directive(start)?;
            let unnamed = &self.sfc.text[start..self.at] == "v-";
            if unnamed {
                self.problem(start, "a directive has no name");
            }
            if directive.kind == Bound::Pre && self.verbatim.is_none() {
                self.verbatim = Some(id);
                for attribute in before {
                    attribute.directive = None;
                }
                Some(directive)
            } else {
                Some(directive).filter(|_| self.verbatim.is_none() && !unnamed)
            }
        } else {
            self.at += 1;
            while !matches!(*bytes.get(self.at)?, b'=' | b'/' | b'>') && !is_space(bytes[self.at]) {
                if matches!(bytes[self.at], b'"' | b'\'' | b'<') {
                    self.problem(self.at, "the name of an attribute has a quote or “<” in it");
                }
                self.at += 1;
            }
            None
        };
        let name = Span::new(start, self.at);
        let mut look = self.at;
        while is_space(*bytes.get(look)?) {
            look += 1;
        }
        if bytes[look] != b'=' {
            self.at = look;
            let span = name;
            return Some(Attribute {
                span,
                name,
                value: None,
                directive,
            });
        }
        look += 1;
        while is_space(*bytes.get(look)?) {
            look += 1;
        }
        let value = self.value(look)?;
        self.at = value.span.end;
        let span = Span::new(start, value.span.end);
        Some(Attribute {
            span,
            name,
            value: Some(value),
            directive,
        })
    }

    /// Reads a directive's name from its first byte on.
    pub(super) fn directive(&mut self, start: usize) -> Option<Directive> {
        let bytes = self.bytes;
        let mut at = start + 1;
        let mut modifiers = Vec::new();
        let mut argument = None;
        let mut has_argument = bytes[start] != b'v';
        if !has_argument {
            while !matches!(*bytes.get(at)?, b':' | b'.') && !is_name_end(bytes[at]) {
                at += 1;
            }
            has_argument = bytes[at] == b':';
        }
        let raw = Span::new(start, at);
        let kind = Bound::of(raw.of(self.sfc.text));
        if has_argument {
            let from = if bytes[start] == b'v' { at + 1 } else { at };
            at = self.argument(from)?;
            argument = (at > from).then(|| Span::new(from, at));
        }
        while bytes.get(at) == Some(&b'.') {
            let from = at + 1;
            at = from;
            while *bytes.get(at)? != b'.' && !is_name_end(bytes[at]) {
                at += 1;
            }
            match &mut argument {
                Some(argument) if kind == Bound::Slot => argument.end = at,
                _ => modifiers.push(Span::new(from, at)),
            }
        }
        self.at = at;
        Some(Directive {
            kind,
            argument,
            modifiers,
        })
    }

    /// The end of an argument; `[` up to `]` may hold dots.
    pub(super) fn argument(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        let mut dynamic = false;
        loop {
            let byte = *self.bytes.get(at)?;
            if is_name_end(byte) {
                if dynamic {
                    self.problem(
                        at,
                        "a dynamic argument is not closed: “]” is missing, or a space or “=” stands in it",
                    );
                }
                return Some(at);
            }
            match byte {
                b'.' if !dynamic => return Some(at),
                b'[' => dynamic = true,
                b']' => dynamic = false,
                _ => {}
            }
            at += 1;
        }
    }

    /// The value that begins at `start`; `None` when the text ends in it.
    pub(super) fn value(&mut self, start: usize) -> Option<AttributeValue> {
        let first = self.bytes[start];
        if matches!(first, b'"' | b'\'') {
            let end = start + 1 + self.bytes[start + 1..].iter().position(|byte| *byte == first)?;
            return Some(AttributeValue {
                span: Span::new(start, end + 1),
                inner: Span::new(start + 1, end),
                quote: Some(first),
            });
        }
        let mut at = start;
        while *self.bytes.get(at)? != b'>' && !is_space(self.bytes[at]) {
            if matches!(self.bytes[at], b'"' | b'\'' | b'<' | b'=' | b'`') {
                self.problem(at, "a value without quotes has a quote, “<”, “=” or “`” in it");
            }
            at += 1;
        }
        let span = Span::new(start, at);
        if span.is_empty() {
            self.problem(start, "an attribute has “=” but no value");
        }
        Some(AttributeValue {
            span,
            inner: span,
            quote: None,
        })
    }
}
