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

/// What has to change at the links behind so that each is shown exactly when it was, once the element is gone.
///
/// `v-if="a"`, `v-else-if="b"`, `v-else` becomes `v-if="!(a) && (b)"`, `v-else-if="!(a)"`: where `a` holds, none of them was shown.
pub(super) fn repair(document: &Document<'_>, id: Id) -> Result<Vec<Replacement>, Refusal> {
    let Some((own, gone)) = document.sfc.element(id).and_then(|element| link(document, element)) else {
        return Ok(Vec::new());
    };
    let mut name = if own == Bound::If { "v-if" } else { "v-else-if" };
    let mut replacements = Vec::new();
    let mut last = id;
    while let Some(following) = next(document, last) {
        let Some((kind, attribute)) = link(document, document.element(following)?) else {
            break;
        };
        replacements.push(without(document, gone, (kind, attribute), name)?);
        name = "v-else-if";
        last = following;
    }
    Ok(replacements)
}

/// A link's directive, called `name`, that does not hold where that of the element that is `gone` did.
fn without(
    document: &Document<'_>,
    gone: &Attribute,
    (kind, link): (Bound, &Attribute),
    name: &str,
) -> Result<Replacement, Refusal> {
    let text = document.text;
    let unclear = || {
        let reason = "What follows is shown when this one is not, and its condition cannot be rewritten for certain; change both in the code";
        Refusal::uncertain(Code::Conditional, reason)
    };
    let condition = gone.value.ok_or_else(unclear)?;
    let quote = match (condition.quote, link.value.and_then(|value| value.quote)) {
        (Some(own), Some(other)) if own != other => return Err(unclear()),
        (None, _) => return Err(unclear()),
        (Some(own), _) => char::from(own),
    };
    let negated = format!("!({})", condition.inner.of(text).trim());
    let condition = match (kind, link.value) {
        (Bound::ElseIf, Some(value)) => format!("{negated} && ({})", value.inner.of(text).trim()),
        (Bound::Else, _) => negated,
        _ => return Err(unclear()),
    };
    Ok(Replacement::new(
        link.span.range(),
        format!("{name}={quote}{condition}{quote}"),
    ))
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
