//! Opening a database for a server: looked at, and brought to the last step of its schema.

use thiserror::Error;

use crate::bounds::Bounds;
use crate::database::Database;
use crate::failure::Failure;
use crate::migrations::{MigrationError, Step};
use crate::requirements::Unfit;

/// Why a server does not start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The database is not one to start on, or cannot be reached.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// Its schema cannot be brought up to date.
    #[error(transparent)]
    Migration(#[from] MigrationError),
}

impl OpenError {
    /// Whether waiting may mend it: the database does not answer, or takes no writes at the moment.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unfit(Unfit::Failed(Failure::Unavailable(_)))
                | Self::Migration(MigrationError::Failed(Failure::Unavailable(_)))
        )
    }
}

impl Database {
    /// Connects, checks what the database is, and runs the steps that it does not have yet.
    pub async fn open(address: &str, bounds: Bounds, steps: Vec<Step>) -> Result<Self, OpenError> {
        let database = Self::new(address, bounds).map_err(Unfit::from)?;
        database.require().await?;
        database.migrate(steps).await?;
        Ok(database)
    }
}
