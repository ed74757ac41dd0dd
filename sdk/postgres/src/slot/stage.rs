//! A database whose changes are not committed yet: new steps ran in an open transaction, and what a plugin's start reads and
//! writes is a part of it.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::bounds::Bounds;
use super::failure::Failure;
use super::gauge::Gauge;
use super::group;
use super::labels::soon;
use super::pool::{Lease, Pool};
use super::settle::{End, commit, lost};
use super::work::{Answer, Ready, Work};
use crate::failure::Failure as Common;
use crate::receipt::Receipt;

/// The place of the connection with the open transaction.
#[derive(Default)]
pub struct Stage {
    state: Mutex<State>,
    /// Told when something that ran in it has ended.
    ended: Notify,
}

#[derive(Default)]
enum State {
    /// Nothing is staged: reads and writes take the ordinary way.
    #[default]
    Over,
    /// It waits for the next statement.
    Here(Box<Staged>),
    /// Something runs in it.
    Lent,
    /// The transaction was rolled back: its steps did not happen.
    Lost,
}

/// The connection, and the receipt of its transaction.
pub struct Staged {
    pub connection: Lease,
    pub receipt: Receipt,
}

/// The connection, for a part of the transaction that is kept or undone as a whole. Dropped, it is undone.
pub struct Borrowed {
    staged: Option<Box<Staged>>,
    home: Arc<Stage>,
}

impl Stage {
    /// With an open transaction.
    pub fn of(staged: Staged) -> Self {
        Self {
            state: Mutex::new(State::Here(Box::new(staged))),
            ended: Notify::new(),
        }
    }

    /// Whether reads and writes do not take the ordinary way.
    pub fn is_there(&self) -> bool {
        !matches!(*self.state(), State::Over)
    }

    /// Reads what the transaction has done so far.
    pub async fn read(self: &Arc<Self>, ready: &Ready, until: Instant) -> Result<Answer, Failure> {
        let mut borrowed = self.borrow(until).await?;
        let connection = borrowed.connection();
        // It is over with the part.
        connection.batch("SET TRANSACTION READ ONLY", soon()).await?;
        let left = until.saturating_duration_since(Instant::now());
        let answer = connection.run_within(ready, left).await;
        borrowed.end(answer.is_ok()).await?;
        answer
    }

    /// Runs a write as a part of the transaction.
    pub async fn write(self: &Arc<Self>, work: &Work, gauge: &Gauge, bounds: &Bounds) -> Result<Vec<Answer>, Failure> {
        let mut borrowed = self.borrow(work.deadline).await?;
        let answer = group::run(borrowed.connection(), work, None, gauge, bounds).await;
        borrowed.end(answer.is_ok()).await?;
        answer
    }

    /// Begins a part of the transaction; waits until then for the one before it.
    pub async fn borrow(self: &Arc<Self>, until: Instant) -> Result<Borrowed, Failure> {
        let staged = self.take_by(until).await?;
        let mut borrowed = Borrowed {
            staged: Some(staged),
            home: self.clone(),
        };
        let until = until.max(soon());
        borrowed.connection().batch("SAVEPOINT part", until).await?;
        Ok(borrowed)
    }

    /// The connection, once nothing runs in it.
    async fn take_by(&self, until: Instant) -> Result<Box<Staged>, Failure> {
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if let Some(staged) = self.take()? {
                return Ok(staged);
            }
            timeout_at(until, ended).await.map_err(|_| Failure::Interrupted)?;
        }
    }

    /// The connection; `None` while something runs in it.
    fn take(&self) -> Result<Option<Box<Staged>>, Failure> {
        let mut state = self.state();
        match std::mem::replace(&mut *state, State::Lent) {
            State::Here(staged) => Ok(Some(staged)),
            State::Lent => Ok(None),
            gone => {
                *state = gone;
                Err(gone_away())
            }
        }
    }

    /// Commits. Without anything staged nothing happens.
    pub async fn promote(&self, pool: &Arc<Pool>, bounds: &Bounds) -> Result<(), Failure> {
        if !self.is_there() {
            return Ok(());
        }
        let mut staged = self.take_by(soon()).await?;
        let ended = commit(&mut staged.connection, &staged.receipt, pool, bounds).await;
        *self.state() = match ended {
            Ok(End::Committed) => State::Over,
            _ => State::Lost,
        };
        self.ended.notify_waiters();
        match ended? {
            End::Committed => Ok(()),
            End::Undone => Err(lost()),
        }
    }

    /// Rolls back what is staged. Without anything staged nothing happens.
    pub fn abandon(&self) {
        let mut state = self.state();
        if !matches!(*state, State::Over) {
            *state = State::Lost;
        }
        self.ended.notify_waiters();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn gone_away() -> Failure {
    Common::Unavailable("a statement of the start was interrupted, which undid the whole transaction".to_owned()).into()
}

impl Borrowed {
    /// The connection.
    pub fn connection(&mut self) -> &mut Lease {
        let staged = self.staged.as_mut();
        &mut staged.expect("it is taken by what ends the part").connection
    }

    /// Keeps what the part did.
    pub async fn keep(mut self) -> Result<(), Failure> {
        self.end(true).await
    }

    async fn end(&mut self, stays: bool) -> Result<(), Failure> {
        let Some(mut staged) = self.staged.take() else {
            return Ok(());
        };
        let sql = match stays {
            true => "RELEASE SAVEPOINT part",
            false => "ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part",
        };
        // What was set in the part is as before, if it was undone.
        staged.connection.forget_bound();
        let ended = match staged.connection.is_usable() {
            true => staged.connection.batch(sql, soon()).await.map(drop),
            false => Err(gone_away()),
        };
        let mut state = self.home.state();
        if matches!(*state, State::Lent) {
            *state = match ended {
                Ok(()) => State::Here(staged),
                Err(_) => State::Lost,
            };
        }
        drop(state);
        self.home.ended.notify_waiters();
        ended
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let Some(staged) = self.staged.take() else { return };
        let home = self.home.clone();
        let mut borrowed = Borrowed {
            staged: Some(staged),
            home,
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if borrowed.connection().is_usable() => {
                runtime.spawn(async move {
                    let _ = borrowed.end(false).await;
                });
            }
            _ => {
                borrowed.staged = None;
                self.home.abandon();
            }
        }
    }
}
