//! Lists of classes: adding and removing words in them, with Tailwind's conflict groups.
//!
//! # For the languages
//! * One string that holds the whole list (`className="…"`, `class="…"`): [`ClassList::new`] over the text between the
//!   quotes, then [`ClassList::edit`]; its replacements are relative to that text.
//! * Several strings which together make the list (`cn('a', on && 'b')`, a template literal's quasis, an array or object of
//!   `:class`): [`ClassStrings::of`] the expression, one [`Part`] for each string, then [`edit_parts`], and
//!   [`ClassString::write`] what that gives.
//! * Plain words: [`merge`].
//!
//! What is added replaces what it makes void, as `p-4` does with `px-2 py-2`; words Tailwind does not know never conflict.
//! [`catalog`] is the data of the interface's autocomplete.

mod catalog;
mod coding;
mod joining;
mod list;
mod merge;
mod parts;
mod string;
mod strings;
pub mod tailwind;
#[cfg(test)]
mod tests;

pub use catalog::{CatalogEntry, breakpoints, catalog};
pub use coding::Coding;
pub use joining::{import_joins, is_stylesheet, may_join};
pub use list::ClassList;
pub use merge::merge;
pub use parts::{Part, PartEdit, When, edit_parts};
pub use string::{ClassString, StringKind};
pub use strings::{ClassSource, ClassStrings};
