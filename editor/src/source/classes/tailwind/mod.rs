//! What a class means to Tailwind, as far as it matters for conflicts: its variants, and the group of utilities that set
//! the same property. Names of Tailwind 3 and 4.
//!
//! The rules are those of tailwind-merge 3, which is the oracle of `tests/editor/oracles/classes.mjs`; the names that only
//! Tailwind 3 has follow tailwind-merge 2.

mod groups;
mod keywords;
mod table;
mod values;
mod word;

pub(in crate::source) use groups::literals;
pub(in crate::source) use keywords::{KEYWORDS, named};
pub use word::{Utility, utility};
