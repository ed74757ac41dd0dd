//! Changes that let a page work below a prefix. They are found once, when a version is made.
//!
//! A page is stored as it was uploaded, with a table of *holes*: places where a view inserts its prefix, the base
//! address or the bridge. Making a view of it is copying with insertions; nothing is parsed when a page is served.

mod attributes;
mod holes;
mod references;
mod scan;
mod urls;

pub(super) use holes::{Hole, HoleKind, decode, encode};
pub use holes::{View, fill};
pub(super) use scan::scan;

/// Larger pages are served as they are: they are documents made by machines, not the pages of a prototype.
pub const MAX_PAGE: u64 = 16 << 20;
