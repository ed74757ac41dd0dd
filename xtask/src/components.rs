//! Plugins and test guests: which there are, whether they are stale, and having components made of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use galley_build::modules::{Build, Profile, Progress};
use galley_build::process::{command, read};

use crate::paths::Checkout;
use crate::program::compiler_for_plugins;
use crate::stamp::{Key, Stamp, sha256};

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

/// How modules and components are made counts as a source too.
const RECIPE: [&str; 2] = ["sdk/build/src", "host/src/author/component.rs"];

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
        "plugins/comments",
        "sdk",
        "wit",
        "Cargo.toml",
        "Cargo.lock",
    ],
    named_after_slot: false,
};

/// The modules of a set, and the components they are to become.
pub struct Modules<'c> {
    checkout: &'c Checkout,
    set: &'c Set,
    out: PathBuf,
    outputs: Vec<PathBuf>,
    /// In the order of `outputs`; nothing where those are current.
    built: Option<(Vec<PathBuf>, String)>,
}

/// Brings the components in `out` up to date and gives their paths; `program` is the server, which makes them. Below
/// `target/`, components of guests that are no more are removed; a folder of the user's is not ours to clean.
pub fn ensure(checkout: &Checkout, set: &Set, out: &Path, program: &Path) -> Result<Vec<PathBuf>> {
    modules(checkout, set, out, Progress::Shown)?.componentize(program)
}

/// The first half of [`ensure`], for which no program is needed.
pub fn modules<'c>(checkout: &'c Checkout, set: &'c Set, out: &Path, progress: Progress) -> Result<Modules<'c>> {
    let guests = list(checkout, set)?;
    let outputs: Vec<PathBuf> = guests
        .iter()
        .map(|guest| out.join(format!("{}.wasm", guest.name)))
        .collect();
    if out.starts_with(checkout.target()) {
        remove_others(out, &outputs)?;
    }
    let mut modules = Modules {
        checkout,
        set,
        out: out.to_owned(),
        outputs,
        built: None,
    };
    if guests.is_empty() {
        return Ok(modules);
    }
    let toolchain = compiler_for_plugins()?;
    let facts = [toolchain.way.name(), &toolchain.version, include_str!("components.rs")];
    let key = Key::of(&facts)
        .sources(checkout.root(), set.sources)?
        .sources(checkout.root(), &RECIPE)?
        .hex();
    if modules.stamp().is_current(&key) && modules.outputs.iter().all(|path| path.is_file()) {
        return Ok(modules);
    }
    toolchain.announce("xtask");
    let build = Build {
        folder: checkout.root().to_owned(),
        target: checkout.target().to_owned(),
        packages: guests.iter().map(|guest| guest.package.clone()).collect(),
        names: vec![
            (checkout.root().to_owned(), "/galley".to_owned()),
            (checkout.target().to_owned(), "/galley/target".to_owned()),
        ],
        progress,
        profile: Profile::Release,
    };
    let folder = build.run(&toolchain)?;
    let built = guests.iter().map(|guest| folder.join(format!("{}.wasm", guest.module)));
    modules.built = Some((built.collect(), key));
    Ok(modules)
}

impl Modules<'_> {
    /// Lets the server's program make components of what was built, and gives their paths.
    pub fn componentize(self, program: &Path) -> Result<Vec<PathBuf>> {
        let stamp = self.stamp();
        let Some((modules, key)) = self.built else {
            return Ok(self.outputs);
        };
        for (module, output) in modules.iter().zip(&self.outputs) {
            let mut galley = command(program);
            galley.args(["plugins", "build", "--out"]).arg(output).arg(module);
            read(&mut galley).with_context(|| format!("{} could not be made a component", module.display()))?;
        }
        stamp.write(&key, &self.outputs)?;
        let (count, name) = (self.outputs.len(), self.set.name);
        eprintln!("xtask: {count} {name} in {}", self.checkout.show(&self.out));
        Ok(self.outputs)
    }

    fn stamp(&self) -> Stamp {
        let name = format!("{}-{}", self.set.name.replace(' ', "-"), short_name(&self.out));
        Stamp::new(&self.checkout.stamps(), &name)
    }
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
}
