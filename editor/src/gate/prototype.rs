//! What is known of a repository once it may be worked on.

use std::path::PathBuf;

use super::framework::Framework;
use super::modules::{self, MissingModule};
use super::package::Package;

/// A repository that passed the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prototype {
    /// The folder the Editor was pointed at, absolute and without symbolic links.
    pub root: PathBuf,
    /// The top folder of its git work tree; the same as `root` unless it lies in a monorepo.
    pub git_root: PathBuf,
    /// The file `HEAD` of that work tree.
    pub head: PathBuf,
    /// What its components are written with.
    pub framework: Framework,
    /// Its `package.json`.
    pub package: Package,
}

impl Prototype {
    /// What people call it: the package's name, or else the folder's.
    #[must_use]
    pub fn name(&self) -> String {
        let folder = || self.root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.package.name.clone().unwrap_or_else(folder)
    }

    /// Whether the dependencies look installed: some `node_modules` holds the framework, or Yarn's Plug'n'Play is used.
    #[must_use]
    pub fn is_installed(&self) -> bool {
        modules::has_plug_and_play([&self.root, &self.git_root])
            || modules::is_installed(&self.root, self.framework.id())
    }

    /// The version of an installed package.
    #[must_use]
    pub fn installed_version(&self, package: &str) -> Option<String> {
        modules::installed_version(&self.root, package)
    }

    /// What its bundler configurations import and Node would probably not find. The dev server has the last word: this is
    /// for telling people before anything is started.
    #[must_use]
    pub fn missing_modules(&self) -> Vec<MissingModule> {
        if modules::has_plug_and_play([&self.root, &self.git_root]) {
            return Vec::new();
        }
        modules::missing(&self.root)
    }
}
