//! Source files of prototypes: where their elements stand, and what has to be replaced so that an edit is done.
//!
//! Pure: nothing here reads or writes anything but through [`Project`], which lends the texts of files.

pub mod classes;
pub mod code;
pub mod css;
pub mod follow;
pub mod hash;
pub mod imports;
pub mod inspection;
pub mod jsx;
pub mod memo;
pub mod names;
pub mod notation;
pub mod notes;
pub mod operation;
pub mod outline;
pub mod plan;
pub mod position;
pub mod project;
pub mod script;
pub mod sfc;
pub mod styles;
pub mod text;
pub mod verify;
pub mod vue;

pub use code::Code;
pub use hash::hash;
pub use inspection::{Inspect, Inspection, Lanes, Language};
pub use operation::{Branch, Operation, Place, Request, Scope};
pub use outline::Outline;
pub use plan::{Change, Choice, Plan, Refusal, Replacement, Verdict};
pub use position::{LineIndex, Position, Stamp, Walker};
pub use project::Project;

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
