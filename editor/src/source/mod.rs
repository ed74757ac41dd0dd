//! Source files of prototypes: where their elements stand, and what has to be replaced so that an edit is done.
//!
//! Pure: nothing here reads or writes anything but through [`Project`](model::Project), which lends the texts of files.
//! `engine` is the top, `model` the ground.

pub mod classes;
mod component_classes;
mod component_styles;
pub mod components;
pub mod css;
pub mod engine;
pub mod follow;
pub mod imports;
pub mod jsx;
pub mod model;
pub mod module;
pub mod names;
pub mod notation;
pub mod notes;
pub mod script;
pub mod sfc;
pub mod spacing;
pub mod styles;
pub mod text;
pub mod verify;
pub mod vue;
pub mod write;
