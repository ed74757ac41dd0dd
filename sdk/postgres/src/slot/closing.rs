//! Closing a database whose plugin gives way to one with data elsewhere. Nobody writes to it from the moment when its rows are read to the
//! moment when all servers find it closed.

use std::sync::Arc;
use std::time::Duration;

use super::bounds::Bounds;
use super::failure::Failure;
use super::generation::{self, begin_edition};
use super::labels::{HOST_TABLES, HOST_TIMEOUT, OUT_OF_USE, soon};
use super::pool::{Lease, Pool};
use super::settle::{End, RECEIPTS, Times, begin, commit, lost};
use crate::address::Address;
use crate::receipt::{self, Receipt};

/// How long the writes that are under way are waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// How long the successor may take. The server opens the database again when nothing comes for so long.
const START_TIMEOUT: Duration = Duration::from_secs(120);

/// A database that is about to be closed: its writers wait, on whatever server. Dropped, it is as before.
pub struct Closing {
    connection: Lease,
    pool: Arc<Pool>,
    bounds: Bounds,
}

impl Closing {
    /// Lets the writers wait, once those under way have ended.
    pub async fn begin(address: &Address, bounds: Bounds) -> Result<Self, Failure> {
        let pool = Pool::new(address, false, bounds.connect, 2);
        let mut connection = pool.lease_for_change().await?;
        let times = Times {
            wait: LOCK_TIMEOUT,
            idle: START_TIMEOUT,
            bound: HOST_TIMEOUT,
            writes: None,
        };
        begin(&mut connection, times).await?;
        Ok(Self {
            connection,
            pool,
            bounds,
        })
    }

    /// The connection, for reading what the successor takes over.
    pub(super) fn connection(&mut self) -> &mut Lease {
        &mut self.connection
    }

    /// Closes it for all who opened it before approvals of this number. [`Failure::Superseded`] when later ones did so already.
    pub async fn commit(mut self, approvals: i64) -> Result<(), Failure> {
        let until = soon();
        let tables = [HOST_TABLES, generation::TABLE, &receipt::table(RECEIPTS), OUT_OF_USE].join(";");
        self.connection.batch_until(&tables, until).await?;
        let closed = self.connection.batch(&begin_edition(approvals), until).await?;
        if closed.is_none() {
            return Err(Failure::Superseded);
        }
        let left = self.connection.batch(&receipt::leave(RECEIPTS), until).await?;
        let receipt = Receipt::of(&left.unwrap_or_default());
        match commit(&mut self.connection, &receipt, &self.pool, &self.bounds).await? {
            End::Committed => Ok(()),
            End::Undone => Err(lost()),
        }
    }
}
