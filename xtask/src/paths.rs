//! Where things lie in a checkout. Every other module asks here instead of joining paths by itself.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// A checkout of the project and the folder its builds go to.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
    target: PathBuf,
}

impl Checkout {
    /// The checkout xtask was compiled in, or `root` when one is given. `CARGO_TARGET_DIR` moves its `target/`, but only
    /// for the own checkout: two checkouts must not share a folder of stamps.
    pub fn find(root: Option<PathBuf>) -> Result<Self> {
        let (root, target) = match root {
            Some(root) => (std::path::absolute(root)?, None),
            None => (
                own_root(),
                std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()),
            ),
        };
        if !root.join("Cargo.toml").is_file() || !root.join("wit").is_dir() {
            bail!(
                "{} is no checkout of the project (it has no Cargo.toml and wit/)",
                root.display()
            );
        }
        let target = match target {
            Some(dir) => std::path::absolute(dir)?,
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    /// The top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the top folder.
    pub fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Where cargo builds to.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The folder a development server runs from: `plugins/`, `dashboard/` and `dist/bridge-bundle.js` as beside an
    /// installed program.
    pub fn run_folder(&self) -> PathBuf {
        self.target.join("galley")
    }

    /// The components of the run folder.
    pub fn plugins(&self) -> PathBuf {
        self.run_folder().join("plugins")
    }

    /// The bridge of the run folder.
    pub fn bridge(&self) -> PathBuf {
        self.run_folder().join("dist/bridge-bundle.js")
    }

    /// The server's pages of the run folder.
    pub fn dashboard(&self) -> PathBuf {
        self.run_folder().join("dashboard")
    }

    /// The interface of the Editor, as its own build leaves it.
    pub fn editor_ui(&self) -> PathBuf {
        self.at("editor/ui/dist")
    }

    /// The hostile little plugins of `tests/guests`, for tests and benchmarks only.
    pub fn test_guests(&self) -> PathBuf {
        self.run_folder().join("test-guests")
    }

    /// The packages of PostgreSQL 18.
    pub fn postgres_18(&self) -> PathBuf {
        self.run_folder().join("postgres-18")
    }

    /// What was made from which sources.
    pub fn stamps(&self) -> PathBuf {
        self.run_folder().join("stamps")
    }

    /// The folder `build --release` leaves: it runs by itself, wherever it is copied to.
    pub fn dist(&self) -> PathBuf {
        self.target.join("dist")
    }

    /// The debug information of the programs in [`Self::dist`], which they run without.
    pub fn dist_debug(&self) -> PathBuf {
        self.target.join("dist-debug")
    }

    /// A program cargo built, in the folder of `profile` (`debug` or `release`).
    pub fn program(&self, profile: &str, name: &str) -> PathBuf {
        self.target
            .join(profile)
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// `path` as it reads best in a message: relative to the checkout where that is possible.
    pub fn show<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

/// The parent of xtask's own package. `cargo run` says where that is; a program started by hand remembers where it was
/// compiled (which is somewhere else when a checkout was copied together with its `target/`).
fn own_root() -> PathBuf {
    let said = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .filter(|dir| dir.ends_with("xtask"));
    let package = said.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    package.parent().unwrap_or(Path::new(".")).to_path_buf()
}
