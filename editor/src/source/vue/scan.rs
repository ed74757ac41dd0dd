//! The scanner: reads a single-file component as `@vue/compiler-sfc` reads it.
//!
//! Same tree, same ranges, same errors: nothing is repaired as a browser would (`<p>` without its closing tag is an error
//! to Vue), names keep their case, only `title`, `textarea`, `script` and `style` hold text without tags, and each block
//! of the top level but `template` is plain text up to its closing tag. Delimiters other than `{{ }}` are not supported: they
//! are an option of the compiler that the file itself does not show.

use std::collections::HashSet;

use super::names;
use super::tree::{Attribute, Bound, Directive, Element, Id, Kind, Namespace, Node, Sfc, Shown, Span, Text, Value};
use super::whitespace;
use crate::source::script::Broken;

/// After so many problems the rest is not read: a broken file is refused anyway, and a hostile one should not cost time.
const MOST_PROBLEMS: usize = 100;
/// From this number of attributes on, doubles are looked up in a set.
const MANY_ATTRIBUTES: usize = 24;

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
        while self.at < self.bytes.len() && self.sfc.problems.len() < MOST_PROBLEMS {
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
            self.add(start, self.at.min(self.bytes.len()), Kind::Comment);
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
                    self.add(from.saturating_sub(4), (end + 3).min(self.bytes.len()), Kind::Comment);
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
        self.add(start, end.after, Kind::Element(Box::new(element)));
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

    /// Text up to the closing tag of `tag`, which stands on the stack.
    fn raw_text(&mut self, tag: &str) {
        let start = self.at;
        let end = self.find_closing(tag, start);
        if end > start {
            self.add_text(start, end, Piece::Raw);
        }
        self.finish_text(end);
    }

    fn text_with_expressions(&mut self, tag: &str) {
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
    fn find_expression(&self, tag: &str, from: usize, limit: usize) -> usize {
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

    fn finish_text(&mut self, end: usize) {
        self.at = end;
        if end < self.bytes.len() {
            self.exact = true;
            self.closing_tag(end);
            self.exact = false;
        }
    }

    /// The `<` of `</tag` with a `>` or a space behind it, or the end of the text.
    fn find_closing(&self, tag: &str, from: usize) -> usize {
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
        self.add(start, self.at, Kind::Interpolation(inner));
    }

    // -- attributes

    /// Reads attributes up to the end of the tag; `None` when the text ends before.
    fn attributes(&mut self, id: Id) -> Option<(Vec<Attribute>, TagEnd)> {
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

    fn attribute(&mut self, id: Id, before: &mut [Attribute]) -> Option<Attribute> {
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
    fn directive(&mut self, start: usize) -> Option<Directive> {
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
    fn argument(&mut self, from: usize) -> Option<usize> {
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
    fn value(&mut self, start: usize) -> Option<Value> {
        let first = self.bytes[start];
        if matches!(first, b'"' | b'\'') {
            let end = start + 1 + self.bytes[start + 1..].iter().position(|byte| *byte == first)?;
            return Some(Value {
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
        Some(Value {
            span,
            inner: span,
            quote: None,
        })
    }

    // -- the tree

    fn namespace(&self, tag: &str) -> Namespace {
        let mut namespace = Namespace::Html;
        if let Some(parent) = self.stack.last().and_then(|id| self.sfc.element(*id)) {
            namespace = parent.namespace;
            let name = self.sfc.tag(parent);
            if namespace == Namespace::MathMl {
                if name == "annotation-xml" {
                    if tag == "svg" {
                        return Namespace::Svg;
                    }
                    let html = |attribute: &Attribute| {
                        let value = attribute.value.map(|value| value.inner.of(self.sfc.text));
                        attribute.name.of(self.sfc.text) == "encoding"
                            && matches!(value, Some("text/html" | "application/xhtml+xml"))
                    };
                    if parent.attributes.iter().any(html) {
                        namespace = Namespace::Html;
                    }
                } else if matches!(name, "mi" | "mo" | "mn" | "ms" | "mtext") && !matches!(tag, "mglyph" | "malignmark")
                {
                    namespace = Namespace::Html;
                }
            } else if namespace == Namespace::Svg && matches!(name, "foreignObject" | "desc" | "title") {
                namespace = Namespace::Html;
            }
        }
        match tag {
            "svg" if namespace == Namespace::Html => Namespace::Svg,
            "math" if namespace == Namespace::Html => Namespace::MathMl,
            _ => namespace,
        }
    }

    /// Whether the innermost element is one of SVG or MathML.
    fn is_foreign(&self) -> bool {
        self.stack
            .last()
            .and_then(|id| self.sfc.element(*id))
            .is_some_and(|element| element.namespace != Namespace::Html)
    }

    fn add(&mut self, start: usize, end: usize, kind: Kind) {
        let id = self.sfc.nodes.len();
        let parent = self.stack.last().copied();
        self.sfc.nodes.push(Node {
            span: Span::new(start, end),
            parent,
            kind,
        });
        match parent.map(|parent| &mut self.sfc.nodes[parent].kind) {
            Some(Kind::Element(element)) => element.children.push(id),
            _ => self.sfc.roots.push(id),
        }
    }

    /// Adds characters; those behind other characters join them.
    fn add_text(&mut self, start: usize, end: usize, piece: Piece) {
        let parent = self.stack.last().copied();
        if let Some(last) = self.sfc.children(parent).last().copied() {
            let Node { span, kind, .. } = &mut self.sfc.nodes[last];
            if let Kind::Text(text) = kind {
                text.solid &= piece != Piece::Section && span.end == start;
                span.end = end;
                return;
            }
        }
        let text = Text {
            shown: Shown::Exact,
            solid: piece != Piece::Section,
            raw: piece == Piece::Raw,
        };
        self.add(start, end, Kind::Text(text));
    }

    /// Takes the innermost element from the stack; it ends at `end`.
    fn close(&mut self, end: usize, tag: Option<Span>) {
        let Some(id) = self.stack.pop() else { return };
        let node = &mut self.sfc.nodes[id];
        node.span.end = end;
        let Kind::Element(element) = &mut node.kind else { return };
        element.close = tag;
        let is_pre = element.namespace == Namespace::Html && element.name.of(self.sfc.text) == "pre";
        let children = std::mem::take(&mut element.children);
        whitespace::condense(&mut self.sfc, &children, self.exact || self.pre > 0);
        if let Kind::Element(element) = &mut self.sfc.nodes[id].kind {
            element.children = children;
        }
        if is_pre {
            self.pre -= 1;
        }
        if self.verbatim == Some(id) {
            self.verbatim = None;
        }
        if self.xml && !self.is_foreign() {
            self.xml = false;
        }
    }

    fn finish(&mut self) {
        let end = self.bytes.len();
        let unclosed: Vec<Id> = self.stack.clone();
        while !self.stack.is_empty() {
            self.close(end, None);
        }
        for id in unclosed.into_iter().rev() {
            self.unclosed(id);
        }
        let roots = std::mem::take(&mut self.sfc.roots);
        whitespace::condense(&mut self.sfc, &roots, false);
        self.sfc.roots = roots;
        self.sfc.problems.sort_by_key(|problem| problem.offset);
    }

    // -- small things

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
        if self.sfc.problems.len() < MOST_PROBLEMS {
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

/// How an opening tag ends.
struct TagEnd {
    after: usize,
    self_closing: bool,
}

fn is_name_end(byte: u8) -> bool {
    matches!(byte, b'=' | b'/' | b'>') || is_space(byte)
}

/// White space as Vue's compiler counts it.
#[must_use]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
