//! The data of a slot in a cluster that others take the place of.

use galley_postgres::Address;
use galley_postgres::slot::{Bounds, Closing};
use tokio::runtime::Handle;

use super::error::DataError;
use crate::config::pause::{self, Step};
use crate::storage::sqlite::StorageError;

/// A database of a slot.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where it is, as its role.
    pub address: Address,
    /// How much of it is used.
    pub bounds: Bounds,
}

/// The data that others take the place of, and the number of the approvals that say so.
pub enum Before {
    /// Their rows were taken over, and nobody writes to them.
    Held(Box<Closing>, i64),
    /// They stay as they are.
    Open(Box<Place>, i64),
}

impl Before {
    /// Closes them for the plugins from before, on whatever server. It may wait, so it is not for threads that others wait for.
    pub fn close(self) -> Result<(), DataError> {
        let closed = Handle::current().block_on(async {
            let (closing, number) = match self {
                Self::Held(closing, number) => (*closing, number),
                Self::Open(place, number) => (Closing::begin(&place.address, place.bounds).await?, number),
            };
            closing.commit(number).await
        });
        closed.map_err(|failure| StorageError::Commit(failure.to_string()))?;
        pause::block_at(Step::Close);
        Ok(())
    }
}
