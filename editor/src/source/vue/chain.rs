//! `v-if`, `v-else-if`, `v-else`: elements that belong together.

use super::document::Document;
use crate::source::model::Code;
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::sfc::tree::{Attribute, Bound, Element, Id, NodeKind};

/// Whether an element continues the condition of the one before it.
pub(super) fn continues(document: &Document<'_>, element: &Element) -> bool {
    link(document, element).is_some_and(|(kind, _)| kind != Bound::If)
}

/// The directive that makes an element part of a condition.
fn link<'e>(document: &Document<'_>, element: &'e Element) -> Option<(Bound, &'e Attribute)> {
    [Bound::If, Bound::ElseIf, Bound::Else]
        .into_iter()
        .find_map(|kind| Some((kind, document.directive(element, kind)?)))
}

/// The element next to this one, comments and white space left out. Vue allows nothing else between links.
fn beside(document: &Document<'_>, id: Id, step: isize) -> Option<Id> {
    let sfc = &document.sfc;
    let siblings = sfc.children(sfc.nodes[id].parent);
    let mut place = siblings.iter().position(|sibling| *sibling == id)?;
    loop {
        place = place.checked_add_signed(step)?;
        let sibling = *siblings.get(place)?;
        match &sfc.nodes[sibling].kind {
            NodeKind::Element(_) => return Some(sibling),
            NodeKind::Comment => {}
            NodeKind::Text(_) if sfc.nodes[sibling].span.of(sfc.text).trim().is_empty() => {}
            NodeKind::Text(_) | NodeKind::Interpolation(_) => return None,
        }
    }
}

/// The next link of the condition.
pub(super) fn next(document: &Document<'_>, id: Id) -> Option<Id> {
    link(document, document.sfc.element(id)?)?;
    let next = beside(document, id, 1)?;
    continues(document, document.sfc.element(next)?).then_some(next)
}

/// Whether the element is one of several links.
pub(super) fn is_linked(document: &Document<'_>, id: Id) -> bool {
    let own = document
        .sfc
        .element(id)
        .is_some_and(|element| continues(document, element));
    own || next(document, id).is_some()
}

/// What has to change at the next link so that it is shown exactly when it was, once the element is gone.
///
/// `v-if="a"`, `v-else-if="b"` becomes `v-if="!(a) && (b)"`, and `v-else` becomes `v-if="!(a)"`.
pub(super) fn repair(document: &Document<'_>, id: Id) -> Result<Option<Replacement>, Refusal> {
    let Some(next) = next(document, id) else {
        return Ok(None);
    };
    let element = document.element(id)?;
    let (Some((own, gone)), Some((kind, link))) = (link(document, element), link(document, document.element(next)?))
    else {
        return Ok(None);
    };
    let text = document.text;
    let unclear = || {
        let reason = "The next element is shown when this one is not, and its condition cannot be rewritten for certain; change both in the code";
        Refusal::uncertain(Code::Conditional, reason)
    };
    let condition = gone.value.ok_or_else(unclear)?;
    let quote = match (condition.quote, link.value.and_then(|value| value.quote)) {
        (Some(own), Some(other)) if own != other => return Err(unclear()),
        (None, _) => return Err(unclear()),
        (Some(own), _) => char::from(own),
    };
    let name = if own == Bound::If { "v-if" } else { "v-else-if" };
    let negated = format!("!({})", condition.inner.of(text).trim());
    let condition = match (kind, link.value) {
        (Bound::ElseIf, Some(value)) => format!("{negated} && ({})", value.inner.of(text).trim()),
        (Bound::Else, _) => negated,
        _ => return Err(unclear()),
    };
    Ok(Some(Replacement::new(
        link.span.range(),
        format!("{name}={quote}{condition}{quote}"),
    )))
}

/// Refuses to put something between two links: before a link that continues, or behind one that is continued.
pub(super) fn no_gap(document: &Document<'_>, id: Id, before: bool) -> Result<(), Refusal> {
    let splits = if before {
        document
            .sfc
            .element(id)
            .is_some_and(|element| continues(document, element))
    } else {
        next(document, id).is_some()
    };
    if splits {
        let reason = "It would stand between a v-if and its v-else, which must follow each other; choose a place before or after both";
        return Err(Refusal::uncertain(Code::Conditional, reason));
    }
    Ok(())
}
