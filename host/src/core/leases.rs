//! Work that one server at a time does, of those that share a database. A lease ends by itself when its holder is gone.
//!
//! It is granted by the clock of the database, and given up by the holder's own, counted from before the holder asked: so the holder
//! has stopped when another one begins, whatever their clocks say. What it wrote too late all the same is refused by the epoch.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::{Core, CoreError};
use crate::storage::engine::Rows;

/// How long a lease lasts without being renewed: the longest time for which work rests when its server was killed.
pub const LEASE_LENGTH: Duration = Duration::from_secs(6);

/// The pause behind a renewal that failed.
const PAUSE: Duration = Duration::from_millis(500);

/// The clock of the database, in milliseconds.
pub(crate) const CLOCK: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

/// The right to do some work. Clones are the same lease, and are renewed with it.
#[derive(Debug, Clone)]
pub struct Lease {
    name: String,
    /// 0 where nobody else could do it.
    epoch: i64,
    /// Until when; for ever where nobody else could do it.
    until: Option<Arc<Mutex<Instant>>>,
}

impl Lease {
    /// The lease of a server that has the database for itself.
    pub fn alone() -> Self {
        Self {
            name: String::new(),
            epoch: 0,
            until: None,
        }
    }

    /// Whether the work may go on.
    pub fn is_held(&self) -> bool {
        self.until.as_ref().is_none_or(|until| Instant::now() < *until.lock())
    }

    /// When it should be renewed: when a third of it is over. Never where nobody else could do the work.
    fn due(&self) -> Option<Instant> {
        self.until.as_ref().map(|until| *until.lock() - LEASE_LENGTH * 2 / 3)
    }

    /// Lasts as long as its renewal.
    fn renew(&self, renewed: &Self) {
        if let (Some(until), Some(renewed)) = (&self.until, &renewed.until) {
            *until.lock() = *renewed.lock();
        }
    }
}

/// Some work of a server, which it does while it has the lease.
pub struct Work {
    core: Arc<Core>,
    name: String,
    lease: Option<Lease>,
}

impl Work {
    /// The work of this name.
    pub fn new(core: Arc<Core>, name: String) -> Self {
        Self {
            core,
            name,
            lease: None,
        }
    }

    /// The lease under which the work may be done now; `None` while another server does it.
    pub async fn lease(&mut self) -> Result<Option<Lease>, CoreError> {
        let is_fresh = |lease: &Lease| lease.is_held() && lease.due().is_none_or(|due| Instant::now() < due);
        if !self.lease.as_ref().is_some_and(is_fresh) {
            let lease = self.core.lease(&self.name).await?;
            self.keep(lease);
        }
        Ok(self.lease.clone())
    }

    /// Keeps what the database granted. A lease that another server had in between is a new one: who holds the one before does not go on.
    fn keep(&mut self, granted: Option<Lease>) {
        if let (Some(lease), Some(granted)) = (&self.lease, &granted)
            && lease.epoch == granted.epoch
        {
            lease.renew(granted);
        } else {
            self.lease = granted;
        }
    }

    /// Does something under the lease, which is renewed meanwhile.
    pub async fn during<T>(&mut self, doing: impl Future<Output = T>) -> T {
        let mut doing = std::pin::pin!(doing);
        loop {
            let Some(due) = self.lease.as_ref().and_then(Lease::due) else {
                return doing.await;
            };
            tokio::select! {
                done = &mut doing => return done,
                () = tokio::time::sleep_until(due.into()) => {}
            }
            let renewing = self.core.lease(&self.name);
            let renewed = tokio::select! {
                done = &mut doing => return done,
                renewed = renewing => renewed,
            };
            // What is under way goes on all the same: what it writes too late is refused. What is not a write asks the lease before.
            match renewed {
                Ok(lease) => self.keep(lease),
                Err(_) => tokio::select! {
                    done = &mut doing => return done,
                    () = tokio::time::sleep(PAUSE) => {}
                },
            }
        }
    }
}

impl Work {
    /// Gives the work up, so that others need not wait for the end of its lease.
    pub async fn give_up(self) -> Result<(), CoreError> {
        match self.lease.filter(|lease| lease.until.is_some()) {
            Some(lease) => self.core.give_up(lease).await,
            None => Ok(()),
        }
    }
}

impl Core {
    async fn give_up(&self, lease: Lease) -> Result<(), CoreError> {
        let holder = self.server.clone();
        let write = move |rows: &mut Rows<'_>| {
            let sql = "UPDATE leases SET ends_at = 0 WHERE name = ?1 AND holder = ?2 AND epoch = ?3";
            rows.execute(sql, (&lease.name, &holder, lease.epoch))?;
            Ok(())
        };
        self.database.write(write).await
    }

    /// Takes the lease of some work, or renews it; `None` while another server has it.
    pub async fn lease(&self, name: &str) -> Result<Option<Lease>, CoreError> {
        if self.freshness.is_none() {
            return Ok(Some(Lease::alone()));
        }
        let until = Instant::now() + LEASE_LENGTH;
        let (work, holder) = (name.to_owned(), self.server.clone());
        let taken = self.database.write(move |rows| take(rows, &work, &holder)).await?;
        Ok(taken.map(|epoch| Lease {
            name: name.to_owned(),
            epoch,
            until: Some(Arc::new(Mutex::new(until))),
        }))
    }

    /// Gives up all leases of this server, so that others need not wait for their ends, and what it counts with them.
    pub async fn give_up_leases(&self) -> Result<(), CoreError> {
        if self.freshness.is_none() {
            return Ok(());
        }
        if let Some(limits) = self.limits.get() {
            limits.end();
        }
        let holder = self.server.clone();
        let write = move |rows: &mut Rows<'_>| {
            rows.execute("UPDATE leases SET ends_at = 0 WHERE holder = ?1", [&holder])?;
            rows.execute("DELETE FROM places WHERE server = ?1", [&holder])?;
            rows.execute("DELETE FROM servers WHERE id = ?1", [&holder])?;
            rows.execute("DELETE FROM nodes WHERE server = ?1", [&holder])?;
            Ok(())
        };
        self.database.write(write).await
    }
}

/// The epoch under which the holder has the lease now.
fn take(rows: &mut Rows<'_>, name: &str, holder: &str) -> Result<Option<i64>, CoreError> {
    // Looked at first: a lease of another one is not written.
    let sql = format!("SELECT EXISTS (SELECT 1 FROM leases WHERE name = ?1 AND holder <> ?2 AND ends_at > {CLOCK})");
    if rows.fetch_one(&sql, [name, holder], |row| row.get(0))? {
        return Ok(None);
    }
    let sql = format!(
        "INSERT INTO leases (name, holder, epoch, ends_at) VALUES (?1, ?2, 1, {CLOCK} + ?3)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at,
             epoch = CASE WHEN leases.holder = excluded.holder THEN leases.epoch ELSE leases.epoch + 1 END
         RETURNING epoch"
    );
    let length = i64::try_from(LEASE_LENGTH.as_millis()).unwrap_or(i64::MAX);
    Ok(Some(rows.fetch_one(&sql, (name, holder, length), |row| row.get(0))?))
}

/// Makes sure, in the transaction of what a holder writes, that nobody else has its lease. [`CoreError::Superseded`].
pub(super) fn require(rows: &mut Rows<'_>, lease: &Lease) -> Result<(), CoreError> {
    if lease.until.is_none() {
        return Ok(());
    }
    let sql = "SELECT epoch FROM leases WHERE name = ?1";
    match rows.fetch_optional(sql, [&lease.name], |row| row.get::<i64>(0))? {
        Some(epoch) if epoch == lease.epoch => Ok(()),
        _ => Err(CoreError::Superseded),
    }
}
