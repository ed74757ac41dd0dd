//! Other people's parsers, to compare ours with: npm packages installed once below `target`, asked by scripts in
//! `tests/editor/oracles`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use galley_harness::node;
use serde_json::Value;

use crate::{once, paths};

/// A folder with exactly these packages (`name@version`) in its `node_modules`.
///
/// # Panics
/// When npm cannot install them.
#[must_use]
pub fn packages(name: &str, packages: &[&str]) -> PathBuf {
    install(name, packages, &[])
}

/// The same without what these packages need on some machines only.
///
/// # Panics
/// When npm cannot install them.
#[must_use]
pub fn lean(name: &str, packages: &[&str]) -> PathBuf {
    install(name, packages, &["--omit=optional"])
}

fn install(name: &str, packages: &[&str], options: &[&str]) -> PathBuf {
    let folder = paths::cache("oracles").join(name);
    // Tests run beside each other, and one installation is enough.
    let _turn = once::turn(&folder);
    let (mark, wanted) = (folder.join("installed"), packages.join("\n"));
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return folder;
    }
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    let manifest = r#"{ "name": "oracle", "private": true }"#;
    std::fs::write(folder.join("package.json"), manifest).expect("the target folder is writable");
    let mut arguments = vec!["install", "--ignore-scripts"];
    arguments.extend(options);
    arguments.extend(packages);
    node::npm(&folder, &arguments);
    std::fs::write(mark, wanted).expect("the target folder is writable");
    folder
}

/// Runs a script of `tests/editor/oracles` with the folder of its packages and a list of files, and gives what it printed: one
/// JSON value for each line.
///
/// # Panics
/// When the script fails, with what it said.
#[must_use]
pub fn ask(script: &str, packages: &Path, files: &[PathBuf]) -> Vec<Value> {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut list = tempfile::NamedTempFile::new().expect("temporary files can be made");
    list.write_all(names.join("\n").as_bytes())
        .expect("temporary files can be written");
    let mut node = Command::new("node");
    node.arg(paths::checkout().join("tests/editor/oracles").join(script));
    let output = node.arg(packages).arg(list.path()).output().expect("Node is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} ended with {}: {said}", output.status);
    let lines = String::from_utf8(output.stdout).expect("it prints UTF-8");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("it prints JSON"))
        .collect()
}

/// All files below `folder` whose names have one of these endings, sorted; `node_modules` of its own are left out.
#[must_use]
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && name != "node_modules" {
                open.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
