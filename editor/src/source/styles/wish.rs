//! What a style edit asks for.

use crate::source::model::{Branch, Scope};

/// One style edit, with the options of its request.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// In CSS's spelling.
    pub property: &'a str,
    /// As CSS text; `None` removes the declaration.
    pub value: Option<&'a str>,
    /// The side of a conditional value.
    pub branch: Option<Branch>,
    /// All elements that share the declaration, or only this one.
    pub scope: Option<Scope>,
}
