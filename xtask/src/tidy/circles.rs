//! No file uses, over any number of others, itself. Files of a circle cannot be understood one at a time, and none of them
//! can be moved. What a `mod.rs` passes on with `pub use` counts as used from where it is defined; using a child and being
//! used by it is a circle like any other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::uses::{Crate, Module};
use crate::stamp::files_below;

/// Crates that are checked, by their sources.
const CHECKED: [&str; 14] = [
    "editor/src",
    "host/src",
    "plugins/admin/src",
    "plugins/comments/src",
    "plugins/deployments/src",
    "plugins/repo/src",
    "sdk/manifest/src",
    "sdk/people/src",
    "sdk/postgres/src",
    "sdk/rows/src",
    "sdk/sql/src",
    "sdk/src",
    "tests/guard-table/src",
    "xtask/src",
];

/// Every circle of files.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in CHECKED {
        let all = read(&root.join(folder))?;
        found.extend(circles(&all.uses()).iter().map(|circle| told(folder, circle)));
    }
    Ok(found)
}

/// A circle in words.
pub fn told(folder: &str, circle: &Circle) -> String {
    let steps: Vec<String> = circle
        .iter()
        .map(|(module, used)| {
            let used: Vec<String> = used
                .iter()
                .map(|(used, line)| format!("{} (line {line})", name(used)))
                .collect();
            format!("{} uses {}", name(module), used.join(", "))
        })
        .collect();
    format!("{folder}: {} files are a circle: {}", circle.len(), steps.join("; "))
}

fn read(sources: &Path) -> Result<Crate> {
    let mut all = Crate::default();
    for file in files_below(sources)? {
        let inside = file.strip_prefix(sources).unwrap_or(&file).with_extension("");
        let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        // Tests may look anywhere.
        if file.extension().is_none_or(|extension| extension != "rs") || module.iter().any(|part| part == "tests") {
            continue;
        }
        let is_root = module == ["lib"] || module == ["main"] && !sources.join("lib.rs").exists();
        if is_root || module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        all.add(module, &std::fs::read_to_string(&file)?);
    }
    Ok(all)
}

fn name(module: &Module) -> String {
    match module.as_slice() {
        [] => "lib".to_owned(),
        parts => parts.join("/"),
    }
}

/// The files of one circle, each with those of the circle it uses and the line.
pub type Circle = Vec<(Module, Vec<(Module, usize)>)>;

/// Files are in one circle when each can be reached from the other.
pub fn circles(uses: &BTreeMap<&Module, BTreeMap<Module, usize>>) -> Vec<Circle> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        uses.keys().map(|module| (*module, reach(uses, module))).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for module in uses.keys() {
        if !reached[module].contains(module) || seen.contains(module) {
            continue;
        }
        let members: Vec<&Module> = reached[module]
            .iter()
            .copied()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(module)))
            .collect();
        seen.extend(members.iter().copied());
        let inside = |used: &BTreeMap<Module, usize>| -> Vec<(Module, usize)> {
            let used = used.iter().filter(|(used, _)| members.contains(used));
            used.map(|(used, line)| (used.clone(), *line)).collect()
        };
        found.push(
            members
                .iter()
                .map(|member| ((*member).clone(), inside(&uses[member])))
                .collect(),
        );
    }
    found
}

/// What can be reached from a file in one step or more.
fn reach<'a>(uses: &'a BTreeMap<&Module, BTreeMap<Module, usize>>, from: &Module) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = uses.get(from).into_iter().flat_map(BTreeMap::keys).collect();
    while let Some(module) = open.pop() {
        if found.insert(module) {
            open.extend(uses.get(module).into_iter().flat_map(BTreeMap::keys));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(files: &[(&str, &str)]) -> Crate {
        let mut all = Crate::default();
        for (path, text) in files {
            let parts = path.split('/').filter(|part| !part.is_empty());
            all.add(parts.map(str::to_owned).collect(), text);
        }
        all
    }

    #[test]
    fn a_circle_is_found_over_any_number_of_files() {
        let found = circles(
            &all(&[
                ("a", "use crate::b::B;"),
                ("b", "use super::c::C;"),
                ("c", "\nfn f() { crate::a::g() }"),
                ("d", "use crate::a;"),
            ])
            .uses(),
        );
        assert_eq!(found.len(), 1);
        let files: Vec<String> = found[0].iter().map(|(module, _)| name(module)).collect();
        assert_eq!(files, ["a", "b", "c"]);
        assert_eq!(found[0][2].1, [(vec!["a".to_owned()], 2)]);
    }

    #[test]
    fn a_parent_and_its_child_can_be_one() {
        let child = ("a/x", "use super::Thing;");
        assert_eq!(
            circles(&all(&[("a", "mod x; struct Thing; fn f() { x::g() }"), child]).uses()).len(),
            1
        );
        assert_eq!(
            circles(&all(&[("a", "mod x; pub use x::g; struct Thing;"), child]).uses()).len(),
            0
        );
    }

    #[test]
    fn what_goes_one_way_is_fine() {
        let files = [("a", "use crate::b; use crate::c;"), ("b", "use crate::c;"), ("c", "")];
        assert!(circles(&all(&files).uses()).is_empty());
    }
}
