//! `imports` of package.json: `#components/*`.

use serde_json::Value;

use super::document;
use super::path::{folder, join};
use crate::source::model::Project;

/// The path a `#` specifier means by the nearest package.json.
pub fn resolve(project: &dyn Project, from: &str, specifier: &str) -> Option<String> {
    let mut at = folder(from);
    let (package, value) = loop {
        let package = join(at, "package.json")?;
        if let Some(value) = document::read(project, &package) {
            break (package, value);
        }
        if at.is_empty() {
            return None;
        }
        at = folder(at);
    };
    let imports = value["imports"].as_object()?;
    let (target, rest) = match imports.get(specifier) {
        Some(target) => (target, ""),
        None => {
            let fitting = imports.iter().filter_map(|(pattern, target)| {
                let (before, after) = pattern.split_once('*')?;
                let rest = specifier.strip_prefix(before)?.strip_suffix(after)?;
                Some((before.len(), (target, rest)))
            });
            fitting.max_by_key(|(length, _)| *length)?.1
        }
    };
    let path = condition(target, 8)?.replace('*', rest);
    join(folder(&package), &path)
}

/// The path for a browser in development.
fn condition(target: &Value, depth: usize) -> Option<&str> {
    match target {
        Value::String(path) => Some(path),
        Value::Array(several) if depth > 0 => several.iter().find_map(|one| condition(one, depth - 1)),
        Value::Object(conditions) if depth > 0 => {
            const ON: [&str; 6] = ["source", "development", "browser", "import", "module", "default"];
            let chosen = conditions.iter().filter(|(name, _)| ON.contains(&name.as_str()));
            chosen.into_iter().find_map(|(_, target)| condition(target, depth - 1))
        }
        _ => None,
    }
}
