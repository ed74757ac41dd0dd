//! Connections that are lent, and come back when others can use them.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::connection::Connection;
use super::failure::Failure;
use super::labels::{HOST_TIMEOUT, soon};
use super::settings;
use crate::address::Address;
use crate::failure::Failure as Common;

/// Connections of one kind, a bounded number.
pub struct Pool {
    address: Address,
    settings: String,
    connect: Duration,
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

/// A connection that is lent. Dropped in the middle of something it ends, and what it did in a transaction is undone.
pub struct Lease {
    connection: Option<Connection>,
    pool: Arc<Pool>,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    /// So many connections at most, none of which is open yet.
    pub fn new(address: &Address, is_read_only: bool, connect: Duration, size: usize) -> Arc<Self> {
        Arc::new(Self {
            address: address.clone(),
            settings: settings::of(is_read_only),
            connect,
            idle: Mutex::default(),
            places: Arc::new(Semaphore::new(size)),
        })
    }

    /// A connection; waits until then for one.
    pub async fn lease(self: &Arc<Self>, until: Instant) -> Result<Lease, Failure> {
        self.lease_within(self.connect, until).await
    }

    /// The same for a change of the data, for which connecting may take as long as each of its statements.
    pub async fn lease_for_change(self: &Arc<Self>) -> Result<Lease, Failure> {
        self.lease_within(HOST_TIMEOUT, soon()).await
    }

    async fn lease_within(self: &Arc<Self>, connect: Duration, until: Instant) -> Result<Lease, Failure> {
        let place = timeout_at(until, self.places.clone().acquire_owned()).await;
        let place = place.map_err(|_| Failure::Interrupted)?;
        let place = place.map_err(|_| Common::Unavailable("it is closed".to_owned()))?;
        let idle = self.idle().pop();
        let idle = idle.filter(|connection| !connection.is_closed() && !connection.is_old());
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let left = until.saturating_duration_since(Instant::now());
                let mut connection = Connection::open(&self.address, connect.min(left)).await?;
                connection.batch(&self.settings, until).await?;
                connection
            }
        };
        Ok(Lease {
            connection: Some(connection),
            pool: self.clone(),
            _place: place,
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Lease {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is taken by `drop` alone")
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("it is taken by `drop` alone")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        match (connection.is_reusable(), connection.is_closed()) {
            (true, _) => self.pool.idle().push(connection),
            // What happened to this one happened to those beside it, too.
            (false, true) => self.pool.idle().clear(),
            (false, false) => {}
        }
    }
}
