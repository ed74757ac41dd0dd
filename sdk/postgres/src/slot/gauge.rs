//! How much room a slot's database takes, looked at from time to time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::connection::Connection;
use super::failure::Failure;

/// How often it is looked at while something is written.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a look may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(2);

/// All tables of the slot with their indexes, without [copies](super::copies). A database without any has some megabytes of PostgreSQL's
/// own.
const SIZE: &str = "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::int8 FROM pg_catalog.pg_class
                    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')
                        AND left(relname, 13) <> '_galley_copy_'";

/// The bound, and what was seen.
#[derive(Default)]
pub struct Gauge {
    /// In bytes; 0 for none.
    bound: AtomicU64,
    is_full: AtomicBool,
    seen: Mutex<Option<Instant>>,
}

impl Gauge {
    /// Sets the bound.
    pub fn set(&self, bytes: u64) {
        if self.bound.swap(bytes, Ordering::Relaxed) != bytes {
            *self.seen() = None;
        }
    }

    /// Whether the slot has used up its bound, as far as was seen.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Looks when it is time. The connection is in a transaction.
    pub async fn look(&self, connection: &mut Connection) -> Result<(), Failure> {
        let bound = self.bound.load(Ordering::Relaxed);
        let is_new = |seen: Option<Instant>| seen.is_some_and(|seen| seen.elapsed() < PAUSE);
        if bound == 0 || is_new(*self.seen()) {
            return Ok(());
        }
        let size = connection.batch(SIZE, Instant::now() + LOOK_TIMEOUT).await?;
        let size = size.and_then(|size| size.parse::<u64>().ok()).unwrap_or_default();
        self.is_full.store(size >= bound, Ordering::Relaxed);
        *self.seen() = Some(Instant::now());
        Ok(())
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
