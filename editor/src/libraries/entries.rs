//! What can be imported from a package, and the declarations each import means: `types` and `exports` of its package.json.
//!
//! <https://nodejs.org/api/packages.html#package-entry-points>

use serde_json::Value;

use super::files::Files;
use crate::source::model::Project;

/// More parts of a package are not looked at.
const MAX_ENTRIES: usize = 400;

/// Conditions whose file may have declarations, the most telling first.
const CONDITIONS: [&str; 5] = ["types", "import", "module", "default", "require"];

/// An import, `@acme/ui` or `@acme/ui/button`, and the file that declares what it brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub import: String,
    pub file: String,
}

/// Every entry of the package, its main one first.
pub(super) fn entries(description: &Value, name: &str, files: &Files) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut add = |part: &str, file: Option<String>| {
        let import = match part {
            "." => name.to_owned(),
            part => format!("{name}/{}", part.trim_start_matches("./")),
        };
        if let Some(file) = file
            && found.len() < MAX_ENTRIES
            && !found.iter().any(|known| known.import == import)
        {
            found.push(Entry { import, file });
        }
    };
    let exports = &description["exports"];
    let parts = exports
        .as_object()
        .filter(|parts| parts.keys().any(|key| key.starts_with('.')));
    add(
        ".",
        match parts {
            Some(parts) => parts.get(".").and_then(|main| target(main, files, "")),
            None => target(exports, files, ""),
        }
        .or_else(|| main(description, files)),
    );
    for (part, of) in parts.into_iter().flatten() {
        match part.split_once('*') {
            None if part != "." => add(part, target(of, files, "")),
            None => {}
            // `./*`: every file that the pattern means is a part.
            Some((before, "")) => {
                for star in stars(of, files) {
                    add(&format!("{before}{star}"), target(of, files, &star));
                }
            }
            Some(_) => {}
        }
    }
    found
}

/// `types`, `typings`, the declarations beside `main`, or those of the folder.
fn main(description: &Value, files: &Files) -> Option<String> {
    let stated = ["types", "typings", "module", "main"].iter().find_map(|key| {
        let path = description[*key].as_str()?;
        declarations(path, files)
    });
    stated.or_else(|| files.named("index.d.ts"))
}

/// The declarations that a target of `exports` means, `*` being `star`.
fn target(of: &Value, files: &Files, star: &str) -> Option<String> {
    match of {
        Value::String(path) => declarations(&path.replace('*', star), files),
        Value::Object(conditions) => CONDITIONS
            .iter()
            .filter_map(|condition| conditions.get(*condition))
            .find_map(|of| target(of, files, star)),
        Value::Array(several) => several.iter().find_map(|of| target(of, files, star)),
        _ => None,
    }
}

/// What `*` may be in a target, by the files that are there.
fn stars(of: &Value, files: &Files) -> Vec<String> {
    let Some(path) = first_path(of) else { return Vec::new() };
    let Some((before, after)) = path.trim_start_matches("./").split_once('*') else {
        return Vec::new();
    };
    let endings = [".d.ts", ".d.mts", ".d.cts", ".mjs", ".cjs", ".js"];
    let plain = |path: &str| {
        let ending = endings.iter().find(|ending| path.ends_with(**ending));
        path[..path.len() - ending.map_or(0, |ending| ending.len())].to_owned()
    };
    let after = plain(after);
    let list = files.files();
    let stars = list.iter().filter_map(|file| {
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let star = stem.strip_prefix(before)?.strip_suffix(after.as_str())?;
        (!star.is_empty() && !star.contains('/')).then(|| star.to_owned())
    });
    stars.collect()
}

fn first_path(of: &Value) -> Option<&str> {
    match of {
        Value::String(path) => Some(path),
        Value::Object(conditions) => CONDITIONS
            .iter()
            .filter_map(|condition| conditions.get(*condition))
            .find_map(first_path),
        _ => None,
    }
}

/// The declarations of a file: itself, or those beside it.
fn declarations(path: &str, files: &Files) -> Option<String> {
    let path = path.trim_start_matches("./");
    let beside = [
        (".mjs", ".d.mts"),
        (".cjs", ".d.cts"),
        (".mjs", ".d.ts"),
        (".cjs", ".d.ts"),
        (".js", ".d.ts"),
    ];
    files.named(path).or_else(|| {
        beside
            .iter()
            .find_map(|(ending, declared)| files.named(&format!("{}{declared}", path.strip_suffix(ending)?)))
    })
}
