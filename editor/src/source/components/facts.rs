//! What is known of a file: its components, its types, its imports.

use std::collections::HashMap;
use std::ops::Range;

use super::types::{Member, Type};

/// A file.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Types that are declared at the top of the file.
    pub types: HashMap<String, Type>,
    /// What `cva(…, { variants })` makes of a name: the choices of `VariantProps<typeof name>`.
    pub variants: HashMap<String, Vec<Member>>,
    pub imports: Vec<Import>,
    /// `export { a as b } from`, by the exported name; `*` for all.
    pub passed_on: Vec<(String, Import)>,
    pub components: Vec<Definition>,
}

/// A name of another module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub local: String,
    /// `default`, `*` or the name there.
    pub imported: String,
    pub from: String,
}

/// A component.
#[derive(Debug, Default)]
pub(super) struct Definition {
    /// Its name in the file; `None` for an anonymous default export.
    pub local: Option<String>,
    /// The names it is exported by.
    pub exports: Vec<String>,
    /// Where its source is.
    pub range: Range<usize>,
    /// The type of its properties.
    pub props: Option<Type>,
    /// The properties that its parameter takes out by name.
    pub taken: Vec<Member>,
    /// Whether it takes more than those.
    pub takes_more: bool,
    /// The names of components that it shows.
    pub tags: Vec<String>,
    /// Whether it is loaded: an async function.
    pub is_async: bool,
}

impl Facts {
    /// The component whose source holds a place.
    pub fn around(&self, offset: usize) -> Option<&Definition> {
        let holding = self
            .components
            .iter()
            .filter(|component| component.range.contains(&offset));
        holding.min_by_key(|component| component.range.len())
    }

    /// The component that is exported by a name.
    pub fn exported(&self, export: &str) -> Option<&Definition> {
        let mut components = self.components.iter();
        components.find(|component| component.exports.iter().any(|name| name == export))
    }

    pub fn import(&self, local: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.local == local)
    }
}
