//! No file of the Editor's interface, of the bridge or of the pages imports, over any number of others, itself. Imports of
//! types count: what names another file's types cannot be understood, or moved, without it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::Result;

use super::circles::{circles, told};
use super::rust_source::{Source, is_word};
use super::uses::Module;
use crate::stamp::files_below;

/// Folders of TypeScript that are checked.
const CHECKED: [&str; 4] = ["editor/kit", "editor/ui/src", "editor/bridge/src", "host/dashboard/src"];

/// The endings of source files. An import may leave its ending out.
const ENDINGS: [&str; 4] = ["ts", "tsx", "mjs", "js"];

/// Every circle of files.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in CHECKED {
        let mut files = BTreeMap::new();
        let sources = root.join(folder);
        for file in files_below(&sources)? {
            if is_script(&file) {
                let inside = file.strip_prefix(&sources).unwrap_or(&file).to_owned();
                files.insert(inside, std::fs::read_to_string(&file)?);
            }
        }
        let uses = uses(&files);
        let uses = uses.iter().map(|(file, used)| (file, used.clone())).collect();
        found.extend(circles(&uses).iter().map(|circle| told(folder, circle)));
    }
    Ok(found)
}

fn is_script(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
}

/// Each file with the others it imports, and the line where it does so first.
fn uses(files: &BTreeMap<PathBuf, String>) -> BTreeMap<Module, BTreeMap<Module, usize>> {
    let known: BTreeSet<&Path> = files.keys().map(PathBuf::as_path).collect();
    let module = |path: &Path| -> Module { path.iter().map(|part| part.to_string_lossy().into_owned()).collect() };
    let of_file = |path: &Path, text: &str| {
        let mut used = BTreeMap::new();
        for (line, name) in imports(text) {
            let found = resolve(path.parent().unwrap_or(Path::new("")), &name, &known);
            if let Some(found) = found.filter(|found| found != path) {
                used.entry(module(&found)).or_insert(line);
            }
        }
        used
    };
    files
        .iter()
        .map(|(path, text)| (module(path), of_file(path, text)))
        .collect()
}

/// The relative paths a file imports, each with its line: `… from './x'`, `import './x'`, `import('./x')`.
fn imports(text: &str) -> Vec<(usize, String)> {
    let source = Source::new(text);
    let mut found = Vec::new();
    for (number, line) in source.lines() {
        for word in ["from", "import"] {
            for (at, _) in line.match_indices(word) {
                let stands_alone = !line[..at].chars().next_back().is_some_and(|c| is_word(c) || c == '.');
                let rest = line[at + word.len()..].trim_start_matches([' ', '(']);
                let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
                let name = quote.and_then(|quote| rest[1..].split(quote).next());
                if let Some(name) = name.filter(|name| stands_alone && name.starts_with('.')) {
                    found.push((number, name.to_owned()));
                }
            }
        }
    }
    found
}

/// The file that an import means: as it is named, with an ending, or the index of a folder.
fn resolve(folder: &Path, name: &str, known: &BTreeSet<&Path>) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in Path::new(name).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    let with = |ending: &str| PathBuf::from(format!("{}.{ending}", path.display()));
    let named = [path.clone()].into_iter();
    // TypeScript's own way of naming `x.ts` is `x.js`.
    let others = ENDINGS.iter().map(|ending| path.with_extension(ending));
    let indexes = ENDINGS.iter().map(|ending| path.join(format!("index.{ending}")));
    let mut tried = named.chain(ENDINGS.map(with)).chain(others).chain(indexes);
    tried.find(|path| known.contains(path.as_path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files = files
            .iter()
            .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
        let uses = uses(&files.collect());
        let uses = uses.iter().map(|(file, used)| (file, used.clone())).collect();
        circles(&uses).iter().map(|circle| told("ui", circle)).collect()
    }

    #[test]
    fn a_circle_of_imports_is_found_however_they_are_written() {
        let files = [
            ("model/a.ts", "import { b } from '../actions/b';"),
            ("actions/b.tsx", "export {\n  c,\n} from \"./c.js\";"),
            ("actions/c.ts", "const a = () => import('../model/a.ts');"),
            ("main.ts", "import './actions/b';"),
        ];
        assert_eq!(
            found(&files),
            [
                "ui: 3 files are a circle: actions/b.tsx uses actions/c.ts (line 3); actions/c.ts uses model/a.ts (line 1); \
              model/a.ts uses actions/b.tsx (line 1)"
            ]
        );
    }

    #[test]
    fn one_way_packages_and_comments_are_fine() {
        let files = [
            ("a.ts", "import type { B } from './b';\nimport React from 'react';"),
            ("b.ts", "import { C } from './c';\n// import './a';"),
            ("c/index.ts", "export const C = Array.from('./a');"),
        ];
        assert_eq!(found(&files), Vec::<String>::new());
    }
}
