//! Removing an element.

use super::slot::Slot;
use super::source::Source;
use crate::source::model::Scope;
use crate::source::model::plan::{Choice, Plan, Refusal, Replacement};
use crate::source::module::ElementId;

/// Removes it, with its line when nothing else stands there. What it needed stays imported.
pub(super) fn plan(source: &Source, index: ElementId, scope: Option<Scope>) -> Result<Plan, Refusal> {
    let slot = Slot::of(source, index);
    let replacement = match &slot {
        Slot::Child => Replacement::remove(source.with_line(&source.element(index).range)),
        Slot::Guarded(container) => Replacement::remove(source.with_line(container)),
        Slot::Side { side, .. } => Replacement::new(side.clone(), "null"),
        Slot::Item {
            container: Some(container),
        } => match scope {
            Some(Scope::All) => Replacement::remove(source.with_line(container)),
            Some(Scope::Item) => return Err(slot.refusal(source, "deleted")),
            None => {
                let reason = "It is shown for each item of a list: deleting it deletes the whole list from the page";
                let choices = vec![Choice::scope(Scope::All, "Delete all of them")];
                return Err(Refusal::choose(reason, choices));
            }
        },
        _ => return Err(slot.refusal(source, "deleted")),
    };
    Ok(source.plan(vec![replacement]))
}
