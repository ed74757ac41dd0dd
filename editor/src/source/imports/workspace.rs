//! Packages of the same repository: `@acme/ui` is a folder whose package.json has that name.

use std::collections::HashMap;

use serde_json::Value;

use super::document::read;
use super::path::{folder, join};
use crate::source::model::Project;

/// The folders of the repository's packages by their names; a name that two have is nobody's.
pub fn packages(project: &dyn Project) -> HashMap<String, Option<String>> {
    let files = project.files();
    let manifests = files.iter().filter(|path| path.ends_with("/package.json"));
    let mut packages = HashMap::new();
    for path in manifests {
        let manifest = read(project, path);
        let name = manifest.as_ref().and_then(|manifest| manifest["name"].as_str());
        if let Some(name) = name {
            let known = packages.entry(name.to_owned());
            let home = Some(folder(path).to_owned());
            known.and_modify(|known| *known = None).or_insert(home);
        }
    }
    packages
}

/// The paths that a specifier of the package `name` in the folder `home` may mean, the likeliest first. Only where `from`
/// depends on the package as it is in this repository, and not on a published one.
pub fn candidates(project: &dyn Project, from: &str, name: &str, home: &str, specifier: &str) -> Vec<String> {
    let Some(own) = join(home, "package.json").and_then(|path| read(project, &path)) else {
        return Vec::new();
    };
    if !depends(project, from, name, own["version"].as_str()) {
        return Vec::new();
    }
    let rest = &specifier[name.len()..];
    let subpath = format!(".{rest}");
    let mut targets: Vec<(&str, &str)> = Vec::new();
    match &own["exports"] {
        Value::Null if rest.is_empty() => {
            let fields = ["source", "module", "browser", "main"].iter();
            targets.extend(fields.filter_map(|field| Some((own[*field].as_str()?, ""))));
            targets.push((".", ""));
        }
        Value::Null => targets.push((&subpath, "")),
        Value::Object(entries) if entries.keys().any(|key| key.starts_with('.')) => match entries.get(&subpath) {
            Some(target) => conditions(target, "", 8, &mut targets),
            None => {
                let fitting = entries.iter().filter_map(|(pattern, target)| {
                    let (before, after) = pattern.split_once('*')?;
                    let rest = subpath.strip_prefix(before)?.strip_suffix(after)?;
                    Some((before.len(), target, rest))
                });
                if let Some((_, target, rest)) = fitting.max_by_key(|(length, ..)| *length) {
                    conditions(target, rest, 8, &mut targets);
                }
            }
        },
        whole if rest.is_empty() => conditions(whole, "", 8, &mut targets),
        _ => {}
    }
    let paths = targets.iter().map(|(target, rest)| target.replace('*', rest));
    paths.filter_map(|path| join(home, &path)).collect()
}

/// The targets for a browser in development, in the order in which they count.
fn conditions<'t>(target: &'t Value, rest: &'t str, depth: usize, targets: &mut Vec<(&'t str, &'t str)>) {
    match target {
        Value::String(path) => targets.push((path, rest)),
        Value::Array(several) if depth > 0 => {
            for one in several {
                conditions(one, rest, depth - 1, targets);
            }
        }
        Value::Object(named) if depth > 0 => {
            for condition in ["source", "development", "browser", "module", "import", "default"] {
                if let Some(target) = named.get(condition) {
                    conditions(target, rest, depth - 1, targets);
                }
            }
        }
        _ => {}
    }
}

/// Whether the nearest package.json that names a package takes it from the repository itself.
fn depends(project: &dyn Project, from: &str, name: &str, version: Option<&str>) -> bool {
    let mut at = folder(from);
    loop {
        if let Some(manifest) = join(at, "package.json").and_then(|path| read(project, &path)) {
            let kinds = [
                "dependencies",
                "devDependencies",
                "peerDependencies",
                "optionalDependencies",
            ];
            if let Some(wanted) = kinds.iter().find_map(|kind| manifest[*kind][name].as_str()) {
                let local = ["workspace:", "link:", "file:", "portal:"];
                let same = Some(wanted.trim_start_matches(['^', '~', '='])) == version;
                return local.iter().any(|protocol| wanted.starts_with(protocol)) || wanted == "*" || same;
            }
            if manifest["name"].as_str() == Some(name) {
                return true;
            }
        }
        if at.is_empty() {
            return false;
        }
        at = folder(at);
    }
}
