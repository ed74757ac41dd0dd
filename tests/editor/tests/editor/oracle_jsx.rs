//! Our reading of JSX against Babel's: the same elements with the same ranges.

use std::fs;
use std::path::Path;

use galley_editor::source::engine;
use galley_editor_tests::bench::JSX_PACKAGES;
use galley_editor_tests::{oracle, paths};

#[test]
fn every_element_stands_where_babel_says() {
    let packages = oracle::packages("jsx", &JSX_PACKAGES);
    let endings = [".jsx", ".tsx", ".js"];
    let mut files = oracle::files(&paths::checkout().join("tests/editor/oracles/jsx"), &endings);
    assert!(files.len() >= 6, "the collection of nasty files is missing");
    files.extend(oracle::files(&paths::checkout().join("editor/ui/src"), &[".tsx"]));
    files.extend(oracle::files(&paths::checkout().join("editor/kit"), &[".tsx"]));
    for package in ["create-vite", "create-next-app"] {
        let templates = oracle::files(&packages.join("node_modules").join(package), &[".jsx", ".tsx"]);
        assert!(!templates.is_empty(), "{package} has no templates");
        files.extend(templates);
    }
    // More to compare with: the folder of a repository.
    if let Some(folder) = std::env::var_os("GALLEY_JSX_CORPUS") {
        files.extend(oracle::files(Path::new(&folder), &[".jsx", ".tsx"]));
    }
    let theirs = oracle::ask("jsx.mjs", &packages, &files);
    let mut wrong = Vec::new();
    let mut elements = 0;
    for (file, theirs) in files.iter().zip(&theirs) {
        let text = fs::read_to_string(file).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let name = file.to_string_lossy();
        let ours = engine::outline(&name, text);
        let Some(theirs) = theirs["elements"].as_array() else {
            if ours.is_ok() {
                wrong.push(format!("{name}: read by us, not by Babel: {}", theirs["error"]));
            }
            continue;
        };
        let Ok(ours) = ours else {
            wrong.push(format!("{name}: read by Babel, not by us: {}", ours.unwrap_err()));
            continue;
        };
        let ours: Vec<String> = ours
            .elements
            .iter()
            .map(|one| format!("{} {}..{} {}", one.tag, one.range.start, one.range.end, one.opening.end))
            .collect();
        elements += ours.len();
        if let Some(place) = (0..ours.len().max(theirs.len()))
            .find(|at| ours.get(*at).map(String::as_str) != theirs.get(*at).and_then(|line| line.as_str()))
        {
            wrong.push(format!(
                "{name}: theirs {:?}, ours {:?}",
                theirs.get(place),
                ours.get(place)
            ));
        }
    }
    println!("{elements} elements of {} files compared", files.len());
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}
