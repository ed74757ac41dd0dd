//! Vue 3 single-file components: a scanner of our own, and all edits of their templates.

pub mod blocks;
pub mod entities;
pub mod names;
pub mod scan;
pub mod tree;
pub mod whitespace;

pub use scan::scan;
pub use tree::Sfc;
