//! Edits of the templates of Vue 3's single-file components, as `source::sfc` reads them.
//!
//! An edit opens a file as a `Document` and plans in the module of its kind; scripts and expressions go to the parser of
//! `source::script`.

mod attribute;
mod chain;
mod class;
mod document;
mod expression;
mod inspect;
mod markup;
mod picture;
mod scope;
mod structure;
mod style;
#[cfg(test)]
mod tests;
mod text;
mod wrap;

use super::components::{Offered, offered};
use super::styles::StyleEdit;
use crate::source::model::inspection::{Inspect, Inspection, Lanes};
use crate::source::model::operation::{Operation, Request};
use crate::source::model::plan::{Plan, Refusal};
use crate::source::model::position::Stamp;
use crate::source::model::project::Project;

use document::Document;
pub use wrap::wrap;

/// What has to be replaced so that the request is done.
///
/// # Errors
/// With a refusal when it cannot be done for certain.
pub fn plan(project: &dyn Project, request: &Request) -> Result<Plan, Refusal> {
    let text = document::text(project, &request.src.path)?;
    let document = &Document::new(&request.src.path, &text)?;
    let id = document.locate(&request.src)?;
    match &request.operation {
        Operation::Text { text, run } => text::plan(project, document, id, request, (text, *run)),
        Operation::Attribute { name, value } => attribute::plan(document, id, name, value.as_deref(), request.branch),
        Operation::Picture { name, path } => picture::plan(project, document, id, name, path),
        Operation::Style { property, value } => {
            let edit = StyleEdit::of(request, property, value.as_deref());
            style::plan(project, document, id, &edit)
        }
        Operation::Class { add, remove } => class::plan(document, id, add, remove, request.branch),
        Operation::Insert { place, what } => structure::insert(project, document, id, *place, what),
        Operation::Move { to, place } => structure::relocate(project, document, id, to, *place),
        Operation::Duplicate => structure::duplicate(document, id, request.scope),
        Operation::Delete => structure::delete(document, id, request.scope),
        Operation::Detach | Operation::Swap { .. } => Err(inspect::react_only()),
    }
}

/// The components that can be put beside or into an element.
///
/// # Errors
/// When the file is gone or not understood, or has no element there.
pub fn components(project: &dyn Project, src: &Stamp) -> Result<Vec<Offered>, Refusal> {
    let text = document::text(project, &src.path)?;
    let document = &Document::new(&src.path, &text)?;
    let id = document.locate(src)?;
    Ok(offered(project, Some(&structure::site(document, id))))
}

/// What can be known about an element.
///
/// # Errors
/// When the file is gone or not understood, or has no element there.
pub fn inspect(project: &dyn Project, inspect: &Inspect, lanes: Lanes) -> Result<Inspection, Refusal> {
    let text = document::text(project, &inspect.src.path)?;
    let document = &Document::new(&inspect.src.path, &text)?;
    let id = document.locate(&inspect.src)?;
    inspect::inspect(project, document, id, inspect, lanes)
}
