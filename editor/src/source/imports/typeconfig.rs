//! `paths` and `baseUrl` of TypeScript's configuration files.

use std::sync::Arc;

use serde_json::Value;

use super::document;
use super::path::{folder, join};
use crate::source::model::Project;

/// How many files of configuration are read for one folder, whatever they extend and refer to.
const MAX_FILES: usize = 64;

/// The aliases of one configuration.
#[derive(Debug, Default, Clone)]
pub struct Aliases {
    /// From a pattern with at most one `*` to paths with at most one.
    paths: Vec<(String, Vec<String>)>,
    /// The folder of bare specifiers.
    base: Option<String>,
}

/// Where a specifier may lead.
pub struct Candidates {
    pub paths: Vec<String>,
    /// Whether a pattern other than `*` takes the specifier, so that it is no library.
    pub certain: bool,
}

impl Aliases {
    pub fn candidates(&self, specifier: &str) -> Candidates {
        let exact = self.paths.iter().find(|(pattern, _)| pattern == specifier);
        let starred = || {
            let fitting = self.paths.iter().filter_map(|(pattern, targets)| {
                let (before, after) = pattern.split_once('*')?;
                let rest = specifier.strip_prefix(before)?.strip_suffix(after)?;
                Some((before.len(), rest, targets))
            });
            fitting.max_by_key(|(length, ..)| *length)
        };
        let mut certain = exact.is_some();
        let mut paths = match exact {
            Some((_, targets)) => targets.clone(),
            None => starred().map_or_else(Vec::new, |(length, rest, targets)| {
                certain = length > 0;
                let filled = targets.iter().map(|target| target.replacen('*', rest, 1));
                filled.collect()
            }),
        };
        paths.extend(self.base.as_deref().and_then(|base| join(base, specifier)));
        Candidates { paths, certain }
    }

    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.base.is_none()
    }
}

/// `jsxImportSource` for files of a folder: the package that a build imports JSX from, by the same configurations as aliases.
pub fn jsx_import_source(project: &dyn Project, start: &str) -> Option<String> {
    let mut left = MAX_FILES;
    let mut at = start;
    loop {
        let names = ["tsconfig.app.json", "tsconfig.json", "jsconfig.json"];
        let named = project.type_config();
        let nearest = names.iter().filter_map(|name| join(at, name));
        let mut paths: Vec<String> = named.iter().cloned().chain(nearest).collect();
        if named.is_some() {
            paths.truncate(1);
        }
        if let Some(found) = paths.iter().find_map(|path| jsx_source_of(project, path, &mut left)) {
            return Some(found);
        }
        if at.is_empty() || named.is_some() {
            return None;
        }
        at = folder(at);
    }
}

fn jsx_source_of(project: &dyn Project, path: &str, left: &mut usize) -> Option<String> {
    let value = parse(project, path, left)?;
    if let Some(own) = value["compilerOptions"]["jsxImportSource"].as_str() {
        return Some(own.to_owned());
    }
    let at = folder(path);
    let parents = match &value["extends"] {
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        one => Vec::from_iter(one.as_str()),
    };
    // The last that says anything wins over those before it, and over what is only referred to.
    let parents = parents.into_iter().rev().filter(|parent| parent.starts_with('.'));
    let referred = value["references"].as_array().into_iter().flatten();
    let referred = referred.filter_map(|reference| reference["path"].as_str());
    let related: Vec<String> = parents.chain(referred).filter_map(|path| join(at, path)).collect();
    related.iter().find_map(|path| {
        let json = path.ends_with(".json").then(|| path.clone());
        let guesses = [format!("{path}.json"), format!("{path}/tsconfig.json")];
        let mut paths = json.into_iter().chain(guesses);
        paths.find_map(|path| jsx_source_of(project, &path, left))
    })
}

/// The aliases for files of a folder: of the file that was named for the whole prototype, else of the nearest folder that has a
/// configuration.
pub fn read(project: &dyn Project, start: &str) -> Vec<Aliases> {
    let mut left = MAX_FILES;
    if let Some(named) = project.type_config() {
        return load(project, &named, &mut left);
    }
    let mut at = start;
    loop {
        let mut found = Vec::new();
        for name in ["tsconfig.app.json", "tsconfig.json", "jsconfig.json"] {
            if let Some(path) = join(at, name) {
                found.extend(load(project, &path, &mut left));
            }
        }
        if !found.is_empty() || at.is_empty() {
            return found;
        }
        at = folder(at);
    }
}

/// The aliases of one file, then those of the files it refers to (a `tsconfig.json` that only refers is common).
fn load(project: &dyn Project, path: &str, left: &mut usize) -> Vec<Aliases> {
    let Some(value) = parse(project, path, left) else {
        return Vec::new();
    };
    let own = own(project, path, &value, folder(path), left);
    let mut all: Vec<Aliases> = Some(own).filter(|aliases| !aliases.is_empty()).into_iter().collect();
    let referred = value["references"].as_array().into_iter().flatten();
    let referred = referred.filter_map(|reference| reference["path"].as_str());
    for reference in referred {
        if let Some(path) = join(folder(path), reference) {
            let path = if path.ends_with(".json") {
                path
            } else {
                format!("{path}/tsconfig.json")
            };
            all.extend(load(project, &path, left));
        }
    }
    all
}

fn parse(project: &dyn Project, path: &str, left: &mut usize) -> Option<Arc<Value>> {
    *left = left.checked_sub(1)?;
    let value = document::read(project, path)?;
    value.is_object().then_some(value)
}

/// What a configuration says itself, or else inherits. `home` is the folder of the configuration that inherits.
fn own(project: &dyn Project, path: &str, value: &Value, home: &str, left: &mut usize) -> Aliases {
    let at = folder(path);
    let place = |text: &str| match text.strip_prefix("${configDir}") {
        Some(rest) => join(home, rest.trim_start_matches('/')),
        None => join(at, text),
    };
    let options = &value["compilerOptions"];
    let base = options["baseUrl"].as_str().and_then(place);
    let mut inherited = Aliases::default();
    let parents = match &value["extends"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    // Later ones win.
    for parent in parents.into_iter().filter(|parent| parent.starts_with('.')) {
        let paths = [
            parent.to_owned(),
            format!("{parent}.json"),
            format!("{parent}/tsconfig.json"),
        ];
        let paths = paths.iter().filter_map(|path| join(at, path));
        let found = paths.map(|path| (parse(project, &path, left), path));
        if let Some((Some(value), path)) = found.into_iter().find(|(value, _)| value.is_some()) {
            let next = own(project, &path, &value, home, left);
            if !next.paths.is_empty() {
                inherited.paths = next.paths;
            }
            inherited.base = next.base.or(inherited.base);
        }
    }
    let base = base.or(inherited.base);
    let paths = match options["paths"].as_object() {
        None => inherited.paths,
        Some(paths) => {
            let from = base.as_deref().unwrap_or(at);
            let target = |target: &str| match target.strip_prefix("${configDir}") {
                Some(_) => place(target),
                None => join(from, target),
            };
            let targets = |value: &Value| -> Vec<String> {
                let several = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                several.filter_map(target).collect()
            };
            paths
                .iter()
                .map(|(pattern, value)| (pattern.clone(), targets(value)))
                .collect()
        }
    };
    Aliases { paths, base }
}
