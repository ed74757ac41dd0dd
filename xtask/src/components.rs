//! Plugins and test guests: which there are, whether they are stale, and making components of the built modules.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wit_component::ComponentEncoder;

use crate::guests::{Progress, build_modules};
use crate::paths::Checkout;
use crate::stamp::{Key, Stamp, sha256, write_if_changed};
use crate::toolchain;

/// One crate that becomes one component.
#[derive(Debug, PartialEq, Eq)]
pub struct Guest {
    /// The name of its folder, and of the component. For a plugin this is its slot.
    pub name: String,
    /// The cargo package.
    pub package: String,
    /// The file name of the module cargo builds, without extension.
    pub module: String,
}

/// A folder of guests and what they are built from.
pub struct Set {
    /// For messages and stamps.
    name: &'static str,
    folder: &'static str,
    sources: &'static [&'static str],
    /// Whether a package has to be called after its folder: a plugin's folder is its slot.
    named_after_slot: bool,
}

/// The plugins that come with Galley.
pub const PLUGINS: Set = Set {
    name: "plugins",
    folder: "plugins",
    sources: &["plugins", "sdk", "wit", "Cargo.toml", "Cargo.lock"],
    named_after_slot: true,
};

/// The misbehaving guests the tests contain.
pub const TEST_GUESTS: Set = Set {
    name: "test guests",
    folder: "tests/guests",
    sources: &[
        "tests/guests",
        "tests/guard-table",
        "sdk",
        "wit",
        "Cargo.toml",
        "Cargo.lock",
    ],
    named_after_slot: false,
};

/// Brings the components in `out` up to date and gives their paths. Below `target/`, components of guests that are no
/// more are removed; a folder of the user's is not ours to clean.
pub fn ensure(checkout: &Checkout, set: &Set, out: &Path) -> Result<Vec<PathBuf>> {
    ensure_with(checkout, set, out, Progress::Shown)
}

/// The same, with a choice of what is shown meanwhile.
pub fn ensure_with(checkout: &Checkout, set: &Set, out: &Path, progress: Progress) -> Result<Vec<PathBuf>> {
    let guests = list(checkout, set)?;
    let outputs: Vec<PathBuf> = guests
        .iter()
        .map(|guest| out.join(format!("{}.wasm", guest.name)))
        .collect();
    if out.starts_with(checkout.target()) {
        remove_others(out, &outputs)?;
    }
    if guests.is_empty() {
        return Ok(outputs);
    }
    let toolchain = toolchain::ensure(checkout)?;
    // The recipe counts as a source too.
    let recipe = [include_str!("guests.rs"), include_str!("components.rs")];
    let facts = [toolchain.way.name(), &toolchain.version, recipe[0], recipe[1]];
    let key = Key::of(&facts).sources(checkout.root(), set.sources)?.hex();
    let stamp = Stamp::new(
        &checkout.stamps(),
        &format!("{}-{}", set.name.replace(' ', "-"), short_name(out)),
    );
    if stamp.is_current(&key) && outputs.iter().all(|path| path.is_file()) {
        return Ok(outputs);
    }
    toolchain.announce();
    let packages: Vec<String> = guests.iter().map(|guest| guest.package.clone()).collect();
    let modules = build_modules(checkout, &toolchain, &packages, progress)?;
    for (guest, output) in guests.iter().zip(&outputs) {
        let module = modules.join(format!("{}.wasm", guest.module));
        let component = encode(&module).with_context(|| format!("{} could not be made a component", guest.package))?;
        write_if_changed(output, &component)?;
    }
    stamp.write(&key, &outputs)?;
    eprintln!("xtask: {} {} in {}", guests.len(), set.name, checkout.show(out));
    Ok(outputs)
}

/// The guests of `set`, sorted by name; none when the folder does not exist.
pub fn list(checkout: &Checkout, set: &Set) -> Result<Vec<Guest>> {
    let folder = checkout.at(set.folder);
    let mut guests = Vec::new();
    for entry in folder.read_dir().into_iter().flatten() {
        let manifest = entry?.path().join("Cargo.toml");
        if manifest.is_file() {
            let text = fs::read_to_string(&manifest)?;
            let slot = manifest
                .parent()
                .and_then(Path::file_name)
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            guests.push(guest(slot, &text, set.named_after_slot).with_context(|| manifest.display().to_string())?);
        }
    }
    guests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(guests)
}

fn guest(name: String, manifest: &str, named_after_slot: bool) -> Result<Guest> {
    let manifest: toml::Table = manifest.parse()?;
    let field = |table: &str, key: &str| manifest.get(table)?.get(key)?.as_str().map(str::to_owned);
    let package = field("package", "name").context("the package has no name")?;
    if named_after_slot && package != format!("galley-{name}") {
        bail!("the package of slot `{name}` must be called `galley-{name}`, not `{package}`");
    }
    let module = field("lib", "name").unwrap_or_else(|| package.replace('-', "_"));
    Ok(Guest { name, package, module })
}

/// One stamp for each folder that components are put into.
fn short_name(out: &Path) -> String {
    sha256(out.as_os_str().as_encoded_bytes())[..8].to_owned()
}

fn encode(module: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    ComponentEncoder::default().validate(true).module(&bytes)?.encode()
}

fn remove_others(out: &Path, outputs: &[PathBuf]) -> Result<()> {
    for entry in out.read_dir().into_iter().flatten() {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") && !outputs.contains(&path) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugins_package_is_named_after_its_slot() {
        let good = guest("notes".into(), "[package]\nname = \"galley-notes\"", true).unwrap();
        assert_eq!(good.module, "galley_notes");
        let error = guest("notes".into(), "[package]\nname = \"notes\"", true)
            .unwrap_err()
            .to_string();
        assert!(error.contains("must be called `galley-notes`"), "{error}");
        assert_eq!(
            guest("loops".into(), "[package]\nname = \"guest-loops\"", false)
                .unwrap()
                .package,
            "guest-loops"
        );
    }

    #[test]
    fn a_library_may_have_its_own_name() {
        let text = "[package]\nname = \"galley-notes\"\n[lib]\nname = \"other\"";
        assert_eq!(guest("notes".into(), text, true).unwrap().module, "other");
    }

    #[test]
    fn only_components_of_guests_that_are_gone_are_removed() {
        let out = tempfile::tempdir().unwrap();
        for name in ["kept.wasm", "gone.wasm", "bundled.json"] {
            fs::write(out.path().join(name), name).unwrap();
        }
        remove_others(out.path(), &[out.path().join("kept.wasm")]).unwrap();
        assert!(out.path().join("kept.wasm").is_file() && out.path().join("bundled.json").is_file());
        assert!(!out.path().join("gone.wasm").exists());
    }

    #[test]
    fn a_core_module_that_is_no_plugin_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("x.wasm");
        fs::write(&module, b"not wasm").unwrap();
        assert!(encode(&module).is_err());
    }
}
