//! Why a version could not be stored or read.

use std::io;

use crate::storage::objects;

/// Why a version could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// There is no such version.
    #[error("there is no such version")]
    NotFound,
    /// The project has a version with this id.
    #[error("the project has such a version")]
    Exists,
    /// An id that cannot be a file name.
    #[error("an id may have 1 to 64 letters, digits, `-` and `_`")]
    BadId,
    /// The object store is away.
    #[error("the object store does not answer")]
    Away,
    /// The disk is full or failed, or a file is damaged.
    #[error("{0}")]
    Io(io::Error),
}

impl From<io::Error> for SiteError {
    fn from(error: io::Error) -> Self {
        if objects::is_away(&error) {
            return Self::Away;
        }
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists,
            _ => Self::Io(error),
        }
    }
}
