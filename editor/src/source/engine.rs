//! What is asked of `source`: the elements of a file, what is known of one, and the plan of an edit. Each question goes to
//! the language of the file.

use std::sync::Arc;

use super::components::{self, Offered};
use super::model::inspection::Able;
use super::model::memo::Kept;
use super::model::{
    Code, Inspect, Inspection, Lanes, Language, Operation, Outline, Plan, Position, Project, Refusal, Request, Stamp,
};
use super::{component_classes, component_styles, jsx, module, notes, script, sfc, styles, verify, vue};

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
    let mut plan = in_language(project, request, MAX_HANDED_ON)?;
    component_classes::check(project, request, &mut plan)?;
    verify::verify(project, &plan)?;
    if matches!(
        request.operation,
        Operation::Delete | Operation::Detach | Operation::Swap { .. } | Operation::Picture { .. }
    ) {
        plan.notes = notes::notes(project, &plan);
    }
    Ok(plan)
}

/// How often a style is handed on from the use of a component to what the component shows.
const MAX_HANDED_ON: usize = 4;

/// Plans in the language of the element. A style that a component's use cannot be given goes to the component, or around it.
fn in_language(project: &dyn Project, request: &Request, handed_on: usize) -> Result<Plan, Refusal> {
    let planned = match language(project, &request.src) {
        Some(Language::Jsx) => jsx::plan(project, request),
        Some(Language::Vue) => vue::plan(project, request),
        None => Err(no_elements(&request.src.path)),
    };
    match (planned, handed_on.checked_sub(1)) {
        (Err(refusal), Some(left)) if refusal.code == Code::NoStylePlace => {
            let ways = component_styles::Ways {
                style: &|inner| in_language(project, inner, left),
                wrap: &|src, tag, style| match language(project, src) {
                    Some(Language::Vue) => vue::wrap(project, src, tag, style),
                    _ => jsx::wrap(project, src, tag, style),
                },
            };
            component_styles::plan(project, request, refusal, &ways)
        }
        (planned, _) => planned,
    }
}

/// The language of an element: scripts of Vue's components may hold JSX.
fn language(project: &dyn Project, src: &Stamp) -> Option<Language> {
    let is_in_jsx = || {
        project
            .read(&src.path)
            .is_some_and(|text| sfc::is_in_jsx(&text, src.at))
    };
    match Language::of(&src.path)? {
        Language::Vue if is_in_jsx() => Some(Language::Jsx),
        language => Some(language),
    }
}

/// The project's own components, by their names: those of the framework of the element `src`, each with the reason why it cannot
/// be put beside or into it; without an element all there are.
///
/// # Errors
/// When the element's file is gone or not understood, or nothing can be put into it.
pub fn components(project: &dyn Project, src: Option<&Stamp>) -> Result<Vec<Offered>, Refusal> {
    let Some(src) = src else {
        return Ok(components::offered(project, None));
    };
    match language(project, src) {
        Some(Language::Jsx) => jsx::components(project, src),
        Some(Language::Vue) => vue::components(project, src),
        None => Err(no_elements(&src.path)),
    }
}

/// What can be known about an element.
///
/// # Errors
/// When the file is gone or not understood, or has no element there.
pub fn inspect(project: &dyn Project, inspect: &Inspect, lanes: Lanes) -> Result<Inspection, Refusal> {
    let mut found = match language(project, &inspect.src) {
        Some(Language::Jsx) => jsx::inspect(project, inspect, lanes),
        Some(Language::Vue) => vue::inspect(project, inspect, lanes),
        None => Err(no_elements(&inspect.src.path)),
    }?;
    if found.is_component && found.can.style != Able::Yes {
        let (property, value) = ("color".to_owned(), Some("red".to_owned()));
        let request = Request::of(inspect.src.clone(), Operation::Style { property, value });
        found.can.style = Able::of(&in_language(project, &request, MAX_HANDED_ON));
    }
    if found.is_component && found.can.class == Able::Yes {
        let (add, remove) = (vec!["x".to_owned()], Vec::new());
        let request = Request::of(inspect.src.clone(), Operation::Class { add, remove });
        if let Err(refusal) = component_classes::check(project, &request, &mut Plan::default()) {
            found.can.class = Able::No(refusal.reason);
        }
    }
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
    outline_in(None, path, &Arc::from(text))
}

/// The elements of a project's file, of what is kept where its text was read before.
///
/// # Errors
/// With the first syntax error.
pub fn outline_of(project: &dyn Project, path: &str, text: &Arc<str>) -> Result<Outline, script::Broken> {
    outline_in(project.kept(), path, text)
}

fn outline_in(kept: Option<&Kept>, path: &str, text: &Arc<str>) -> Result<Outline, script::Broken> {
    match Language::of(path) {
        Some(Language::Jsx) => Ok(module::get(kept, path, text)?.outline()),
        Some(Language::Vue) => {
            let template = sfc::outline(text)?;
            let Some(script) = sfc::jsx_script(text)? else {
                return Ok(template);
            };
            // Every byte beside the scripts in JSX is a blank there.
            let listed = |offset: usize| script.as_bytes().get(offset) == Some(&b'<');
            Ok(template.joined(module::get(kept, path, text)?.outline_of(listed)))
        }
        None => Ok(Outline::default()),
    }
}

/// Finds an element of an older text of a file in a newer one, by its look; each text comes with its elements.
/// `None` when the element was not there, or nothing or more than one element looks like it.
#[must_use]
pub fn relocate((before, old): (&Outline, &str), at: Position, (after, new): (&Outline, &str)) -> Option<Position> {
    let fingerprint = before.fingerprint(before.locate(at)?, old);
    Some(after.find(&fingerprint, new)?.at)
}

fn no_elements(path: &str) -> Refusal {
    let reason = format!("{path} holds no elements that can be edited: select one of a JSX, TSX or Vue file");
    Refusal::uncertain(Code::NoLanguage, reason)
}
