//! Our scanner of stylesheets against PostCSS: the same statements at the same places.

use std::fs;
use std::path::Path;

use galley_editor::source::css::{Dialect, NodeKind, Sheet};
use galley_editor_tests::{oracle, paths};

/// The parsers, and stylesheets of every kind to read.
const PACKAGES: [&str; 6] = [
    "postcss@8.5.6",
    "postcss-scss@4.0.9",
    "bootstrap@5.3.8",
    "create-vite@7.1.1",
    "tailwindcss@4.1.13",
    "normalize.css@8.0.1",
];

/// Without comments, and with single blanks.
fn plain(text: &str, scss: bool) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        result.push_str(&rest[..start]);
        result.push(' ');
        rest = rest[start + 2..].split_once("*/").map_or("", |(_, rest)| rest);
    }
    result.push_str(rest);
    // PostCSS turns `// x` into `/* x */` in what it hands out.
    let lines = result.lines().map(|line| match line.find("//") {
        Some(start) if scss && !line[..start].ends_with(':') => &line[..start],
        _ => line,
    });
    lines
        .collect::<Vec<_>>()
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn ours(text: &str, dialect: Dialect) -> Result<Vec<String>, String> {
    let sheet = Sheet::parse(text, dialect).map_err(|malformed| malformed.to_string())?;
    let scss = dialect == Dialect::Scss;
    let described = sheet.nodes.iter().filter_map(|node| {
        let what = match &node.kind {
            NodeKind::Rule { selector, .. } => format!("rule {}", plain(&text[selector.clone()], scss)),
            NodeKind::At { name, prelude, .. } => {
                let prelude = plain(&text[prelude.clone()], scss);
                format!("@{} {prelude}", &text[name.clone()]).trim().to_owned()
            }
            NodeKind::Declaration {
                property,
                value,
                important,
                ..
            } => {
                let important = if important.is_some() { " !important" } else { "" };
                format!(
                    "{}: {}{important}",
                    &text[property.clone()],
                    plain(&text[value.clone()], scss)
                )
            }
            NodeKind::Other { .. } => return None,
        };
        Some(format!("{} {what}", node.range.start))
    });
    Ok(described.collect())
}

#[test]
fn every_statement_stands_where_postcss_says() {
    let packages = oracle::packages("css", &PACKAGES);
    let mut files = oracle::files(&paths::checkout().join("editor/ui/src"), &[".css"]);
    files.extend(oracle::files(&paths::checkout().join("editor/kit"), &[".css"]));
    for package in ["bootstrap", "create-vite", "tailwindcss", "normalize.css"] {
        let sheets = oracle::files(&packages.join("node_modules").join(package), &[".css", ".scss"]);
        assert!(!sheets.is_empty(), "{package} has no stylesheets");
        files.extend(sheets);
    }
    // More to compare with: the folder of a repository.
    if let Some(folder) = std::env::var_os("GALLEY_CSS_CORPUS") {
        files.extend(oracle::files(Path::new(&folder), &[".css", ".scss"]));
    }
    let theirs = oracle::ask("css.mjs", &packages, &files);
    let (mut wrong, mut statements) = (Vec::new(), 0);
    for (file, theirs) in files.iter().zip(&theirs) {
        let text = fs::read_to_string(file).unwrap();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let name = file.to_string_lossy();
        let ours = ours(text, Dialect::of(&name).unwrap());
        let (Some(theirs), Ok(ours)) = (theirs["nodes"].as_array(), &ours) else {
            if theirs["nodes"].is_array() || ours.is_ok() {
                wrong.push(format!(
                    "{name}: {:?}, theirs {}",
                    ours.map(|_| "read"),
                    theirs["error"]
                ));
            }
            continue;
        };
        statements += ours.len();
        let differs = (0..ours.len().max(theirs.len()))
            .find(|at| ours.get(*at).map(String::as_str) != theirs.get(*at).and_then(|line| line.as_str()));
        if let Some(place) = differs {
            wrong.push(format!(
                "{name}: theirs {:?}, ours {:?}",
                theirs.get(place),
                ours.get(place)
            ));
        }
    }
    println!("{statements} statements of {} files compared", files.len());
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}
