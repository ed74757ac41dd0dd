//! Is this a supported repository, in a fit state? Everything that is checked before anything is started, with the words
//! and the exit code for each reason to stop.
//!
//! Reading only: no file of the prototype is changed, and none of its code is run.

mod framework;
mod git;
pub mod looking;
mod modules;
mod monorepo;
mod package;
mod refused;
mod version;

use std::path::{Component, Path, PathBuf};

pub use framework::Framework;
pub use git::{Operation, git};
pub use modules::{MissingModule, missing_modules};
pub use package::{Package, Section};
pub use refused::{Refused, Unsupported};

/// A repository that passed the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prototype {
    /// The folder the Editor was pointed at, absolute and without symbolic links.
    pub root: PathBuf,
    /// The top folder of its git work tree; the same as `root` unless it lies in a monorepo.
    pub git_root: PathBuf,
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
        modules::has_plug_and_play(self) || modules::is_installed(&self.root, self.framework.id())
    }

    /// The version of an installed package.
    #[must_use]
    pub fn installed_version(&self, package: &str) -> Option<String> {
        modules::installed_version(&self.root, package)
    }
}

/// Checks the folder at `path`, which may be relative to the current working directory.
///
/// # Errors
/// With the first reason not to start.
pub fn check(path: &Path) -> Result<Prototype, Refused> {
    let asked = absolute(path);
    let root = asked.canonicalize().map_err(|_| Refused::PathNotFound(asked.clone()))?;
    if !root.is_dir() {
        return Err(Refused::NotAFolder(asked));
    }
    let package = Package::read(&root)?;
    let framework = framework::detect(&root, &package)?;
    let answers = git::ask(&root)?;
    if !answers.operations.is_empty() {
        return Err(Refused::InProgress(answers.operations));
    }
    Ok(Prototype {
        root,
        git_root: answers.root,
        framework,
        package,
    })
}

/// The path as people would write it in full: relative to the working directory, without `.` and `..`.
fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_in_full_without_dots() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert!(absolute(Path::new("prototype")).is_absolute());
    }
}
