//! The classes a project has: what the interface's autocomplete offers.
//!
//! Read from the project's own files, nothing is executed: Tailwind 4's `@theme` and `@utility`, Tailwind 3's configuration
//! as far as it is literal, Tailwind's own names, and the classes of the stylesheets.

mod breakpoints;
mod config;
mod defaults;
mod entry;
mod stylesheets;
mod theme;
mod themed;

use std::collections::{HashMap, HashSet};

use crate::source::css::{Dialect, Sheet};
use crate::source::model::Project;

pub use breakpoints::breakpoints;
use defaults::Replaced;
pub use entry::CatalogEntry;

/// A bound for stylesheets that nobody wrote by hand.
const MAX_CLASSES: usize = 20_000;

/// The project's classes: those of its Tailwind theme, Tailwind's own when it uses it, then those of its stylesheets. Every
/// name once.
#[must_use]
pub fn catalog(project: &dyn Project) -> Vec<CatalogEntry> {
    let files = project.files();
    let mut entries = Vec::new();
    let mut replaced = Replaced::default();
    let mut classes = Vec::new();
    let mut tailwind = project
        .read("package.json")
        .is_some_and(|text| text.contains("tailwindcss"));
    let mut variables = HashMap::new();
    let sheets: Vec<(&String, std::sync::Arc<str>, Sheet)> = files
        .iter()
        .filter(|path| path.contains('.') && !path.contains(".module."))
        .filter_map(|path| {
            let dialect = Dialect::of(path)?;
            let text = project.read(path)?;
            let sheet = Sheet::parse(&text, dialect).ok()?;
            Some((path, text, sheet))
        })
        .collect();
    for (_, text, sheet) in &sheets {
        stylesheets::variables(text, sheet, &mut variables);
    }
    for (path, text, sheet) in &sheets {
        tailwind |= theme::read(path, text, sheet, &variables, &mut entries, &mut replaced);
        stylesheets::classes(path, text, sheet, &mut classes);
    }
    for path in files.iter().filter(|path| config::is_config(path)) {
        if let Some(text) = project.read(path) {
            tailwind = true;
            config::read(path, &text, &variables, &mut entries, &mut replaced);
        }
    }
    if tailwind {
        entries.extend(defaults::entries(replaced));
    }
    entries.extend(classes);
    let mut seen = HashSet::new();
    entries.retain(|entry| seen.insert(entry.name.clone()));
    entries.truncate(MAX_CLASSES);
    entries
}

#[cfg(test)]
mod tests;
