//! A file as a list of what its pieces are, to compare it with itself after an edit.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::expression;
use super::tree::{Bound, Element, NodeKind, Sfc, Shown, Span};
use crate::source::notation::references;
use crate::source::script::{self, Broken, Piece};

/// Every tag, attribute, text, comment and expression, in the order of the text, with what it is as a number.
///
/// Elements are named by their opening tags, since their ends lie behind everything that stands in them.
///
/// # Errors
/// When the compiler would refuse the file.
pub fn pieces(sfc: &Sfc<'_>) -> Result<Vec<Piece>, Broken> {
    let mut pieces = Vec::new();
    for node in &sfc.nodes {
        match &node.kind {
            NodeKind::Element(element) => {
                pieces.push((
                    element.open.range(),
                    number(("open", element.namespace as u8, element.verbatim)),
                ));
                attributes(sfc, element, &mut pieces)?;
            }
            // White space between tags is not a piece: what stands beside a deleted element may lose it.
            NodeKind::Text(text) if matches!(text.shown, Shown::Nothing | Shown::Space) => {}
            NodeKind::Text(text) => pieces.push((
                node.span.range(),
                number(("text", text.shown as u8, text.solid, text.raw)),
            )),
            NodeKind::Interpolation(inner) => {
                readable(sfc, *inner)?;
                pieces.push((node.span.range(), number("expression")));
            }
            NodeKind::Comment => pieces.push((node.span.range(), number("comment"))),
        }
    }
    for block in sfc.scripts() {
        let Some(language) = block.script_path() else { continue };
        let start = block.content.start;
        let inside = script::pieces(language, block.content.of(sfc.text)).map_err(|broken| Broken {
            offset: broken.offset + start,
            ..broken
        })?;
        pieces.extend(
            inside
                .into_iter()
                .map(|(range, kind)| (range.start + start..range.end + start, kind)),
        );
    }
    Ok(pieces)
}

/// An expression that Vue could not read is an error as a tag without its end is one.
fn readable(sfc: &Sfc<'_>, span: Span) -> Result<(), Broken> {
    let source = references::html_attribute(span.of(sfc.text));
    if source.trim().is_empty() {
        return Ok(());
    }
    let whole = Span::new(0, source.len());
    expression::with_expression(&source, whole, |_, _| ()).map_err(|broken| Broken {
        message: format!("{{{{ {source} }}}}: {}", broken.message),
        offset: span.start,
    })
}

fn attributes(sfc: &Sfc<'_>, element: &Element, pieces: &mut Vec<Piece>) -> Result<(), Broken> {
    for attribute in &element.attributes {
        let kind = attribute.directive.as_ref().map(|directive| directive.kind as u8);
        let name = attribute.name.of(sfc.text);
        pieces.push((attribute.span.range(), number(("attribute", kind, name))));
        let bound = attribute.directive.as_ref().map(|directive| directive.kind);
        // `v-for`, slots and handlers have a grammar of their own.
        if let (Some(Bound::Bind | Bound::If | Bound::ElseIf | Bound::Text | Bound::Html), Some(value)) =
            (bound, attribute.value)
        {
            readable(sfc, value.inner)?;
        }
    }
    Ok(())
}

fn number(kind: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    hasher.finish()
}
