//! Calling cargo for WebAssembly modules, so that the same sources give the same bytes in every folder.
//!
//! What would differ from machine to machine is where things lie. Panic messages carry paths, so each such folder is
//! given a fixed name (`--remap-path-prefix`).

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::process::{cargo, run};
use crate::toolchain::{TARGET, Toolchain};

/// What separates flags in `CARGO_ENCODED_RUSTFLAGS`; paths may contain spaces.
const SEPARATOR: &str = "\x1f";

/// How modules are compiled. The keys are given to cargo, so that no plugin has to bring them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Small, fast, and the same in every folder.
    Release,
    /// Compiled again within a second or two, with the lines of the sources in backtraces.
    Dev,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "plugin",
            Self::Dev => "plugin-dev",
        }
    }

    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Release => &[
                "inherits=\"release\"",
                "opt-level=3",
                "lto=true",
                "codegen-units=1",
                "panic=\"abort\"",
                "strip=\"debuginfo\"",
            ],
            Self::Dev => &[
                "inherits=\"dev\"",
                "opt-level=1",
                "debug=\"line-tables-only\"",
                "panic=\"abort\"",
            ],
        }
    }
}

/// What a build shows of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// What cargo says.
    Shown,
    /// Warnings and errors only: another build beside it is shown.
    Quiet,
}

/// What is built.
#[derive(Clone, Debug)]
pub struct Build {
    /// Where cargo is called.
    pub folder: PathBuf,
    /// Where cargo would build to; modules have a folder of their toolchain's in it.
    pub target: PathBuf,
    /// The packages; none for the package of `folder`.
    pub packages: Vec<String>,
    /// Folders that would show in the modules, with the names they have there.
    pub names: Vec<(PathBuf, String)>,
    /// What is shown meanwhile.
    pub progress: Progress,
    /// How they are compiled.
    pub profile: Profile,
}

impl Build {
    /// Builds all packages in one call of cargo, and gives the folder the modules are in.
    pub fn run(&self, toolchain: &Toolchain) -> Result<PathBuf> {
        let target_dir = self.target.join(toolchain.target_folder());
        let flags = remap_flags(&places(&self.names, toolchain));

        let mut build = cargo();
        build.arg("build");
        if self.progress == Progress::Quiet {
            build.arg("--quiet");
        }
        if let Some(rustc) = &toolchain.rustc {
            // `-Zbuild-std` is what makes up for the library that Debian's packages have as source only; the variable lets
            // a stable cargo and compiler accept it.
            build
                .args(["-Zbuild-std=std,panic_abort"])
                .env("RUSTC", rustc)
                .env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(linker) = &toolchain.linker {
            build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        let profile = self.profile.name();
        for key in self.profile.keys() {
            build.arg("--config").arg(format!("profile.{profile}.{key}"));
        }
        build
            .args(["--target", TARGET, "--profile", profile, "--target-dir"])
            .arg(&target_dir);
        for package in &self.packages {
            build.args(["--package", package]);
        }
        build.current_dir(&self.folder);
        // Flags from the user's environment or configuration would change the bytes; this variable outranks them.
        build
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
            .env_remove("RUSTFLAGS")
            .env(
                "CARGO_INCREMENTAL",
                if self.profile == Profile::Dev { "1" } else { "0" },
            );
        build.stdout(std::io::stderr());
        // Cargo has said what is wrong, and its whole command line would hide that.
        if run(&mut build).is_err() {
            bail!("the plugin could not be built: see what cargo says above");
        }
        Ok(target_dir.join(TARGET).join(profile))
    }
}

/// A folder, and the name it has inside modules.
type Place = (PathBuf, String);

fn places(names: &[Place], toolchain: &Toolchain) -> Vec<Place> {
    let mut places = names.to_vec();
    let library = format!("/rustc/{}", toolchain.commit);
    places.extend(
        toolchain
            .library_sources
            .iter()
            .map(|source| (source.clone(), library.clone())),
    );
    if let Some(home) = cargo_home() {
        // The folders in here are named after the registry's address, which a mirror changes.
        let registries = home.join("registry/src");
        for entry in registries.read_dir().into_iter().flatten().flatten() {
            places.push((entry.path(), "/registry".to_owned()));
        }
        places.push((home, "/cargo".to_owned()));
    }
    let real: Vec<Place> = places
        .iter()
        .filter_map(|(path, name)| Some((path.canonicalize().ok()?, name.clone())))
        .filter(|place| !places.contains(place))
        .collect();
    places.extend(real);
    places
}

fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME")
        .filter(|home| !home.is_empty())
        .map(PathBuf::from);
    set.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// The compiler lets the last match win, so the deepest folders come last.
fn remap_flags(places: &[Place]) -> Vec<String> {
    let mut places: Vec<&Place> = places.iter().collect();
    places.sort_by_key(|(path, _)| (path.components().count(), path.clone()));
    places.dedup();
    places
        .iter()
        .map(|(path, name)| format!("--remap-path-prefix={}={name}", text(path)))
        .collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(places: &[(&str, &str)]) -> Vec<String> {
        let places: Vec<Place> = places
            .iter()
            .map(|(path, name)| (path.into(), (*name).to_owned()))
            .collect();
        remap_flags(&places)
    }

    #[test]
    fn the_deepest_folder_wins() {
        // A CARGO_HOME inside the checkout, as caches of build machines like to have it.
        let flags = flags(&[
            ("/src/.home/registry/src/mirror-1", "/registry"),
            ("/src/.home", "/cargo"),
            ("/src", "/galley"),
        ]);
        assert_eq!(
            flags,
            [
                "--remap-path-prefix=/src=/galley",
                "--remap-path-prefix=/src/.home=/cargo",
                "--remap-path-prefix=/src/.home/registry/src/mirror-1=/registry",
            ]
        );
    }

    #[test]
    fn a_folder_is_named_once() {
        assert_eq!(flags(&[("/a", "/x"), ("/a", "/x")]).len(), 1);
    }
}
