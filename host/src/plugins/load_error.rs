//! Why plugins do not serve.

use super::claims::ClaimError;
use super::inspect::InspectError;
use super::lock::LockError;
use super::opened::StartError;
use crate::storage::slot_data::DataError;

/// Why no plugin can be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoaderError {
    /// The approvals cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The engine, the linker or a folder failed.
    #[error("plugins cannot be loaded: {0}")]
    Engine(String),
}

/// Why one plugin does not serve.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its file is not one for this host.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// Its file is another one than the approved.
    #[error("its file {0} is not the one that was approved: `galley plugins approve {0}` if it should be")]
    Changed(String),
    /// It is for this other slot.
    #[error("it fills the slot `{0}`")]
    OtherSlot(String),
    /// It asks for more than the operator approved.
    #[error("it asks for more than was approved ({0}): `galley plugins approve` if it should have that")]
    NotApproved(String),
    /// It keeps data by SQL, which is not for the engine of this server.
    #[error(
        "its SQL is for SQLite, and this server keeps the data of plugins in PostgreSQL (SERVICE_DATABASE_URL): it needs a version \
         that is for PostgreSQL"
    )]
    OtherEngine,
    /// Its routes are another's.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// It cannot use the data that are there.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its start failed, or the change of its data did.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The database of the cluster does not answer.
    #[error("its data cannot be reached: {0}")]
    Away(String),
    /// Something else failed.
    #[error("{0}")]
    Other(String),
}

impl LoadError {
    /// Whether the same may succeed a moment later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Start(StartError::Failed(_)) => true,
            Self::Data(error) | Self::Start(StartError::Data(error)) => error.is_passing(),
            Self::Away(_) => true,
            _ => false,
        }
    }

    /// Something that has no case of its own.
    pub fn other(error: &dyn std::fmt::Display) -> Self {
        Self::Other(error.to_string())
    }
}
