//! Source files of prototypes: where their elements stand, and what has to be replaced so that an edit is done.
//!
//! Pure: nothing here reads or writes anything but through [`Project`], which lends the texts of files.

pub mod operation;
pub mod plan;
pub mod position;
pub mod project;
pub mod script;
pub mod vue;

pub use operation::{Branch, Operation, Place, Request, Scope};
pub use plan::{Change, Choice, Plan, Refusal, Replacement, Verdict};
pub use position::{LineIndex, Position, Stamp};
pub use project::Project;
