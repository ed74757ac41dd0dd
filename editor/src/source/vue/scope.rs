//! Names that a template gives: the items of `v-for`, and what slots hand out.

use std::collections::HashSet;

use super::document::Document;
use crate::source::model::Code;
use crate::source::model::Place;
use crate::source::model::plan::Refusal;
use crate::source::model::plan::short;
use crate::source::sfc::for_parts;
use crate::source::sfc::tree::{Bound, Element, Id, NodeKind};

/// Refuses to move an element out of the `v-for` or slot whose names it uses.
pub(super) fn survives(document: &Document<'_>, id: Id, target: Id, place: Place) -> Result<(), Refusal> {
    let mut kept: HashSet<Id> = document.ancestors(target).collect();
    if matches!(place, Place::First | Place::Last) {
        kept.insert(target);
    }
    let mut used: Option<HashSet<String>> = None;
    for ancestor in document.ancestors(id).filter(|ancestor| !kept.contains(ancestor)) {
        let Some(element) = document.sfc.element(ancestor) else {
            continue;
        };
        for name in given(document, element) {
            let used = used.get_or_insert_with(|| used_names(document, id));
            if used.contains(&name) {
                let tag = document.tag(element);
                let source = short(element.open.of(document.text));
                let reason = format!(
                    "The element uses “{name}”, which <{tag}> around it gives ({source}): choose a place inside of that"
                );
                return Err(Refusal::uncertain(Code::OutOfScope, reason));
            }
        }
    }
    Ok(())
}

/// The names an element gives to what stands in it.
fn given(document: &Document<'_>, element: &Element) -> Vec<String> {
    let list = document.directive(element, Bound::For).and_then(|list| {
        let (names, _) = for_parts(&document.sfc, list)?;
        Some(names.of(document.text))
    });
    let slot = document
        .directive(element, Bound::Slot)
        .and_then(|slot| Some(slot.value?.inner.of(document.text)));
    list.into_iter().chain(slot).flat_map(identifiers).collect()
}

/// All words of the expressions in an element. More than it uses, never less.
fn used_names(document: &Document<'_>, id: Id) -> HashSet<String> {
    let sfc = &document.sfc;
    let whole = sfc.nodes[id].span;
    let nodes = sfc.nodes[id..].iter().take_while(|node| node.span.start < whole.end);
    let mut names = HashSet::new();
    for node in nodes {
        match &node.kind {
            NodeKind::Interpolation(inner) => names.extend(identifiers(inner.of(sfc.text))),
            NodeKind::Element(element) => {
                for attribute in element
                    .attributes
                    .iter()
                    .filter(|attribute| attribute.directive.is_some())
                {
                    names.extend(identifiers(attribute.span.of(sfc.text)));
                }
            }
            NodeKind::Text(_) | NodeKind::Comment => {}
        }
    }
    names
}

fn identifiers(source: &str) -> Vec<String> {
    let part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    source
        .split(|character| !part(character))
        .filter(|word| !word.is_empty() && !word.starts_with(|first: char| first.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}
