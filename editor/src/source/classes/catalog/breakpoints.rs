//! The widths from which Tailwind's variants `sm:`, `md:` and so on hold.

use crate::source::css::{Dialect, NodeKind, Sheet};
use crate::source::model::Project;

use super::config;

/// A width with its name.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Breakpoint {
    /// The variant, as `md`.
    pub name: String,
    /// From how many CSS pixels it holds.
    pub width: f64,
}

/// Tailwind's own (<https://tailwindcss.com/docs/responsive-design>).
const OWN: &[(&str, f64)] = &[
    ("sm", 640.0),
    ("md", 768.0),
    ("lg", 1024.0),
    ("xl", 1280.0),
    ("2xl", 1536.0),
];

/// The project's breakpoints, the narrowest first: those of its theme and, unless it replaces them, Tailwind's. None when it
/// does not use Tailwind.
#[must_use]
pub fn breakpoints(project: &dyn Project) -> Vec<Breakpoint> {
    let depends = project
        .read("package.json")
        .is_some_and(|text| text.contains("tailwindcss"));
    if !depends {
        return Vec::new();
    }
    let mut found: Vec<Breakpoint> = Vec::new();
    for (name, width) in OWN {
        put(&mut found, name, Some(*width));
    }
    for path in project.files().iter() {
        if config::is_config(path) {
            let (replaces, screens) = project
                .read(path)
                .map(|text| config::screens(path, &text))
                .unwrap_or_default();
            if replaces {
                found.clear();
            }
            for (name, width) in screens {
                put(&mut found, &name, pixels(&width));
            }
        } else if let Some(dialect) = Dialect::of(path).filter(|_| !path.contains(".module.")) {
            let text = project.read(path).filter(|text| text.contains("--breakpoint-"));
            if let Some((text, sheet)) = text.and_then(|text| Some((text.clone(), Sheet::parse(&text, dialect).ok()?)))
            {
                theme(&text, &sheet, &mut found);
            }
        }
    }
    found.sort_by(|one, other| one.width.total_cmp(&other.width));
    found
}

/// `--breakpoint-*` of `@theme`, in the order in which they stand.
fn theme(text: &str, sheet: &Sheet, found: &mut Vec<Breakpoint>) {
    for node in &sheet.nodes {
        let NodeKind::Declaration { property, value, .. } = &node.kind else {
            continue;
        };
        let value = text[value.clone()].trim();
        match text[property.clone()].strip_prefix("--breakpoint-") {
            Some("*") if value == "initial" => found.clear(),
            Some(name) => put(found, name, pixels(value)),
            None => {}
        }
    }
}

/// What is no width in pixels or rem (`initial` is none at all) cannot be compared with the page's: it is left out.
fn put(found: &mut Vec<Breakpoint>, name: &str, width: Option<f64>) {
    found.retain(|own| own.name != name);
    if let Some(width) = width {
        let name = name.to_owned();
        found.push(Breakpoint { name, width });
    }
}

fn pixels(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, times) = match (text.strip_suffix("rem"), text.strip_suffix("px")) {
        (Some(number), _) => (number, 16.0),
        (_, Some(number)) => (number, 1.0),
        _ => return None,
    };
    let width = number.trim().parse::<f64>().ok()? * times;
    (width.is_finite() && width >= 0.0).then_some(width)
}
