//! A file as a list of what its pieces are, to compare it with itself after an edit.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::outline::read;
use super::tree::{Element, Kind, Sfc, Shown};
use crate::source::script::Broken;

/// Every tag, attribute, text, comment and expression, in the order of the text, with what it is as a number.
///
/// Elements are named by their opening tags, since their ends lie behind everything that stands in them.
///
/// # Errors
/// When the compiler would refuse the file.
pub fn pieces(text: &str) -> Result<Vec<(Range<usize>, u64)>, Broken> {
    let sfc = read(text)?;
    let mut pieces = Vec::new();
    for node in &sfc.nodes {
        match &node.kind {
            Kind::Element(element) => {
                pieces.push((
                    element.open.range(),
                    number(("open", element.namespace as u8, element.verbatim)),
                ));
                attributes(&sfc, element, &mut pieces);
            }
            // White space between tags is not a piece: what stands beside a deleted element may lose it.
            Kind::Text(text) if matches!(text.shown, Shown::Nothing | Shown::Space) => {}
            Kind::Text(text) => pieces.push((
                node.span.range(),
                number(("text", text.shown as u8, text.solid, text.raw)),
            )),
            Kind::Interpolation(_) => pieces.push((node.span.range(), number("expression"))),
            Kind::Comment => pieces.push((node.span.range(), number("comment"))),
        }
    }
    Ok(pieces)
}

fn attributes(sfc: &Sfc<'_>, element: &Element, pieces: &mut Vec<(Range<usize>, u64)>) {
    for attribute in &element.attributes {
        let kind = attribute.directive.as_ref().map(|directive| directive.kind as u8);
        let name = attribute.name.of(sfc.text);
        pieces.push((attribute.span.range(), number(("attribute", kind, name))));
    }
}

fn number(kind: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}
