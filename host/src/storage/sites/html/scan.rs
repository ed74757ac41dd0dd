//! Finding the holes of a page with a streaming HTML tokenizer.

use std::cell::RefCell;
use std::ops::Range;

use lol_html::html_content::{Attribute, Element};
use lol_html::{HtmlRewriter, MemorySettings, Settings, doctype, element};

use super::attributes::{Shape, shape};
use super::references::Decoded;
use super::urls::{UrlKind, classify, import_map, list, refresh, srcset};
use super::{Hole, HoleKind, MAX_PAGE};

/// Bytes the tokenizer may hold at once. It holds one tag; a larger one ends the scan.
const MAX_MEMORY: usize = 4 << 20;

/// The holes of the page at `path`, in the order of their places. Never fails: a page that cannot be read to its end
/// gets the holes found until then; one in UTF-16, or larger than [`MAX_PAGE`], gets none.
pub fn scan(page: &[u8], path: &str) -> Vec<Hole> {
    if page.starts_with(&[0xfe, 0xff]) || page.starts_with(&[0xff, 0xfe]) || page.len() as u64 > MAX_PAGE {
        return Vec::new();
    }
    let found = RefCell::new(Found::new(page, path));
    let settings = Settings::new()
        .with_strict(false)
        .with_memory_settings(MemorySettings::new().with_max_allowed_memory_usage(MAX_MEMORY))
        .append_document_content_handler(doctype!(|doctype| {
            found.borrow_mut().preamble(doctype.source_location().bytes().end);
            Ok(())
        }))
        .append_element_content_handler(element!("*", |element| {
            found.borrow_mut().element(element);
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // After an error the holes found so far are kept: each is correct without the others.
    let _ = rewriter.write(page).and_then(|()| rewriter.end());
    found.into_inner().finish()
}

/// What an existing `base` element means for the addresses of its page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// The page has no `<base>`: one is inserted.
    Missing,
    /// It keeps the page's addresses below the prefix, or is adjusted to.
    Inside,
    /// It names another host, so the page's addresses do not lead to this server.
    Elsewhere,
}

struct Found<'a> {
    page: &'a [u8],
    /// The page is in a folder, where an inserted base would change the meaning of its relative addresses.
    nested: bool,
    /// The page's own address differs from the base.
    has_address: bool,
    holes: Vec<Hole>,
    /// Where the head begins, as far as is known.
    head: usize,
    head_is_settled: bool,
    base: Base,
}

impl<'a> Found<'a> {
    fn new(page: &'a [u8], path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let nested = name.len() < path.len();
        // These two are shown at other addresses than their own, which are unknown here.
        let wanders = matches!(name, "404.html" | "200.html");
        let head = if page.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let has_address = !wanders && (nested || name != "index.html");
        Self {
            page,
            nested,
            has_address,
            holes: Vec::new(),
            head,
            head_is_settled: false,
            base: Base::Missing,
        }
    }

    /// Something that precedes the head ended here.
    fn preamble(&mut self, end: usize) {
        if !self.head_is_settled {
            self.head = end;
        }
    }

    fn element(&mut self, element: &Element<'_, '_>) {
        let tag = element.tag_name();
        let end = element.source_location().bytes().end;
        match tag.as_str() {
            "html" => self.preamble(end),
            "head" => {
                self.preamble(end);
                self.head_is_settled = true;
            }
            // The tag of the head may be left out; then the head begins with what belongs into it.
            _ => self.head_is_settled = true,
        }
        if tag == "base" {
            return self.base(element);
        }
        // In SVG a script is ordinary markup to the tokenizer, and no import map to a browser.
        let script = tag == "script" && element.namespace_uri().ends_with("/xhtml");
        if script && has(self.page, element, b"type", b"importmap") {
            self.import_map(end);
        }
        let refreshes = tag == "meta" && has(self.page, element, b"http-equiv", b"refresh");
        for attribute in element.attributes() {
            let Some(place) = attribute.value_source_location().map(|place| place.bytes()) else {
                continue;
            };
            let mut name = [0; 16];
            let Some(name) = lower_case(name_of(self.page, attribute), &mut name) else {
                continue;
            };
            let Some(shape) = shape(&tag, name).or((refreshes && name == "content").then_some(Shape::Refresh)) else {
                continue;
            };
            let value = Value::at(place.start, &self.page[place]);
            let text = value.text();
            let addresses = match shape {
                Shape::Url | Shape::Link => std::iter::once(0..text.len()).collect(),
                Shape::Srcset => srcset(text),
                Shape::List => list(text),
                Shape::Refresh => refresh(text).into_iter().collect(),
            };
            for address in addresses {
                self.address(&value, address, shape == Shape::Link);
            }
        }
    }

    /// An address in a value. Only a link goes to a fragment; elsewhere it names a part of the same document.
    fn address(&mut self, value: &Value<'_>, address: Range<usize>, link: bool) {
        let (start, kind) = classify(&value.text()[address.clone()]);
        match kind {
            UrlKind::Page { .. } if address.is_empty() && !link => {}
            UrlKind::Page { fragment: true } if !link => {}
            kind => self.hole_in(value, address.start + start, kind),
        }
    }

    /// A hole before the byte at `index` of a value's text.
    fn hole_in(&mut self, value: &Value<'_>, index: usize, kind: UrlKind) {
        let kind = match kind {
            UrlKind::Root(_) => match u8::try_from(value.length(index)) {
                Ok(length) => UrlKind::Root(length),
                // A slash written with 250 zeros is not meant as one.
                Err(_) => return,
            },
            kind => kind,
        };
        self.hole(value.place(index), kind);
    }

    fn hole(&mut self, at: usize, kind: UrlKind) {
        let (skip, kind) = match kind {
            UrlKind::Root(skip) => (skip, HoleKind::Root),
            UrlKind::Relative if self.nested => (0, HoleKind::Folder),
            UrlKind::Page { .. } if self.has_address => (0, HoleKind::Page),
            _ => return,
        };
        self.holes.push(Hole {
            at: at as u32,
            skip,
            kind,
        });
    }

    /// Only the first `base` with an address counts, and it counts for the whole page.
    fn base(&mut self, element: &Element<'_, '_>) {
        if self.base != Base::Missing {
            return;
        }
        let href = element.attributes().iter().find(|attribute| attribute.name() == "href");
        let Some(place) = href
            .and_then(Attribute::value_source_location)
            .map(|place| place.bytes())
        else {
            return;
        };
        let value = Value::at(place.start, &self.page[place]);
        self.base = match classify(value.text()) {
            (start, kind @ UrlKind::Root(_)) => {
                self.hole_in(&value, start, kind);
                Base::Inside
            }
            (_, UrlKind::Elsewhere) => Base::Elsewhere,
            _ => Base::Inside,
        };
    }

    fn import_map(&mut self, start: usize) {
        let rest = &self.page[start..];
        let end = rest
            .windows(8)
            .position(|window| window.eq_ignore_ascii_case(b"</script"))
            .unwrap_or(rest.len());
        for (at, kind) in import_map(&rest[..end]) {
            self.hole(start + at, kind);
        }
    }

    fn finish(mut self) -> Vec<Hole> {
        match self.base {
            Base::Missing => self.holes.push(Hole {
                at: self.head as u32,
                skip: 0,
                kind: HoleKind::Base,
            }),
            Base::Inside => self.holes.retain(|hole| hole.kind == HoleKind::Root),
            Base::Elsewhere => self.holes.clear(),
        }
        self.holes.push(Hole {
            at: self.head as u32,
            skip: 0,
            kind: HoleKind::Bridge,
        });
        // Stable: the base stays before the bridge.
        self.holes.sort_by_key(|hole| hole.at);
        let mut end = 0;
        self.holes.retain(|hole| {
            let fits = hole.at >= end;
            end = end.max(hole.at + u32::from(hole.skip));
            fits
        });
        self.holes
    }
}

/// An attribute's value in a page.
struct Value<'a> {
    /// Where it begins in the page.
    start: usize,
    raw: &'a [u8],
    /// Set when it holds character references.
    decoded: Option<Decoded>,
}

impl<'a> Value<'a> {
    fn at(start: usize, raw: &'a [u8]) -> Self {
        let decoded = Decoded::of(raw);
        Self { start, raw, decoded }
    }

    /// What a browser reads.
    fn text(&self) -> &[u8] {
        self.decoded.as_ref().map_or(self.raw, Decoded::text)
    }

    /// The position in the page of the byte at `index` of the text.
    fn place(&self, index: usize) -> usize {
        self.start + self.decoded.as_ref().map_or(index, |decoded| decoded.place(index))
    }

    /// How many bytes of the page the byte at `index` of the text takes.
    fn length(&self, index: usize) -> usize {
        self.decoded.as_ref().map_or(1, |decoded| decoded.length(index))
    }
}

/// Whether the element has an attribute with this value, spaces and case aside.
fn has(page: &[u8], element: &Element<'_, '_>, name: &[u8], value: &[u8]) -> bool {
    element.attributes().iter().any(|attribute| {
        name_of(page, attribute).eq_ignore_ascii_case(name)
            && attribute
                .value_source_location()
                .is_some_and(|place| page[place.bytes()].trim_ascii().eq_ignore_ascii_case(value))
    })
}

fn name_of<'a>(page: &'a [u8], attribute: &Attribute<'_>) -> &'a [u8] {
    attribute
        .name_source_location()
        .and_then(|place| page.get(place.bytes()))
        .unwrap_or_default()
}

/// The name in lower case; `None` when it is longer than any that matters, or not ASCII.
fn lower_case<'b>(name: &[u8], buffer: &'b mut [u8; 16]) -> Option<&'b str> {
    let buffer = buffer.get_mut(..name.len())?;
    buffer.copy_from_slice(name);
    buffer.make_ascii_lowercase();
    std::str::from_utf8(buffer).ok()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
