//! A transaction that spans a plugin's own code. It holds the slot's lock, so it ends at its time whatever happens: here by a
//! clock, and on the server by its bounds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::bounds::Bounds;
use super::failure::Failure;
use super::gauge::Gauge;
use super::generation::Noted;
use super::pool::{Lease, Pool};
use super::settle::{End, Times, begin, commit, lost};
use super::stage::{Borrowed, Stage};
use super::work::{Answer, Ready};
use crate::receipt::Receipt;
use crate::value::Value;

/// How long a rollback to before a statement may take.
const HOST_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a commit may take, and how long one without an answer is asked for: the call that waits for it is told that nobody
/// knows, and nothing else waits.
const COMMIT_TIMEOUT: Duration = Duration::from_millis(1_200);
const SETTLE_TIMEOUT: Duration = Duration::from_millis(300);

/// A transaction. Clones are the same one. When the last is dropped, it is rolled back.
#[derive(Clone)]
pub struct Transaction {
    held: Arc<Mutex<Option<Held>>>,
    until: Instant,
    gauge: Arc<Gauge>,
    bounds: Bounds,
}

/// What has the connection.
enum Held {
    /// A transaction of its own.
    Own {
        connection: Box<Lease>,
        receipt: Receipt,
        pool: Arc<Pool>,
    },
    /// A part of the staged one.
    Inner(Borrowed),
}

impl Held {
    fn connection(&mut self) -> &mut Lease {
        match self {
            Self::Own { connection, .. } => connection,
            Self::Inner(borrowed) => borrowed.connection(),
        }
    }
}

impl Transaction {
    /// Begins in an edition of the data, and waits for other writers of the slot until then.
    ///
    /// The second pool is asked what became of a commit without an answer.
    pub(super) async fn begin(
        (pool, settling): (&Arc<Pool>, &Arc<Pool>),
        gauge: &Arc<Gauge>,
        (bounds, edition): (Bounds, i64),
        until: Instant,
    ) -> Result<Self, Failure> {
        let mut connection = Box::new(pool.lease(until).await?);
        let left = until.saturating_duration_since(Instant::now());
        let times = Times {
            wait: left,
            idle: left,
            bound: left,
            writes: Some(Noted { writes: 1, edition }),
        };
        let receipt = begin(&mut connection, times).await?;
        let pool = settling.clone();
        Ok(Self::with(
            Held::Own {
                connection,
                receipt,
                pool,
            },
            gauge,
            bounds,
            until,
        ))
    }

    /// Begins inside a staged transaction.
    pub(super) async fn inside(
        stage: &Arc<Stage>,
        gauge: &Arc<Gauge>,
        bounds: Bounds,
        until: Instant,
    ) -> Result<Self, Failure> {
        let borrowed = stage.borrow(until).await?;
        Ok(Self::with(Held::Inner(borrowed), gauge, bounds, until))
    }

    fn with(held: Held, gauge: &Arc<Gauge>, bounds: Bounds, until: Instant) -> Self {
        let held = Arc::new(Mutex::new(Some(held)));
        let weak = Arc::downgrade(&held);
        tokio::spawn(async move {
            tokio::time::sleep_until(until).await;
            if let Some(held) = weak.upgrade() {
                // Dropping it rolls back. A statement that is running has it, and ends at the same moment.
                drop(take(&held));
            }
        });
        Self {
            held,
            until,
            gauge: gauge.clone(),
            bounds,
        }
    }

    /// Runs a statement and answers its rows, packed.
    pub async fn query(&self, sql: &str, parameters: Vec<Value>) -> Result<Vec<u8>, Failure> {
        Ok(self.run(Ready::new(sql, parameters)?).await?.rows)
    }

    /// Runs a statement and answers how many rows it changed.
    pub async fn execute(&self, sql: &str, parameters: Vec<Value>) -> Result<u64, Failure> {
        Ok(self.run(Ready::new(sql, parameters)?).await?.changed)
    }

    /// A statement that fails leaves the transaction as it was before it; one that is interrupted ends it.
    async fn run(&self, ready: Ready) -> Result<Answer, Failure> {
        if self.gauge.is_full() && ready.grows() {
            return Err(Failure::Full);
        }
        // While it runs nobody else has it; when the call goes away meanwhile, it ends.
        let mut held = take(&self.held).ok_or(Failure::Interrupted)?;
        let connection = held.connection();
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::Interrupted);
        }
        let milliseconds = left.as_millis().max(1);
        let sql = format!(
            "SET LOCAL statement_timeout = {milliseconds}; SET LOCAL idle_in_transaction_session_timeout = {milliseconds};
             SAVEPOINT statement"
        );
        connection.batch(&sql, self.until).await?;
        connection.forget_bound();
        let answer = connection.run(&ready, self.until).await;
        let end = match &answer {
            Ok(_) => "RELEASE SAVEPOINT statement",
            Err(Failure::Interrupted) => return answer,
            Err(_) if !connection.is_usable() => return answer,
            Err(_) => "ROLLBACK TO SAVEPOINT statement; RELEASE SAVEPOINT statement",
        };
        connection.batch(end, Instant::now() + HOST_TIMEOUT).await?;
        if Instant::now() < self.until {
            *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(held);
        }
        answer
    }

    /// Ends it and keeps its changes. [`Failure::Gone`] when it had ended before.
    pub async fn commit(&self) -> Result<(), Failure> {
        match take(&self.held).ok_or(Failure::Gone)? {
            Held::Own {
                mut connection,
                receipt,
                pool,
            } => {
                let bounds = Bounds {
                    commit: COMMIT_TIMEOUT,
                    settle: SETTLE_TIMEOUT,
                    ..self.bounds
                };
                match commit(&mut connection, &receipt, &pool, &bounds).await? {
                    End::Committed => Ok(()),
                    End::Undone => Err(lost()),
                }
            }
            Held::Inner(borrowed) => borrowed.keep().await,
        }
    }
}

fn take(held: &Mutex<Option<Held>>) -> Option<Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner).take()
}
