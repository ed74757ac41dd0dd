//! Is this a supported repository, in a fit state? Everything that is checked before anything is started, with the words
//! and the exit code for each reason to stop.
//!
//! Reading only: no file of the prototype is changed, and none of its code is run.

mod framework;
mod git;
pub mod looking;
mod modules;
mod monorepo;
mod operation;
mod package;
mod prototype;
mod refused;
mod version;

use std::path::{Component, Path, PathBuf};

pub use framework::Framework;
pub use git::git;
pub use modules::MissingModule;
pub use operation::Operation;
pub use package::{Package, Section};
pub use prototype::Prototype;
pub use refused::{Refused, Unsupported};

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
        head: answers.head,
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
