//! A source file, lowered once: names, the expressions bound to them, functions, elements with the ranges of their parts,
//! imports and exports. What follows a text, plans an edit, checks it or lists the elements looks at these tables.
//!
//! Owned and flat, so that it can be kept across requests while the file stays as it is; every range is one of bytes in
//! [`Module::text`]. React's and Vue's files become the same thing: what stands between `{ }` and between `{{ }}` is followed
//! by the same code.

mod binding;
mod element;
mod expression;
mod frame;
mod ids;
mod kept;
mod lower;
mod outline;
mod scene;
mod table;
#[cfg(test)]
mod tests;
mod view;

pub use binding::{Export, Function, Imported, Origin, Path, Slot, Symbol, Take, Touch};
pub use element::{
    Attribute, Child, ChildKind, Contained, Element, ElementKind, Literal, LiteralValue, Shown, Written,
};
pub use expression::{Fixed, Item, Key, Node, Part, Property, Shape};
pub use frame::{Frame, FrameKind};
pub use ids::{ElementId, FunctionId, NodeId, SymbolId};
pub use kept::{get, known, read};
pub use scene::Scenes;
pub use table::{Messages, Module, is_json, is_source};
pub use view::Import;
