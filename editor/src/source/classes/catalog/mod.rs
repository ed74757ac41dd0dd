//! The classes a project has: what the interface's autocomplete offers.
//!
//! Read from the project's own files, nothing is executed: Tailwind 4's `@theme` and `@utility`, Tailwind 3's configuration
//! as far as it is literal, Tailwind's own names, and the classes of the stylesheets.

mod breakpoints;
mod config;
mod defaults;
mod stylesheets;
mod theme;

use std::collections::{HashMap, HashSet};

use crate::source::css::{Dialect, Sheet};
use crate::source::model::Project;

pub use breakpoints::breakpoints;
use defaults::Replaced;

/// A class.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// As it is written in a class list.
    pub name: String,
    /// The file that declares it; `Tailwind` for its own names.
    pub from: String,
    /// A colour, or its declarations.
    pub preview: Option<String>,
}

/// [`Entry`], by the name of the route's data.
pub type CatalogEntry = Entry;

/// A bound for stylesheets that nobody wrote by hand.
const MANY: usize = 20_000;

/// Previews are for one line.
const MAX_PREVIEW: usize = 160;

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
    for path in files.iter().filter(|path| is_config(path)) {
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
    entries.truncate(MANY);
    entries
}

fn is_config(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let ending = file.strip_prefix("tailwind.config.");
    matches!(ending, Some("js" | "ts" | "cjs" | "mjs" | "cts" | "mts"))
}

/// A value with the variables of `:root` in their place, as far as they are known: shadcn's `hsl(var(--primary))` becomes a
/// colour one can see.
fn resolved(value: &str, variables: &HashMap<String, String>) -> String {
    let mut value = value.to_owned();
    // A variable may name another; a ring of them ends here.
    for _ in 0..4 {
        let Some(start) = value.find("var(--") else { break };
        let Some(end) = value[start..].find(')') else { break };
        let name = value[start + 4..start + end]
            .split(',')
            .next()
            .unwrap_or_default()
            .trim();
        let Some(known) = variables.get(name).filter(|known| known.len() < MAX_PREVIEW) else {
            break;
        };
        value.replace_range(start..=start + end, known);
    }
    shortened(&value)
}

fn shortened(text: &str) -> String {
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_PREVIEW) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The utilities that a section of a theme makes: `(utility, what its preview says)`. A colour's preview is the colour.
fn utilities(section: &str) -> &'static [(&'static str, &'static str)] {
    match section {
        "text" | "fontSize" => &[("text", "font-size")],
        "font" | "fontFamily" => &[("font", "font-family")],
        "font-weight" | "fontWeight" => &[("font", "font-weight")],
        "radius" | "borderRadius" => &[("rounded", "border-radius")],
        "shadow" | "boxShadow" => &[("shadow", "box-shadow")],
        "leading" | "lineHeight" => &[("leading", "line-height")],
        "tracking" | "letterSpacing" => &[("tracking", "letter-spacing")],
        "container" | "maxWidth" => &[("max-w", "max-width")],
        "ease" | "transitionTimingFunction" => &[("ease", "transition-timing-function")],
        "animate" | "animation" => &[("animate", "animation")],
        "blur" => &[("blur", "filter")],
        "aspect" | "aspectRatio" => &[("aspect", "aspect-ratio")],
        "width" => &[("w", "width")],
        "height" => &[("h", "height")],
        "minHeight" => &[("min-h", "min-height")],
        "minWidth" => &[("min-w", "min-width")],
        "maxHeight" => &[("max-h", "max-height")],
        "zIndex" => &[("z", "z-index")],
        "opacity" => &[("opacity", "opacity")],
        "backgroundImage" => &[("bg", "background-image")],
        "spacing" => defaults::SPACED,
        _ => &[],
    }
}

/// The classes for one value of a theme; `name` is empty for a section's default.
fn themed(section: &str, name: &str, value: Option<&str>, from: &str, entries: &mut Vec<Entry>) {
    let class = |utility: &str| {
        if name.is_empty() {
            utility.to_owned()
        } else {
            format!("{utility}-{name}")
        }
    };
    let mut add = |utility: &str, preview: Option<String>| {
        entries.push(Entry {
            name: class(utility),
            from: from.to_owned(),
            preview,
        });
    };
    if matches!(section, "color" | "colors") {
        for utility in defaults::COLORED {
            add(utility, value.map(str::to_owned));
        }
    }
    for (utility, property) in utilities(section) {
        add(utility, value.map(|value| format!("{property}: {value}")));
    }
}

#[cfg(test)]
mod tests;
