//! Why a slot's data cannot be used by a plugin.

use std::path::PathBuf;

use galley_postgres::Failure as Common;
use galley_postgres::slot::{Failure, SchemaError};

use crate::storage::sqlite::StorageError;
use crate::storage::transfer::TransferError;

/// Why a slot's data cannot be used by a plugin. The data are as they were. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Their rows could not be copied from one engine to the other.
    #[error("their rows cannot be copied: {0}")]
    Moved(TransferError),
    /// They are another schema's, the plugin can take them over, and nobody said whether it should.
    #[error(
        "its schema is `{own}`, and the slot has data of `{theirs}` (version {version}), which it can take over: say \
         --adopt-data to give it a copy of them, or --fresh-data to begin without them"
    )]
    Foreign {
        /// The plugin's schema.
        own: String,
        /// The schema of the data.
        theirs: String,
        /// The version of the data.
        version: u32,
    },
    /// It should take over data that it cannot use.
    #[error(
        "its schema is `{own}`, and it cannot take over the slot's data of `{theirs}` (version {version}): leave \
         --adopt-data out, and it begins with data of its own"
    )]
    NotAdopted {
        /// The plugin's schema.
        own: String,
        /// The schema of the data.
        theirs: String,
        /// The version of the data.
        version: u32,
    },
    /// It should take over data where there are none.
    #[error("the slot has no data that it could take over: leave --adopt-data out")]
    NothingToAdopt,
    /// It should take over data of which nothing is known.
    #[error(
        "it is to take over the data of what filled the slot before, which is not known at this server: a server that had it can"
    )]
    UnknownBefore,
    /// A step is not the one that ran.
    #[error(
        "step {version} of the schema `{schema}` was changed: the data were made by the one with the SHA-256 {was}, the \
         plugin has {is}. A published step stays as it is: put the change into a further step, or give the schema another \
         name"
    )]
    ChangedStep {
        /// The schema.
        schema: String,
        /// The step.
        version: u32,
        /// Hex SHA-256 of the step that ran.
        was: String,
        /// Hex SHA-256 of the plugin's.
        is: String,
    },
    /// Going back loses what was written since the update.
    #[error(
        "going back from version {from} to {to} of the schema `{schema}` takes the copy from before the update, and loses \
         {writes} {} made since: say --lose-writes if that is meant", if *writes == 1 { "write" } else { "writes" }
    )]
    LosesWrites {
        /// The schema.
        schema: String,
        /// The version of the data.
        from: u32,
        /// The version of the copy.
        to: u32,
        /// How many writes were made since the copy.
        writes: u64,
    },
    /// The data are newer, and nothing leads back.
    #[error(
        "the data have version {from} of the schema `{schema}`, the plugin knows {to}; there is neither a step back nor a \
         copy from before: take the newer plugin, or restore a backup"
    )]
    NoWayBack {
        /// The schema.
        schema: String,
        /// The version of the data.
        from: u32,
        /// The plugin's.
        to: u32,
    },
    /// A step failed.
    #[error("{what} of the schema `{schema}` failed, and the data are as before: {source}")]
    Step {
        /// The schema.
        schema: String,
        /// "step 2", "the way back from step 2", or "taking over `notes`".
        what: String,
        /// SQLite's words.
        source: rusqlite::Error,
    },
    /// The steps take longer than the slot's writers may wait.
    #[error(
        "{what} of the schema `{schema}` took longer than the {seconds} s that writes to the slot can wait: disable the slot \
         first, or stop the server; without writers it has a minute"
    )]
    TooSlow {
        /// The schema.
        schema: String,
        /// As for [`DataError::Step`].
        what: String,
        /// The bound.
        seconds: u64,
    },
    /// Somebody else changed the file meanwhile.
    #[error("{} was changed meanwhile: try again", .0.display())]
    Changed(PathBuf),
    /// The file could not be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    Copy(PathBuf, rusqlite::Error),
    /// A file or folder could not be used.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// What is wrong on PostgreSQL.
    #[error(transparent)]
    Postgres(SchemaError),
    /// SQLite failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl DataError {
    /// Whether the same may succeed a moment later: the database does not answer.
    pub fn is_passing(&self) -> bool {
        let Self::Postgres(error) = self else { return false };
        matches!(
            error,
            SchemaError::Superseded
                | SchemaError::Changed(_)
                | SchemaError::Late
                | SchemaError::Failed(Failure::Superseded | Failure::Database(Common::Unavailable(_)))
        )
    }
}

impl From<SchemaError> for DataError {
    fn from(error: SchemaError) -> Self {
        match error {
            SchemaError::LosesWrites {
                schema,
                from,
                to,
                writes,
            } => Self::LosesWrites {
                schema,
                from,
                to,
                writes,
            },
            error => Self::Postgres(error),
        }
    }
}

impl From<Failure> for DataError {
    fn from(failure: Failure) -> Self {
        Self::Postgres(failure.into())
    }
}

impl From<rusqlite::Error> for DataError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(error.into())
    }
}
