//! Stylesheets: a tolerant scanner with exact byte ranges, edits of single declarations, and selectors.

pub mod condition;
pub mod edit;
mod known;
pub mod load;
pub mod matching;
mod rules;
pub mod scan;
pub mod selector;

pub use scan::{Dialect, Malformed, Node, NodeKind, Sheet};
