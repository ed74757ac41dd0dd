//! JSX and TSX: finding elements, and planning edits of them.

use super::components::Offered;
use crate::source::model::inspection::{Inspect, Inspection, Lanes};
use crate::source::model::operation::{Operation, Request};
use crate::source::model::plan::{Plan, Refusal};
use crate::source::model::position::Stamp;
use crate::source::model::project::Project;

mod attribute;
mod attribute_names;
mod class;
mod class_attribute;
mod definition;
mod delete;
mod detach;
mod framework;
mod helpers;
mod insert;
mod inspect;
mod markup;
mod moving;
mod picture;
mod place;
mod scope;
mod sides;
mod slot;
mod source;
mod style;
mod swap;
#[cfg(test)]
mod tests;
mod wrap;

use super::styles::StyleEdit;
use super::text;
use framework::Framework;
use source::Source;

pub use wrap::wrap;

/// What has to be replaced so that the request is done.
///
/// # Errors
/// With a refusal when it cannot be done for certain.
pub fn plan(project: &dyn Project, request: &Request) -> Result<Plan, Refusal> {
    let (source, index) = Source::open(project, &request.src)?;
    match &request.operation {
        Operation::Detach | Operation::Swap { .. } if source.framework == Framework::Vue => {
            Err(framework::react_only())
        }
        Operation::Attribute { name, value } => attribute::plan(&source, index, name, value.as_deref(), request.branch),
        Operation::Class { add, remove } => class::plan(&source, index, add, remove, request.branch),
        Operation::Insert { place, what } => insert::plan(project, &source, index, *place, what),
        Operation::Move { to, place } => moving::plan(project, &source, index, to, *place),
        Operation::Duplicate => insert::duplicate(&source, index),
        Operation::Delete => delete::plan(&source, index, request.scope),
        Operation::Detach => detach::plan(project, &source, index),
        Operation::Swap { component, from, props } => {
            swap::plan(project, &source, index, component, from.as_deref(), props)
        }
        Operation::Picture { name, path } => picture::plan(project, &source, index, name, path),
        Operation::Style { property, value } => {
            let edit = StyleEdit::of(request, property, value.as_deref());
            style::plan(project, &source, index, &edit)
        }
        Operation::Text { text, run } => text::plan(project, request, (text, *run)),
    }
}

/// The components that can be put beside or into an element.
///
/// # Errors
/// When the file is gone or not understood, has no element there, or is not React's.
pub fn components(project: &dyn Project, src: &Stamp) -> Result<Vec<Offered>, Refusal> {
    let (source, index) = Source::open(project, src)?;
    insert::offered(project, &source, index)
}

/// What can be known about an element.
///
/// # Errors
/// When the file is gone or not understood, or has no element there.
pub fn inspect(project: &dyn Project, inspect: &Inspect, lanes: Lanes) -> Result<Inspection, Refusal> {
    inspect::inspect(project, inspect, lanes)
}
