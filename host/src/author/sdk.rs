//! `galley sdk`: writing the SDK and the contract, as this program speaks it, into a folder that plugins depend on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use toml::{Table, Value};

use super::carried;

/// The crates of the SDK: the first is the one plugins name.
const CRATES: [&str; 6] = [
    "sdk",
    "sdk/manifest",
    "sdk/people",
    "sdk/postgres",
    "sdk/rows",
    "sdk/sql",
];
/// The folders that are written anew each time.
const FOLDERS: [&str; 2] = ["sdk", "wit"];
/// The first line of the workspace, by which a folder is known again.
const HEAD: &str = "# Written by `galley sdk`, which writes it anew: changes in here are lost.\n";

/// Writes the SDK into `folder`, which is new, empty, or an SDK that was written before.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let workspace = folder.join("Cargo.toml");
    let is_sdk = fs::read_to_string(&workspace).is_ok_and(|text| text.starts_with(HEAD));
    let has_files = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if has_files && !is_sdk {
        bail!(
            "{} has files in it that are not an SDK's: name a new folder, as `galley sdk galley-sdk`",
            folder.display()
        );
    }
    for part in FOLDERS {
        match fs::remove_dir_all(folder.join(part)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot replace {}", folder.join(part).display()));
            }
            _ => {}
        }
        for (name, bytes) in carried::below(part).filter(|(name, _)| !is_template(name)) {
            put(&folder.join(part).join(name), bytes)?;
        }
    }
    let mut used = BTreeSet::new();
    for name in CRATES {
        let path = format!("{name}/Cargo.toml");
        let manifest = without_tests(carried::text(&path).unwrap_or_default())?;
        used.extend(inherited(&manifest));
        put(&folder.join(path), toml::to_string(&manifest)?.as_bytes())?;
    }
    put(&workspace, format!("{HEAD}{}", self::workspace(&used)?).as_bytes())
}

fn is_template(name: &str) -> bool {
    name.split('/').any(|folder| folder == "template")
}

/// The manifest of a crate without what only its own tests need.
fn without_tests(text: &str) -> anyhow::Result<Table> {
    let mut manifest: Table = text.parse()?;
    manifest.remove("dev-dependencies");
    Ok(manifest)
}

/// The names of dependencies whose versions stand in the workspace.
fn inherited(manifest: &Table) -> Vec<String> {
    let mut names = Vec::new();
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets
        .into_iter()
        .flatten()
        .filter_map(|(_, target)| target.as_table());
    for table in std::iter::once(manifest).chain(tables) {
        let dependencies = table.get("dependencies").and_then(Value::as_table);
        names.extend(dependencies.into_iter().flatten().map(|(name, _)| name.clone()));
    }
    names
}

/// The workspace of the SDK: the project's, with what its crates inherit.
fn workspace(used: &BTreeSet<String>) -> anyhow::Result<String> {
    let project: Table = carried::text("Cargo.toml").unwrap_or_default().parse()?;
    let project = project
        .get("workspace")
        .and_then(Value::as_table)
        .context("no workspace")?;
    let mut workspace = Table::new();
    workspace.insert("members".to_owned(), Value::from(CRATES.to_vec()));
    for key in ["resolver", "package", "lints"] {
        if let Some(value) = project.get(key) {
            workspace.insert(key.to_owned(), value.clone());
        }
    }
    let mut versions = project
        .get("dependencies")
        .and_then(Value::as_table)
        .cloned()
        .unwrap_or_default();
    versions.retain(|name, _| used.contains(name));
    workspace.insert("dependencies".to_owned(), Value::Table(versions));
    Ok(toml::to_string(&Table::from_iter([(
        "workspace".to_owned(),
        Value::Table(workspace),
    )]))?)
}

/// Writes a file and the folders on its way.
pub(super) fn put(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).with_context(cannot)?;
    fs::write(file, bytes).with_context(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sdk_stands_alone_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let sdk = folder.path().join("galley-sdk");
        write(&sdk).unwrap();
        fs::write(sdk.join("sdk/src/stray.rs"), "").unwrap();
        write(&sdk).unwrap();
        assert!(!sdk.join("sdk/src/stray.rs").exists());
        assert!(sdk.join("wit/README.md").is_file() && !sdk.join("sdk/template").exists());
        assert!(sdk.join("sdk/js/galley.js").is_file() && !sdk.join("sdk/js/template").exists());
        let workspace: Table = fs::read_to_string(sdk.join("Cargo.toml")).unwrap().parse().unwrap();
        let versions = workspace["workspace"]["dependencies"].as_table().unwrap();
        assert!(versions.contains_key("wit-bindgen") && !versions.contains_key("wasmtime"));
        let manifest = fs::read_to_string(sdk.join("sdk/Cargo.toml")).unwrap();
        assert!(!manifest.contains("guard-table"), "{manifest}");
    }

    #[test]
    fn a_folder_with_other_files_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"mine\"\n").unwrap();
        let error = write(folder.path()).unwrap_err().to_string();
        assert!(error.contains("not an SDK's"), "{error}");
        assert!(!folder.path().join("sdk").exists());
    }
}
