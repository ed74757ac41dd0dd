//! The reasons not to start, in the words people see, and the exit code of each.

use std::path::PathBuf;

use super::Operation;

/// Why the Editor does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The path does not exist. Holds it in full.
    #[error("Repo path not found: {}", .0.display())]
    PathNotFound(PathBuf),
    /// The path is a file.
    #[error("Repo path not found: {} (it is a file; name the prototype's folder)", .0.display())]
    NotAFolder(PathBuf),
    /// Not a prototype the Editor can work on; always one line.
    #[error("Repo not supported by Editor: {0}")]
    Unsupported(#[from] Unsupported),
    /// Git does not find a repository, or one without a commit. Holds git's own text, and what to do.
    #[error("Could not read .git directory: {text}\n{remedy}")]
    Git {
        /// What git said.
        text: String,
        /// The way out.
        remedy: &'static str,
    },
    /// Something was begun with git and neither finished nor given up.
    #[error("This repository has in-progress git operations: {}", Operation::describe(.0))]
    InProgress(Vec<Operation>),
    /// The interface was not built, or lies elsewhere.
    #[error(
        "Editor UI bundle not found at {} (build it with `npm run build:ui` in the folder editor/ of Galley, or name its folder with --ui DIR)",
        .0.display()
    )]
    NoInterface(PathBuf),
    /// The script that is added to the prototype is missing.
    #[error(
        "Bridge bundle not found at {} (restore dist/bridge-bundle.js from git, rebuild it with `npm run build:bridge` in the folder editor/ of Galley, or name it with --bridge FILE)",
        .0.display()
    )]
    NoBridge(PathBuf),
}

impl Refused {
    /// The program's exit code: 3 for a repository that cannot be supported, else 1.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Refused::Unsupported(_) => 3,
            _ => 1,
        }
    }
}

/// The four reasons why a repository is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// Vue of another major version than 3.
    #[error("Vue is at major {major}; only version 3 supported ({found})")]
    VueMajor {
        /// The major version.
        major: u64,
        /// Where that was read.
        found: String,
    },
    /// Neither Vue nor React.
    #[error("{} has neither of the two supported framework dependencies, react or vue{hint}", file.display())]
    NoFramework {
        /// The `package.json`.
        file: PathBuf,
        /// Where to look instead; empty or beginning with its own separator.
        hint: String,
    },
    /// No `package.json`; holds the folder.
    #[error("No package.json at {} (name the folder of the prototype itself)", .0.display())]
    NoPackage(PathBuf),
    /// A `package.json` that cannot be read.
    #[error("Failed to parse {}: {reason}", file.display())]
    BrokenPackage {
        /// The `package.json`.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
