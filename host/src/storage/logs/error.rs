//! Why a log could not be written or read.

use std::io;

use super::text::MAX_BYTES;
use crate::storage::objects::is_away;
use crate::storage::sqlite::StorageError;

/// Why a log could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It has its final status.
    #[error("the log has ended")]
    Closed,
    /// It is full.
    #[error("the log has reached its {MAX_BYTES} bytes")]
    TooLarge,
    /// The disk failed, or the object store.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] StorageError),
}

impl LogError {
    /// Whether the object store or the database is away: what was asked for can be had later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Closed | Self::TooLarge => false,
            Self::Io(error) => is_away(error),
            Self::Database(error) => error.is_passing() || error.is_in_doubt(),
        }
    }
}
