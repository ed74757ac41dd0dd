//! Moving an element within its file.

use super::markup::reindented;
use super::place;
use super::scope;
use super::slot::Slot;
use super::source::Source;
use crate::source::model::Code;
use crate::source::model::operation::Place;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::position::Stamp;
use crate::source::model::project::Project;
use crate::source::module::ElementId;

/// Moves it to a place seen from another element; the condition it stands behind comes along.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    to: &Stamp,
    place: Place,
) -> Result<Plan, Refusal> {
    let refuse = |code, reason: &str| Err(Refusal::uncertain(code, reason));
    if to.path != source.path {
        return refuse(
            Code::OtherFile,
            "An element can be moved within its own file only: move it to the other file in the code",
        );
    }
    let target = source.locate(to.at)?;
    let own = movable(source, index)?;
    let goal = source.element(target).range.start;
    if own.contains(&goal) {
        return refuse(
            Code::IntoItself,
            "An element cannot be moved into or beside itself: choose another place",
        );
    }
    place::shown(project, source, target, place)?;
    let spot = place::find(source, target, place)?;
    if spot.rewritten {
        return Err(Slot::of(source, target).refusal(source, "given a neighbour by moving"));
    }
    let removal = source.with_line(&own);
    // What stands between the element and its new place.
    let between = match spot.range.start >= removal.end {
        true => source.slice(&(removal.end..spot.range.start)),
        false => source.slice(&(spot.range.end.min(removal.start)..removal.start)),
    };
    if between.trim().is_empty() {
        return refuse(
            Code::AlreadyThere,
            "The element stands at that place already: nothing would change",
        );
    }
    if let Some(name) = scope::lost(&source.path, &source.script, &own, spot.range.start) {
        let reason = format!(
            "The element uses “{name}”, which is not known at that place: choose one inside of what declares it"
        );
        return Err(Refusal::uncertain(Code::OutOfScope, reason));
    }
    let text = source.slice(&own);
    let from = source.indentation(own.start);
    let moved = reindented(&source.path, text, from, &spot.indentation, source.line_end());
    Ok(source.plan(vec![Replacement::remove(removal), spot.put(&moved)]))
}

/// What moves when the element is moved.
pub(super) fn movable(source: &Source, index: ElementId) -> Result<std::ops::Range<usize>, Refusal> {
    match Slot::of(source, index) {
        Slot::Child => Ok(source.element(index).range.clone()),
        Slot::Guarded(container) => Ok(container),
        slot => Err(slot.refusal(source, "moved")),
    }
}
