//! The components of a package that lies in a folder.

use std::path::Path;

use serde_json::Value;

use super::entries::{Entry, entries};
use super::files::{Files, Of};
use crate::source::components;
use crate::source::model::{LibraryComponent, Project};

/// What a package's folder holds.
#[derive(Debug)]
pub(super) struct Package {
    pub name: String,
    pub version: String,
    pub components: Vec<LibraryComponent>,
}

/// Entries that stand for a library's sources, where it declares none.
const SOURCES: [&str; 8] = [
    "src/index.ts",
    "src/index.tsx",
    "src/index.js",
    "src/main.ts",
    "lib/index.ts",
    "lib/index.js",
    "index.ts",
    "index.js",
];

/// Reads the package in a folder.
///
/// # Errors
/// In words, when there is none.
pub(super) fn read(folder: &Path) -> Result<Package, String> {
    let description = describe(folder)?;
    let text = |key: &str| description[key].as_str().unwrap_or_default().to_owned();
    let name = text("name");
    if name.is_empty() {
        return Err("its package.json states no name".to_owned());
    }
    let files = Files::of(folder, Of::Declarations);
    let mut components = of_entries(&files, &entries(&description, &name, &files));
    if components.is_empty() {
        let files = Files::of(folder, Of::Sources);
        let list = files.files();
        let source = description["source"]
            .as_str()
            .map(|path| path.trim_start_matches("./").to_owned());
        let entry = source
            .into_iter()
            .chain(SOURCES.map(str::to_owned))
            .find(|path| list.contains(path));
        let entry = entry.map(|file| Entry {
            import: name.clone(),
            file,
        });
        components = of_entries(&files, entry.as_slice());
    }
    Ok(Package {
        name,
        version: text("version"),
        components,
    })
}

/// Reads `package.json`.
///
/// # Errors
/// In words, when it is missing or broken.
pub(super) fn describe(folder: &Path) -> Result<Value, String> {
    let text = std::fs::read(folder.join("package.json")).map_err(|_| "it has no package.json".to_owned())?;
    serde_json::from_slice(&text).map_err(|error| format!("its package.json is broken: {error}"))
}

/// A component that several entries export is that of the first.
fn of_entries(files: &Files, entries: &[Entry]) -> Vec<LibraryComponent> {
    let mut found: Vec<LibraryComponent> = Vec::new();
    for entry in entries {
        for component in components::declared(files, &entry.file, &entry.import) {
            if !found.iter().any(|known| known.name == component.name) {
                found.push(component);
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
