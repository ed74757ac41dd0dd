//! What cargo knows of the folder of a plugin.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{cargo, read};

/// The package of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The file name of the module cargo builds, without extension.
    pub module: String,
    /// The folder of its Cargo.toml.
    pub folder: PathBuf,
    /// The folder cargo builds to.
    pub target: PathBuf,
    /// Folders of the packages it takes from the disk, its own among them: the sources to watch.
    pub sources: Vec<PathBuf>,
}

impl Package {
    /// The package in `folder`, which has to make a library that can become a component.
    pub fn of(folder: &Path) -> Result<Self> {
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            bail!(
                "{} is no folder of a plugin: there is no Cargo.toml in it. `galley plugins new NAME` makes one",
                folder.display()
            );
        }
        let manifest = manifest.canonicalize()?;
        let mut metadata = cargo();
        metadata.args(["metadata", "--format-version", "1", "--manifest-path"]);
        let text = read(metadata.arg(&manifest)).with_context(|| format!("cargo cannot read {}", folder.display()))?;
        Self::from_metadata(
            &manifest,
            &serde_json::from_str(&text).context("cargo's answer is no JSON")?,
        )
    }

    fn from_metadata(manifest: &Path, metadata: &Value) -> Result<Self> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let packages = list(&metadata["packages"]);
        let is_it = |package: &&Value| package["manifest_path"].as_str().map(Path::new) == Some(manifest);
        let package = packages
            .iter()
            .find(is_it)
            .with_context(|| format!("{} is of a workspace without a package of its own", manifest.display()))?;
        let name = text(&package["name"]);
        let targets = list(&package["targets"]);
        let becomes = |target: &&Value| list(&target["crate_types"]).iter().any(|kind| kind == "cdylib");
        let Some(library) = targets.iter().find(becomes) else {
            bail!(
                "the package `{name}` makes no component: give its Cargo.toml a [lib] with crate-type = [\"cdylib\", \"rlib\"]"
            );
        };
        let on_disk = packages.iter().filter(|package| package["source"].is_null());
        Ok(Self {
            module: text(&library["name"]).replace('-', "_"),
            folder: folder_of(manifest),
            target: PathBuf::from(text(&metadata["target_directory"])),
            sources: on_disk
                .map(|package| folder_of(Path::new(&text(&package["manifest_path"]))))
                .collect(),
            name,
        })
    }
}

fn folder_of(manifest: &Path) -> PathBuf {
    manifest.parent().unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata(crate_type: &str) -> Value {
        json!({
            "target_directory": "/x/target",
            "packages": [
                { "name": "serde", "manifest_path": "/cargo/serde/Cargo.toml", "source": "registry", "targets": [] },
                { "name": "galley-sdk", "manifest_path": "/sdk/Cargo.toml", "source": null, "targets": [] },
                { "name": "check-list", "manifest_path": "/x/Cargo.toml", "source": null,
                  "targets": [{ "name": "check-list", "crate_types": [crate_type, "rlib"] }] },
            ],
        })
    }

    #[test]
    fn a_package_names_its_module_and_its_sources() {
        let package = Package::from_metadata(Path::new("/x/Cargo.toml"), &metadata("cdylib")).unwrap();
        assert_eq!(
            (package.name.as_str(), package.module.as_str()),
            ("check-list", "check_list")
        );
        assert_eq!(package.target, Path::new("/x/target"));
        assert_eq!(package.sources, [Path::new("/sdk"), Path::new("/x")]);
    }

    #[test]
    fn a_package_that_makes_no_component_says_what_is_missing() {
        let error = Package::from_metadata(Path::new("/x/Cargo.toml"), &metadata("lib")).unwrap_err();
        assert!(error.to_string().contains("cdylib"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let error = Package::of(folder.path()).unwrap_err().to_string();
        assert!(error.contains("galley plugins new"), "{error}");
    }
}
