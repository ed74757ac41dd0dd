//! Putting new elements into a file: inserting and duplicating.

use super::markup::{Markup, reindented};
use super::place::{self, Spot};
use super::slot::Slot;
use super::source::Source;
use crate::source::document::{ElementKind, Value};
use crate::source::model::operation::Place;
use crate::source::model::plan::{Plan, Refusal, left_out};
use crate::source::model::project::Project;

/// Inserts markup beside or into the element.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: usize,
    place: Place,
    markup: &str,
) -> Result<Plan, Refusal> {
    let markup = Markup::read(&source.path, markup)?;
    place::shown(project, source, index, place)?;
    let spot = place::find(source, index, place)?;
    markup.fits(&source.path, &source.script, spot.range.start)?;
    let written = markup.at(&source.path, &spot.indentation, source.line_end());
    Ok(source.plan(vec![spot.put(&written)]))
}

/// Puts a copy of the element after it. A condition is copied along; an `id` and a `key` are not.
pub(super) fn duplicate(source: &Source, index: usize) -> Result<Plan, Refusal> {
    let slot = Slot::of(source, index);
    let element = source.element(index);
    let (range, spot): (_, Spot) = match &slot {
        Slot::Child => (element.range.clone(), place::find(source, index, Place::After)?),
        Slot::Guarded(container) => (container.clone(), place::find(source, index, Place::After)?),
        Slot::Side { .. } => (element.range.clone(), place::wrapped(source, index, Place::After)),
        _ => return Err(slot.refusal(source, "duplicated")),
    };
    let mut copy = source.slice(&range).to_owned();
    let mut notes = Vec::new();
    for attribute in element.attributes.iter().rev() {
        let fixed = match &attribute.value {
            Value::Text(..) => true,
            Value::Expression(contained) => contained.literal.is_some(),
            _ => false,
        };
        // What a component does with an `id` is its own affair.
        let is_mark = match attribute.name.as_str() {
            "id" => element.kind != ElementKind::Component,
            "key" => true,
            _ => false,
        };
        if fixed && is_mark {
            notes.push(left_out(source.slice(&attribute.range)));
            let removed = super::attribute::removed(source, element, attribute).range;
            copy.replace_range(removed.start - range.start..removed.end - range.start, "");
        }
    }
    let from = source.indentation(range.start);
    let copy = reindented(&source.path, &copy, from, &spot.indentation, source.line_end());
    let plan = source.plan(vec![spot.put(&copy)]);
    Ok(Plan { notes, ..plan })
}

/// Whether the element could be given children.
pub(super) fn able(project: &dyn Project, source: &Source, index: usize) -> Result<Spot, Refusal> {
    place::shown(project, source, index, Place::Last)
        .and_then(|()| place::find(source, index, Place::Last))
        .or_else(|refusal| place::find(source, index, Place::After).map_err(|_| refusal))
}
