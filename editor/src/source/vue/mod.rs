//! Vue 3 single-file components: a scanner of our own, and all edits of their templates.
//!
//! `scan` gives the tree (`tree`) that `@vue/compiler-sfc` would give, with exact places. An edit opens a file as a `Document`
//! and plans in the module of its kind; scripts and expressions go to the parser of `source::script`.

mod attribute;
pub mod blocks;
mod chain;
mod class;
mod document;
pub mod entities;
mod expression;
mod inspect;
mod markup;
pub mod names;
mod outline;
mod pieces;
mod repeat;
pub mod scan;
mod scope;
mod structure;
mod style;
#[cfg(test)]
mod tests;
mod text;
pub mod tree;
pub mod whitespace;

use super::inspection::{Inspect, Inspection, Lanes};
use super::operation::{Operation, Request};
use super::plan::{Plan, Refusal};
use super::project::Project;
use super::styles::Wish;

pub use inspect::component_name;
pub use outline::{StampPoint, outline, read, stamp_points, stamp_points_where};
pub use pieces::pieces;
pub use repeat::for_parts;
pub use scan::scan;
pub use text::core;
pub use tree::Sfc;

use document::Document;

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
        Operation::Style { property, value } => {
            let wish = Wish {
                property,
                value: value.as_deref(),
                branch: request.branch,
                scope: request.scope,
            };
            style::plan(project, document, id, &wish)
        }
        Operation::Class { add, remove } => class::plan(document, id, add, remove, request.branch),
        Operation::Insert { place, markup } => structure::insert(document, id, *place, markup),
        Operation::Move { to, place } => structure::relocate(document, id, to, *place),
        Operation::Duplicate => structure::duplicate(document, id, request.scope),
        Operation::Delete => structure::delete(document, id, request.scope),
        Operation::Detach | Operation::Swap { .. } => Err(inspect::react_only()),
    }
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
