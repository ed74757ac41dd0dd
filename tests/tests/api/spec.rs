//! The map of the specification and the page of threats: what they name exists, and no row is empty.

use std::collections::BTreeSet;
use std::path::Path;

use galley_tests::paths;

/// Every test as SPEC.md names it: the path of its file below `tests/tests`, without `api`, or below `tests/editor/tests`, and its name.
fn tests() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in ["tests/tests", "tests/editor/tests"] {
        let root = paths::checkout().join(root);
        collect(&root, &root, &mut found);
    }
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let inside = path.strip_prefix(root).unwrap().with_extension("");
            let module = inside.to_str().unwrap().replace('/', "::");
            let text = std::fs::read_to_string(&path).unwrap();
            let names = text
                .split("#[test]\nfn ")
                .skip(1)
                .filter_map(|rest| rest.split('(').next());
            let module = module.strip_prefix("api::").unwrap_or(&module);
            found.extend(names.map(|name| format!("{module}::{name}")));
        }
    }
}

fn rows() -> Vec<String> {
    let is_row = |line: &&str| {
        line.starts_with("| ") && !line.starts_with("| sentence") && !line.starts_with("| what must not happen")
    };
    let mut rows = Vec::new();
    for page in ["tests/SPEC.md", "host/THREATS.md"] {
        let text = std::fs::read_to_string(paths::checkout().join(page)).unwrap();
        let found: Vec<String> = text.lines().filter(is_row).map(str::to_owned).collect();
        assert!(found.len() > 20, "{page} has {} rows", found.len());
        rows.extend(found);
    }
    rows
}

fn named(row: &str) -> Vec<&str> {
    let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_test_that_is_named_exists() {
    let tests = tests();
    assert!(tests.len() > 500, "{} tests", tests.len());
    let rows = rows();
    let missing: Vec<&str> = rows
        .iter()
        .flat_map(|row| named(row))
        .filter(|name| !tests.contains(*name))
        .collect();
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
}

#[test]
fn no_sentence_is_without_a_test() {
    let rows = rows();
    assert!(rows.len() > 100, "{} rows", rows.len());
    for row in rows {
        assert!(!named(&row).is_empty(), "{row}");
    }
}
