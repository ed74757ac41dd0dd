//! The engine over a whole repository: stamps, then edits of every kind and shape, each checked from outside.

pub mod browser;
mod check;
mod edits;
mod folder;
mod lane;
mod proposals;
mod report;
mod stamps;

use std::path::Path;

pub use proposals::{Proposals, Repairs, Spoiled};
pub use report::Report;

/// How thorough a run is.
#[derive(Debug, Clone)]
pub struct Options {
    /// At most this many elements of each file are edited.
    pub sample: usize,
    /// The only kind of edits; all of them without it.
    pub kind: Option<String>,
    /// Whether each edit is proposed to the gate, too, as a model would, and then in the ways of bad models; and whether a model that
    /// is a script tries the texts that the engine refused.
    pub lane: bool,
    /// Whether each refusal and mistake is printed.
    pub verbose: bool,
}

/// Runs over all source files below `path`.
///
/// # Errors
/// When `path` is no folder, or holds no source file with elements.
pub fn run(path: &Path, options: &Options) -> Result<Report, String> {
    let folder = folder::Folder::read(path)?;
    let mut report = Report::default();
    stamps::measure(&folder, &mut report);
    if report.elements == 0 {
        return Err(format!(
            "{} holds no JSX, TSX or Vue file with an element",
            path.display()
        ));
    }
    edits::measure(&folder, options, &mut report);
    Ok(report)
}
