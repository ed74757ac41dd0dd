//! Stamping on one core: ours, and the same by Babel's parser with magic-string.

use std::time::{Duration, Instant};

use galley_editor::stamp;
use galley_harness::table::Row;

use crate::{oracle, paths};

/// What reads JSX besides us, with the templates it is read from. Exactly these, so that a new release is met on purpose.
pub const PACKAGES: [&str; 4] = [
    "@babel/parser@7.29.14",
    "create-vite@9.3.0",
    "create-next-app@16.4.3",
    "magic-string@1.4.5",
];

/// Both sides take turns; the best turn of each counts, because a busy machine only ever makes things slower.
const TURNS: u32 = 5;

pub fn measure() -> Vec<Row> {
    let packages = oracle::packages("jsx", &PACKAGES);
    let mut files = oracle::files(&paths::checkout().join("editor/ui/src"), &[".tsx"]);
    for package in ["create-vite", "create-next-app"] {
        files.extend(oracle::files(
            &packages.join("node_modules").join(package),
            &[".jsx", ".tsx"],
        ));
    }
    if let Some(folder) = std::env::var_os("GALLEY_JSX_CORPUS") {
        files.extend(oracle::files(folder.as_ref(), &[".jsx", ".tsx"]));
    }
    let texts: Vec<(String, String)> = files
        .iter()
        .filter_map(|file| Some((file.to_string_lossy().into_owned(), std::fs::read_to_string(file).ok()?)))
        .collect();
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    let (mut elements, mut counted) = (0, 0);
    for _ in 0..TURNS {
        let started = Instant::now();
        elements = texts
            .iter()
            .map(|(path, text)| stamp::stamp(path, text).map_or(0, |stamped| stamped.elements))
            .sum();
        ours = ours.min(started.elapsed());
        let answer = oracle::ask("stamp.mjs", &packages, &files);
        let took = answer[0]["milliseconds"].as_f64().unwrap_or(f64::MAX);
        counted = answer[0]["elements"].as_u64().unwrap_or(0);
        theirs = theirs.min(Duration::from_secs_f64(took / 1000.0));
    }
    let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    vec![
        Row {
            what: "Editor: stamping source files, one core".into(),
            goal: "≥ 100 MB/s",
            result: format!("{:.0} MB/s", speed(ours)),
            detail: format!("{} files, {elements} elements, {} KB", texts.len(), bytes / 1000),
            reached: Some(speed(ours) >= 100.0),
        },
        Row {
            what: "Editor: stamping ÷ the same with @babel/parser".into(),
            goal: "≥ 20",
            result: format!("{ratio:.0}"),
            detail: format!(
                "{:.1} MB/s with @babel/parser and magic-string ({counted} elements)",
                speed(theirs)
            ),
            reached: Some(ratio >= 20.0),
        },
    ]
}
