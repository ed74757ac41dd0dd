//! The engine of many servers: one PostgreSQL, reached by the crate `galley-postgres`.
//!
//! Reads run on connections of their own. Writes of this server run one after the other, in the order in which they were handed
//! over, so that the steps behind them follow the order of the commits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use galley_postgres::{Address, Bounds, Database, OpenError, Session, Step, Turn};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use super::progress::Progress;
use super::rows::Rows;
use super::schema;
use super::shared::{Shared, Undone};
use crate::storage::asked;
use crate::storage::sqlite::{Migration, StorageError};

/// How often receipts of transactions are forgotten that nobody asks for any more.
const FORGET_PAUSE: Duration = Duration::from_secs(600);

/// A write that runs, until its caller was answered.
type Running = Pin<Box<dyn Future<Output = ()> + Send>>;
type Job = Box<dyn FnOnce(Database) -> Running + Send>;

/// An open database. Dropping it ends it after the writes that were handed over.
pub struct Postgres {
    shared: Shared,
    jobs: mpsc::UnboundedSender<Job>,
    progress: Arc<Mutex<Progress>>,
}

impl Postgres {
    /// Opens a database at an address, looks at what it is, and brings it to the last migration.
    pub async fn open(address: Address, migrations: &[Migration], bounds: Bounds) -> Result<Self, OpenError> {
        let steps = migrations.iter().map(|migration| Step {
            version: migration.version,
            sql: schema::for_postgres(&migration.sql),
        });
        let database = Database::at(address, bounds);
        for remark in database.require().await? {
            tracing::warn!("{remark}");
        }
        database.migrate(steps.collect()).await?;
        let (jobs, inbox) = mpsc::unbounded_channel();
        tokio::spawn(work(database.clone(), inbox));
        Ok(Self {
            shared: Shared::of(database),
            jobs,
            progress: Arc::default(),
        })
    }

    /// Its reads.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Whether no write has been acknowledged for long although one is to be.
    pub fn is_stuck(&self) -> bool {
        self.progress.lock().is_stuck(Instant::now())
    }

    /// See [`Database::write_then`](super::Database::write_then).
    pub async fn write_then<T, E>(
        &self,
        mut write: impl FnMut(&mut Rows<'_>) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let write = move |session: &mut Session| write(&mut Rows::of_postgres(session)).map_err(Undone::Refused);
        let ((reply, answer), turn) = (oneshot::channel(), Turn::default());
        let (its, progress) = (turn.clone(), self.progress.clone());
        let job = move |database: Database| -> Running {
            Box::pin(async move {
                // While the database is away, or a commit without an answer is settled, whoever asked is told so soon.
                if !its.again() {
                    return;
                }
                progress.lock().begin(Instant::now());
                let written = database.write_in_turn(&its, write).await;
                let ended = written.as_ref().map(|_| its.has_changes()).map_err(Undone::failure);
                progress.lock().end(Instant::now(), ended);
                if let Ok(value) = &written {
                    // A panic in a step must not end the task of the writes.
                    let _ = catch_unwind(AssertUnwindSafe(|| then(value)));
                }
                // The caller may have gone away; its write is committed all the same.
                let _ = reply.send(written.map_err(Undone::into_error));
            })
        };
        self.jobs.send(Box::new(job)).map_err(|_| StorageError::Gone)?;
        turn.wait(answer, asked::wait()).await.map_err(StorageError::from)?
    }
}

/// Runs the writes until the database is dropped.
async fn work(database: Database, mut inbox: mpsc::UnboundedReceiver<Job>) {
    let mut forgetting = tokio::time::interval(FORGET_PAUSE);
    loop {
        tokio::select! {
            job = inbox.recv() => match job {
                Some(job) => job(database.clone()).await,
                None => return,
            },
            _ = forgetting.tick() => {
                if let Err(failure) = database.forget_receipts().await {
                    tracing::debug!("old receipts of transactions are forgotten later: {failure}");
                }
            }
        }
    }
}
