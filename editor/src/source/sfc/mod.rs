//! Vue's single-file components, read only: [`scan`](fn@scan) gives the [`tree`] that `@vue/compiler-sfc` would give, with
//! exact places. What is made of it stands above: stamps, followed texts, and the edits of `source::vue`.

pub mod blocks;
mod component;
pub mod expression;
pub mod names;
mod outline;
mod pieces;
mod repeat;
pub mod scan;
mod script_elements;
pub mod tree;
pub mod whitespace;

pub use component::component_name;
pub use outline::{StampPoint, outline, read, stamp_points, stamp_points_where};
pub use pieces::pieces;
pub use repeat::for_parts;
pub use scan::scan;
pub use script_elements::{is_in_jsx, jsx_script};
pub use tree::Sfc;
