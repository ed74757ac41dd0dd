//! Why a backup, its restoration or an import failed.

use std::io;
use std::path::PathBuf;

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
