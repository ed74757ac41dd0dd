//! What everybody in `source` speaks of: a place in a file, a request, a plan, a refusal. Nothing here reads a language.

pub mod code;
mod hash;
pub mod inspection;
pub mod library;
#[cfg(test)]
pub(in crate::source) mod marks;
pub mod memo;
pub mod operation;
pub mod outline;
pub mod plan;
pub mod position;
pub mod project;
pub mod viewport;

pub use code::Code;
pub use hash::hash;
pub use inspection::{Inspect, Inspection, Lanes, Language};
pub use library::{Library, LibraryComponent};
pub use operation::{Branch, ComponentUse, Inserted, Operation, Place, Request, Scope, Whenever};
pub use outline::Outline;
pub use plan::{Change, Choice, Plan, Refusal, Replacement, Verdict};
pub use position::{LineIndex, Position, Stamp, Walker};
pub use project::Project;
pub use viewport::Viewport;
