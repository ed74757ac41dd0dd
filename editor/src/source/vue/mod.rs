//! Vue 3 single-file components: a scanner of our own, and all edits of their templates.

pub mod blocks;
pub mod entities;
pub mod names;
mod outline;
pub mod scan;
pub mod tree;
pub mod whitespace;

pub use outline::{StampPoint, outline, stamp_points, stamp_points_where};
pub use scan::scan;
pub use tree::Sfc;
