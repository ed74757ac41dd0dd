//! Putting new elements into a file: inserting and duplicating.

use super::framework::Framework;
use super::markup::{Markup, reindented};
use super::place::{self, Spot};
use super::scope;
use super::slot::Slot;
use super::source::Source;
use crate::source::components::{self, Offered, Site};
use crate::source::model::Code;
use crate::source::model::operation::{ComponentUse, Inserted, Place};
use crate::source::model::plan::{Plan, Refusal, Replacement, left_out};
use crate::source::model::project::Project;
use crate::source::module::{ElementId, ElementKind, Written};

/// Inserts markup, or the use of a component, beside or into the element.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    place: Place,
    what: &Inserted,
) -> Result<Plan, Refusal> {
    match what {
        Inserted::Markup(markup) => {
            let markup = Markup::read(&source.path, markup)?;
            place::shown(project, source, index, place)?;
            let spot = place::find(source, index, place)?;
            markup.fits(&source.path, &source.script, spot.range.start)?;
            Ok(source.plan(vec![put(source, &spot, &markup)]))
        }
        Inserted::Use(wanted) => component(project, source, index, place, wanted),
    }
}

fn put(source: &Source, spot: &Spot, markup: &Markup) -> Replacement {
    spot.put(&markup.at(&source.path, &spot.indentation, source.line_end()))
}

/// Inserts the use of a component, and imports it where it is not yet.
fn component(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    place: Place,
    wanted: &ComponentUse,
) -> Result<Plan, Refusal> {
    let written = components::write(project, &site(source, index)?, wanted)?;
    place::shown(project, source, index, place)?;
    let spot = place::find(source, index, place)?;
    let (path, local) = (&source.path, written.local.clone());
    if let Some(local) = scope::shadowed(path, &source.script, spot.range.start, &[local]) {
        let reason =
            format!("{local} means something else at this place of {path}: rename one of the two in the code first");
        return Err(Refusal::uncertain(Code::NameTaken, reason));
    }
    let markup = Markup::read(path, &written.markup)?;
    let replacements = std::iter::once(put(source, &spot, &markup)).chain(written.import);
    Ok(source.plan(replacements.collect()))
}

/// The components that can be put beside or into the element.
pub(super) fn offered(project: &dyn Project, source: &Source, index: ElementId) -> Result<Vec<Offered>, Refusal> {
    Ok(components::offered(project, Some(&site(source, index)?)))
}

fn site(source: &Source, index: ElementId) -> Result<Site<'_>, Refusal> {
    if source.framework != Framework::React {
        let reason = format!(
            "{} is not certain to be React's JSX, and components are put into that and into Vue's templates only: use it in the code",
            source.path
        );
        return Err(Refusal::uncertain(Code::ComponentPlace, reason));
    }
    Ok(Site {
        path: &source.path,
        text: &source.text,
        offset: source.element(index).range.start,
        is_vue: false,
    })
}

/// Puts a copy of the element after it. A condition is copied along; an `id` and a `key` are not.
pub(super) fn duplicate(source: &Source, index: ElementId) -> Result<Plan, Refusal> {
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
        let fixed = match &attribute.written {
            Written::Text(..) => true,
            Written::Expression(contained) => source.module.literal(contained).is_some(),
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
pub(super) fn able(project: &dyn Project, source: &Source, index: ElementId) -> Result<Spot, Refusal> {
    place::shown(project, source, index, Place::Last)
        .and_then(|()| place::find(source, index, Place::Last))
        .or_else(|refusal| place::find(source, index, Place::After).map_err(|_| refusal))
}
