//! Why a file could not be read or written. The API maps these to statuses; the texts are for people.

use std::io;
use std::path::{Path, PathBuf};

use super::entry::Written;
use super::paths::BadPath;

/// What went wrong with the files of a prototype.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// Somebody else changed a file meanwhile.
    #[error("{0} changed on disk meanwhile: look at it again, then repeat the step")]
    Changed(String),
    /// There is no edit left to take back.
    #[error("There is nothing to undo")]
    NothingToUndo,
    /// No edit was taken back.
    #[error("There is nothing to redo")]
    NothingToRedo,
    /// Somebody else changed what a step changed, so that the way back is not certain.
    #[error("{path} changed since “{title}”: {why}. You can skip this step, or look at what changed")]
    Blocked {
        /// The step.
        id: String,
        /// What it is called.
        title: String,
        /// The first file that stands in the way.
        path: String,
        /// How it does.
        why: String,
        /// What the step left there, and what stands there now, where the former is known.
        files: Box<Option<Written>>,
    },
    /// A later step of the history changed the same place.
    #[error("“{later}” changed the same place of {path} later: undo that first")]
    Overlap {
        /// The file.
        path: String,
        /// The title of the later step.
        later: String,
        /// The later step.
        later_id: String,
    },
    /// The history has no such step, or it is not done.
    #[error("The history has no step {0} that could be taken back")]
    NoStep(String),
    /// A backup is missing or damaged.
    #[error("The backup of {path} in {} is missing or damaged: git may still have the file", .folder.display())]
    NoBackup {
        /// The file.
        path: String,
        /// Where the backup should be.
        folder: PathBuf,
    },
    /// The name of a file is not allowed.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// A plan that does not fit the text it was made for.
    #[error("The edit of {0} does not fit its text: this is a defect of the Editor, and nothing was changed")]
    Misfit(String),
    /// Another Editor works on the same prototype.
    #[error("Another Editor has this repository open ({}): close it first", .0.display())]
    InUse(PathBuf),
    /// A file or a link stands where the Editor's folder should be.
    #[error("{} is not a folder: move it away, the Editor keeps its backups there", .0.display())]
    NoFolder(PathBuf),
    /// A file too large to keep a backup of.
    #[error("{0} is too large for a backup: change it with git itself")]
    TooLarge(String),
    /// A file, or the folder it stands in, may not be written.
    #[error("{path} cannot be written: {why}")]
    NotWritable {
        /// Relative to the prototype's root.
        path: String,
        /// What stands in the way, and what helps.
        why: String,
    },
    /// The operating system refused.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Its words.
        error: io::Error,
    },
}

impl WorkspaceError {
    /// Names the file of an error.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}
