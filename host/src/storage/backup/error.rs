//! Why a backup, its restoration or an import failed.

use std::io;
use std::path::PathBuf;

use crate::storage::data_folder::FolderError;
use crate::storage::objects::ObjectError;

/// Why a backup or its restoration failed. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target folder is not empty.
    #[error("{} is not empty: {}", .0.display(), .1)]
    NotEmpty(PathBuf, &'static str),
    /// There is nothing to copy.
    #[error("{} holds no Galley data: {}", .0.display(), .1)]
    NoData(PathBuf, &'static str),
    /// A file of the backup differs from its list.
    #[error("{} is damaged ({}): use another backup", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The list names a file that no backup contains.
    #[error("{} lists `{}`, which no backup holds: nothing was restored, use a backup you trust", .0.display(), .1)]
    Foreign(PathBuf, String),
    /// A file went or is missing in each attempt.
    #[error("{0} is missing, or was deleted while it was copied, as others before: try again when less is going on")]
    Missed(String),
    /// A database did not come to rest.
    #[error("{} is being changed all the time: try again when its plugin's update has ended", .0.display())]
    Changing(PathBuf),
    /// A link would be left out.
    #[error(
        "{} is a link, and a backup holds none: put what it leads to in its place (links of whole folders directly in the data \
         folder are fine)",
        .0.display()
    )]
    Link(PathBuf),
    /// The target is a part of what is copied.
    #[error(
        "{} is inside the data folder {}, so that the next backup would hold this one: name a folder elsewhere",
        .0.display(), .1.display()
    )]
    Inside(PathBuf, PathBuf),
    /// The data folder is in use, or half restored.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Prototypes were deleted during each attempt.
    #[error("prototypes are being deleted while they are copied: try again")]
    Busy,
    /// A database could not be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    Database(PathBuf, rusqlite::Error),
    /// An object could not be copied.
    #[error("{0} cannot be copied from the object store: {1}")]
    Object(String, ObjectError),
    /// An object could not be stored.
    #[error("{0} cannot be put into the object store: {1}")]
    Store(String, ObjectError),
    /// The object store has another object of this name.
    #[error(
        "the object store at {1} has another `{0}` than the backup: name an empty bucket, or an empty folder in it \
         (SERVICE_OBJECTS_URL)"
    )]
    Taken(String, String),
    /// A file could not be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
}
