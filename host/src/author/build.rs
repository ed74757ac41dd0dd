//! `galley plugins build`: from a plugin's folder, or from a module that was built already, to a component.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use galley_build::modules::{Build, Profile, Progress};
use galley_build::package::Package;
use galley_build::toolchain::{self, Search};

use super::component::componentize;

/// A component that was built.
#[derive(Debug)]
pub struct Built {
    /// The file.
    pub file: PathBuf,
    /// Its bytes.
    pub wasm: Vec<u8>,
}

/// Builds the plugin in the folder `path`, or makes a component of the module `path`. Without `out` a plugin's component lies
/// beside cargo's other results, a module's beside the module.
pub fn build(path: &Path, out: Option<PathBuf>) -> anyhow::Result<Built> {
    let (module, beside) = if path.is_dir() {
        let package = Package::of(path)?;
        let module = module(&package, Profile::Release, Progress::Shown)?;
        (
            module,
            package.target.join("plugins").join(format!("{}.wasm", package.name)),
        )
    } else if path.exists() {
        (path.to_owned(), path.with_extension("component.wasm"))
    } else {
        bail!("{} does not exist", path.display());
    };
    let bytes = std::fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    let wasm = componentize(&module.display().to_string(), &bytes)?;
    let file = out.unwrap_or(beside);
    write(&file, &wasm)?;
    Ok(Built { file, wasm })
}

/// The component of a plugin that is being worked on.
pub fn quickly(package: &Package) -> anyhow::Result<Vec<u8>> {
    let module = module(package, Profile::Dev, Progress::Quiet)?;
    let bytes = std::fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    Ok(componentize(&module.display().to_string(), &bytes)?)
}

/// Builds the module of a plugin.
fn module(package: &Package, profile: Profile, progress: Progress) -> anyhow::Result<PathBuf> {
    let toolchain = toolchain::ensure(Search {
        program: "galley",
        install: None,
    })?;
    let sdk = |folder: &PathBuf| (folder.clone(), "/galley".to_owned());
    let build = Build {
        folder: package.folder.clone(),
        target: package.target.clone(),
        packages: vec![package.name.clone()],
        names: package
            .sources
            .iter()
            .filter(|folder| **folder != package.folder)
            .map(sdk)
            .collect(),
        progress,
        profile,
    };
    Ok(build.run(&toolchain)?.join(format!("{}.wasm", package.module)))
}

/// Writes the file as a whole: a server that watches it never sees half of it.
fn write(file: &Path, wasm: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", file.display());
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(cannot)?;
    // Not a temporary file, which nobody else could read afterwards.
    let draft = file.with_extension(format!("draft-{}", std::process::id()));
    let written = std::fs::write(&draft, wasm).and_then(|()| std::fs::rename(&draft, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written.with_context(cannot)
}
