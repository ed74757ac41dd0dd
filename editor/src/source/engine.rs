//! What is asked of `source`: the elements of a file, what is known of one, and the plan of an edit. Each question goes to
//! the language of the file.

use super::model::{
    Code, Inspect, Inspection, Lanes, Language, Operation, Outline, Plan, Position, Project, Refusal, Request,
};
use super::{jsx, notes, script, sfc, styles, verify, vue};

/// What has to be replaced so that the request is done.
///
/// # Errors
/// With a refusal when it cannot be done for certain.
pub fn plan(project: &dyn Project, request: &Request, lanes: Lanes) -> Result<Plan, Refusal> {
    match request.operation {
        Operation::Detach if !lanes.detach => return Err(Refusal::dormant("lanes.detach")),
        Operation::Swap { .. } if !lanes.swap => return Err(Refusal::dormant("lanes.swap")),
        _ => {}
    }
    let under_variant = styles::under_variant(project, request)?;
    let request = under_variant.as_ref().unwrap_or(request);
    let mut plan = match Language::of(&request.src.path) {
        Some(Language::Jsx) => jsx::plan(project, request),
        Some(Language::Vue) => vue::plan(project, request),
        None => Err(no_elements(&request.src.path)),
    }?;
    verify::verify(project, &plan)?;
    if matches!(
        request.operation,
        Operation::Delete | Operation::Detach | Operation::Swap { .. }
    ) {
        plan.notes = notes::notes(project, &plan);
    }
    Ok(plan)
}

/// What can be known about an element.
///
/// # Errors
/// When the file is gone or not understood, or has no element there.
pub fn inspect(project: &dyn Project, inspect: &Inspect, lanes: Lanes) -> Result<Inspection, Refusal> {
    let mut found = match Language::of(&inspect.src.path) {
        Some(Language::Jsx) => jsx::inspect(project, inspect, lanes),
        Some(Language::Vue) => vue::inspect(project, inspect, lanes),
        None => Err(no_elements(&inspect.src.path)),
    }?;
    if !found.is_component {
        found.utilities = styles::utilities(project, &found.classes.list);
    }
    Ok(found)
}

/// The elements of a file. A file whose name is of no language with elements has none.
///
/// # Errors
/// With the first syntax error.
pub fn outline(path: &str, text: &str) -> Result<Outline, script::Broken> {
    match Language::of(path) {
        Some(Language::Jsx) => jsx::outline(path, text),
        Some(Language::Vue) => sfc::outline(text),
        None => Ok(Outline::default()),
    }
}

/// Finds an element of an older text of the file in a newer one, by its look.
/// `None` when the element was not there, or nothing or more than one element looks like it.
#[must_use]
pub fn relocate(path: &str, old: &str, at: Position, new: &str) -> Option<Position> {
    let before = outline(path, old).ok()?;
    let fingerprint = before.fingerprint(before.locate(at)?, old);
    let after = outline(path, new).ok()?;
    Some(after.find(&fingerprint, new)?.at)
}

fn no_elements(path: &str) -> Refusal {
    let reason = format!("{path} holds no elements that can be edited: select one of a JSX, TSX or Vue file");
    Refusal::uncertain(Code::NoLanguage, reason)
}
