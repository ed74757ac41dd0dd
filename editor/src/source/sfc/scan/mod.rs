//! The scanner: reads a single-file component as `@vue/compiler-sfc` reads it.
//!
//! Same tree, same ranges, same errors: nothing is repaired as a browser would (`<p>` without its closing tag is an error
//! to Vue), names keep their case, only `title`, `textarea`, `script` and `style` hold text without tags, and each block
//! of the top level but `template` is plain text up to its closing tag. Delimiters other than `{{ }}` are not supported: they
//! are an option of the compiler that the file itself does not show.

mod attributes;
mod nest;
mod raw;

use super::names;
use super::tree::{Attribute, Element, Id, Namespace, NodeKind, Sfc, Span};
use crate::source::script::Broken;

/// After so many problems the rest is not read: a broken file is refused anyway, and a hostile one should not cost time.
const MAX_PROBLEMS: usize = 100;

/// Scans a file. Never fails: what is wrong with it stands in [`Sfc::problems`].
#[must_use]
pub fn scan(text: &str) -> Sfc<'_> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: 0,
        sfc: Sfc {
            text,
            nodes: Vec::with_capacity(text.len() / 40),
            roots: Vec::new(),
            problems: Vec::new(),
        },
        stack: Vec::new(),
        pre: 0,
        exact: false,
        verbatim: None,
        xml: false,
    };
    scanner.content();
    scanner.finish();
    scanner.sfc
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    sfc: Sfc<'t>,
    /// The open elements, innermost last.
    stack: Vec<Id>,
    /// How many of them are `pre`.
    pre: usize,
    /// Whether the element being closed is one whose text keeps its white space: `textarea`, `script` and the like.
    exact: bool,
    /// The one with `v-pre`, once that directive has been read.
    verbatim: Option<Id>,
    /// Whether `title`, `style` and the like are ordinary tags, as in `<svg>`.
    xml: bool,
}

/// What the content of an element just opened is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Markup,
    /// Text with expressions and character references: `title`, `textarea`.
    Text,
    /// Text as it stands: `script`, `style`, and all blocks of the top level but `template`.
    Raw,
}

/// A piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Plain,
    /// Without character references.
    Raw,
    /// Of a CDATA section.
    Section,
}

impl Scanner<'_> {
    fn content(&mut self) {
        while self.at < self.bytes.len() && self.sfc.problems.len() < MAX_PROBLEMS {
            let start = self.at;
            let stop = self.find_in_text(start);
            if stop > start {
                self.add_text(start, stop, Piece::Plain);
            }
            self.at = stop;
            match self.bytes.get(stop) {
                Some(b'<') => self.markup(stop),
                Some(_) => self.interpolation(stop),
                None => {}
            }
        }
    }

    /// The next `<` or `{{`, or the end. A lone `<` before anything that begins no tag is text.
    fn find_in_text(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'<' => match self.bytes.get(at + 1) {
                    Some(next) if next.is_ascii_alphabetic() || matches!(next, b'!' | b'?' | b'/') => return at,
                    _ => {}
                },
                b'{' if self.verbatim.is_none() && self.bytes.get(at + 1) == Some(&b'{') => return at,
                _ => {}
            }
            at += 1;
        }
        at
    }

    fn markup(&mut self, start: usize) {
        match self.bytes[start + 1] {
            b'!' => self.declaration(start),
            b'?' => {
                let end = self.find(">", start + 2);
                if !self.is_foreign() {
                    self.problem(start + 1, "“<?” begins no tag: only XML has processing instructions");
                }
                self.at = end + 1;
            }
            b'/' => self.closing_tag(start),
            _ => self.opening_tag(start),
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn declaration(&mut self, start: usize) {
        let rest = &self.bytes[start..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is a comment too: its dashes count twice.
            let found = self.find("-->", start + 2);
            if found >= self.bytes.len() {
                self.problem(self.bytes.len(), "a comment is not closed: “-->” is missing");
            }
            self.at = found + 3;
            self.add(start, self.at.min(self.bytes.len()), NodeKind::Comment);
        } else if rest.starts_with(b"<![CDATA[") {
            let from = start + 9;
            let found = self.find("]]>", from);
            if self.is_foreign() {
                self.add_text(from, found, Piece::Section);
                if found >= self.bytes.len() {
                    self.problem(self.bytes.len(), "a CDATA section is not closed: “]]>” is missing");
                }
            } else {
                self.problem(start, "CDATA sections are allowed in <svg> and <math> only");
            }
            self.at = found + 3;
        } else {
            self.at = self.find(">", start + 2) + 1;
        }
    }

    fn closing_tag(&mut self, start: usize) {
        let mut from = start + 2;
        while self.bytes.get(from).is_some_and(|byte| is_space(*byte)) {
            from += 1;
        }
        match self.bytes.get(from) {
            None => {
                self.problem(self.bytes.len(), "the file ends in a closing tag");
                self.at = from;
            }
            Some(b'>') => {
                self.problem(from, "a closing tag has no name");
                self.at = from + 1;
            }
            Some(byte) if byte.is_ascii_alphabetic() => self.named_closing_tag(start, from),
            Some(_) => {
                let end = self.find(">", from);
                if end < self.bytes.len() {
                    // `</3>` is a comment to the compiler, as it is to browsers.
                    self.add(start, end + 1, NodeKind::Comment);
                }
                self.at = end + 1;
            }
        }
    }

    fn named_closing_tag(&mut self, start: usize, from: usize) {
        let mut name_end = from;
        while self
            .bytes
            .get(name_end)
            .is_some_and(|byte| *byte != b'>' && !is_space(*byte))
        {
            name_end += 1;
        }
        let end = self.find(">", name_end);
        self.at = end + 1;
        if name_end >= self.bytes.len() {
            self.problem(self.bytes.len(), "the file ends in a closing tag");
            return;
        }
        let name = &self.sfc.text[from..name_end];
        if names::is_void(name) {
            return;
        }
        let open = self.stack.iter().rposition(|id| {
            self.sfc
                .element(*id)
                .is_some_and(|element| element.name.of(self.sfc.text).eq_ignore_ascii_case(name))
        });
        let Some(open) = open else {
            self.problem(start, format!("</{name}> closes nothing"));
            return;
        };
        if open + 1 < self.stack.len() {
            self.unclosed(self.stack[self.stack.len() - 1]);
        }
        while self.stack.len() > open + 1 {
            self.close(start, None);
        }
        let end = self.at.min(self.bytes.len());
        self.close(end, Some(Span::new(start, end)));
    }

    fn opening_tag(&mut self, start: usize) {
        let from = start + 1;
        let name_end = self.end_of_section(from);
        if name_end >= self.bytes.len() {
            self.problem(self.bytes.len(), "the file ends in a tag");
            self.at = name_end;
            return;
        }
        let name = Span::new(from, name_end);
        let namespace = self.namespace(name.of(self.sfc.text));
        let id = self.sfc.nodes.len();
        let was_verbatim = self.verbatim;
        self.at = name_end;
        let Some((attributes, end)) = self.attributes(id) else {
            self.verbatim = was_verbatim;
            self.at = self.bytes.len();
            self.problem(self.bytes.len(), "the file ends in a tag");
            return;
        };
        let element = Element {
            name,
            attributes,
            children: Vec::new(),
            open: Span::new(start, end.after),
            close: None,
            self_closing: end.self_closing,
            namespace,
            verbatim: self.verbatim.is_some(),
        };
        let content = self.content_of(&element);
        self.add(start, end.after, NodeKind::Element(Box::new(element)));
        self.at = end.after;
        let tag = name.of(self.sfc.text);
        self.stack.push(id);
        if namespace == Namespace::Html && tag == "pre" {
            self.pre += 1;
        }
        if names::is_void(tag) || end.self_closing {
            if namespace != Namespace::Html && !names::is_void(tag) {
                self.xml = true;
            }
            self.close(end.after, None);
            return;
        }
        if namespace != Namespace::Html {
            self.xml = true;
        }
        match content {
            Content::Markup => {}
            Content::Raw => self.raw_text(tag),
            Content::Text => self.text_with_expressions(tag),
        }
    }

    /// What follows the opening tag of an element that is not yet on the stack.
    fn content_of(&self, element: &Element) -> Content {
        let tag = element.name.of(self.sfc.text);
        if self.stack.is_empty() {
            let other = |attribute: &Attribute| {
                attribute.directive.is_none()
                    && attribute.name.of(self.sfc.text) == "lang"
                    && attribute
                        .value
                        .is_some_and(|value| !matches!(value.inner.of(self.sfc.text), "" | "html"))
            };
            return match tag {
                "template" if !element.attributes.iter().any(other) => Content::Markup,
                _ => Content::Raw,
            };
        }
        let is = |name: &str| tag.eq_ignore_ascii_case(name) && tag.get(..2) == name.get(..2);
        match () {
            () if self.xml => Content::Markup,
            () if is("title") || is("textarea") => Content::Text,
            () if is("script") || is("style") => Content::Raw,
            () => Content::Markup,
        }
    }

    fn interpolation(&mut self, start: usize) {
        let found = self.find("}}", start + 2);
        if found >= self.bytes.len() {
            self.problem(start, "an expression is not closed: “}}” is missing");
            self.add_text(start, self.bytes.len(), Piece::Plain);
            self.at = self.bytes.len();
            return;
        }
        let mut inner = Span::new(start + 2, found);
        while inner.start < inner.end && is_space(self.bytes[inner.start]) {
            inner.start += 1;
        }
        while inner.start < inner.end && is_space(self.bytes[inner.end - 1]) {
            inner.end -= 1;
        }
        self.at = found + 2;
        self.add(start, self.at, NodeKind::Interpolation(inner));
    }

    fn unclosed(&mut self, id: Id) {
        let node = &self.sfc.nodes[id];
        let start = node.span.start;
        let name = self
            .sfc
            .element(id)
            .map_or("", |element| self.sfc.tag(element))
            .to_owned();
        self.problem(start, format!("<{name}> is not closed"));
    }

    fn problem(&mut self, offset: usize, message: impl Into<String>) {
        if self.sfc.problems.len() < MAX_PROBLEMS {
            let message = message.into();
            self.sfc.problems.push(Broken { message, offset });
        }
    }

    /// Where `needle` begins, or the end of the text.
    fn find(&self, needle: &str, from: usize) -> usize {
        let end = self.bytes.len();
        let rest = self.sfc.text.get(from.min(end)..).unwrap_or_default();
        rest.find(needle).map_or(end, |at| from + at)
    }

    /// The first `/`, `>` or white space.
    fn end_of_section(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            if matches!(byte, b'/' | b'>') || is_space(*byte) {
                break;
            }
            at += 1;
        }
        at
    }
}

/// White space as Vue's compiler counts it.
#[must_use]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
