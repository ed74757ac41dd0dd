//! A connection to a slot's database. Each wait on it ends at a time; one that was given up leaves the connection to nobody.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::maybe_done;
use futures_util::{SinkExt, TryStreamExt, poll};
use galley_rows::{MAX_VALUE, Rows};
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

use super::checked::{Checked, Kind};
use super::failure::Failure;
use super::rows;
use super::work::{Answer, Ready};
use crate::address::{Address, Canceller};
use crate::failure::Failure as Common;
use crate::value::Value;

/// Statements that a connection keeps prepared.
const MAX_STATEMENTS: usize = 64;

/// The longest statement, in bytes, that is kept for the next time it is run.
const MAX_KEPT_LENGTH: usize = 8 << 10;

/// How long the answer to a statement of a transaction may be on its way once the server has stopped it at its bound.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// What the server's bounds are rounded up to, so that they seldom have to be set. The client's clock is exact.
const BOUND_STEP: Duration = Duration::from_millis(250);

/// A connection.
pub struct Connection {
    client: Client,
    address: Address,
    /// How often the server had been found away when it was made.
    losses: u64,
    canceller: Canceller,
    /// The task that speaks with the server.
    task: AbortHandle,
    /// Whether an answer is awaited.
    is_busy: AtomicBool,
    /// Whether the answer that is awaited is that of a commit.
    is_ending: AtomicBool,
    /// Whether the server ended it.
    is_lost: AtomicBool,
    is_in_transaction: bool,
    /// `statement_timeout`, as far as it is known.
    bound: Option<Duration>,
    prepared: HashMap<String, Statement>,
}

impl Connection {
    /// Connects within a time.
    pub async fn open(address: &Address, within: Duration) -> Result<Self, Failure> {
        let (client, task) = address.connect(within).await.map_err(|failure| match failure {
            away @ Common::Unavailable(_) => away,
            // Whatever else is in the way: no statement of a plugin ran, and none is wrong.
            other => Common::Unavailable(other.to_string()),
        })?;
        Ok(Self {
            canceller: address.canceller(&client),
            losses: address.losses(),
            address: address.clone(),
            client,
            task,
            is_busy: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
            is_lost: AtomicBool::new(false),
            is_in_transaction: false,
            bound: None,
            prepared: HashMap::new(),
        })
    }

    /// Whether nothing comes on it any more.
    pub fn is_closed(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed) || self.client.is_closed()
    }

    /// Whether it may be to a machine that is gone: the server was found away since it was made.
    pub fn is_old(&self) -> bool {
        self.losses != self.address.losses()
    }

    /// Whether others may have it.
    pub fn is_reusable(&self) -> bool {
        self.is_usable() && !self.is_in_transaction
    }

    /// Statements of the host's without parameters. Answers the first column of the last row.
    pub async fn batch(&mut self, sql: &str, until: Instant) -> Result<Option<String>, Failure> {
        let work = async { self.client.simple_query(sql).await.map_err(Failure::of_host) };
        let messages = self.wait(until, work).await?;
        let last = messages.iter().rev().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0).map(str::to_owned)),
            _ => None,
        });
        Ok(last.flatten())
    }

    /// The same in the transaction that is under way, until then.
    pub async fn batch_until(&mut self, sql: &str, until: Instant) -> Result<Option<String>, Failure> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Failure::Interrupted);
        }
        self.set_bound("SET LOCAL", left, until + ANSWER_TIMEOUT).await?;
        self.batch(sql, until + ANSWER_TIMEOUT).await
    }

    /// Sends what a `COPY … TO STDOUT` answers to another connection's `COPY … FROM STDIN`. Each is in a transaction, and its bound is the
    /// caller's to set.
    pub async fn copy_to(&self, out: &str, target: &Connection, into: &str, until: Instant) -> Result<(), Failure> {
        let work = async {
            let mut sink = pin!(target.client.copy_in(into).await.map_err(Failure::of_host)?);
            let mut stream = pin!(self.client.copy_out(out).await.map_err(Failure::of_host)?);
            while let Some(chunk) = stream.try_next().await.map_err(Failure::of_host)? {
                sink.as_mut().feed(chunk).await.map_err(Failure::of_host)?;
            }
            sink.finish().await.map_err(Failure::of_host)
        };
        self.wait(until, target.wait(until, work)).await.map(drop)
    }

    /// Whether it can be spoken to.
    pub fn is_usable(&self) -> bool {
        !self.is_closed() && !self.is_busy.load(Ordering::Relaxed)
    }

    /// Begins a transaction, which has to be ended by [`end`](Self::end). The statements leave `statement_timeout` at `bound`.
    pub async fn begin(&mut self, sql: &str, bound: Duration, until: Instant) -> Result<Option<String>, Failure> {
        self.is_in_transaction = true;
        let answer = self.batch(sql, until).await?;
        self.bound = Some(bound);
        Ok(answer)
    }

    /// Notes that somebody else set `statement_timeout`.
    pub fn forget_bound(&mut self) {
        self.bound = None;
    }

    /// Ends a transaction: `COMMIT` or `ROLLBACK`.
    pub async fn end(&mut self, sql: &str, until: Instant) -> Result<(), Failure> {
        self.is_ending.store(true, Ordering::Relaxed);
        self.batch(sql, until).await?;
        self.is_ending.store(false, Ordering::Relaxed);
        self.is_in_transaction = false;
        self.bound = None;
        Ok(())
    }

    /// Runs a read that ends by then.
    pub async fn read(&mut self, ready: &Ready, until: Instant) -> Result<Answer, Failure> {
        self.set_bound("SET", rounded(until.saturating_duration_since(Instant::now())), until)
            .await?;
        self.run(ready, until).await
    }

    /// Runs a statement of the transaction that is under way, for so long at most.
    pub async fn run_within(&mut self, ready: &Ready, bound: Duration) -> Result<Answer, Failure> {
        let until = Instant::now() + bound + ANSWER_TIMEOUT;
        self.set_bound("SET LOCAL", bound, until).await?;
        self.run(ready, until).await
    }

    async fn set_bound(&mut self, set: &str, bound: Duration, until: Instant) -> Result<(), Failure> {
        if self.bound == Some(bound) {
            return Ok(());
        }
        // 0 would be no bound.
        let milliseconds = bound.as_millis().max(1);
        self.batch(&format!("{set} statement_timeout = {milliseconds}"), until)
            .await?;
        self.bound = Some(bound);
        Ok(())
    }

    /// Runs statements of the transaction that is under way, each for so long at most, without waiting for one before the next is
    /// sent. A failure says whose it is: those behind it fail for no reason of their own.
    pub async fn run_all(&mut self, all: &[&Ready], bound: Duration) -> Result<Vec<Answer>, (usize, Failure)> {
        let length = u32::try_from(all.len()).unwrap_or(u32::MAX);
        let until = Instant::now() + bound.saturating_mul(length) + ANSWER_TIMEOUT;
        let of_first = |failure| (0, failure);
        self.set_bound("SET LOCAL", bound, until).await.map_err(of_first)?;
        let mut prepared = Vec::with_capacity(all.len());
        for (at, ready) in all.iter().enumerate() {
            let statement = self.prepared(ready, until).await;
            prepared.push(statement.map_err(|failure| (at, failure))?);
        }
        let work = async {
            let mut sent = Vec::with_capacity(all.len());
            for (ready, statement) in all.iter().zip(&prepared) {
                let mut one = Box::pin(maybe_done(self.one(ready, statement)));
                // The first look at it sends it.
                let _ = poll!(one.as_mut());
                sent.push(one);
            }
            let mut answers = Vec::with_capacity(all.len());
            for (at, mut one) in sent.into_iter().enumerate() {
                one.as_mut().await;
                match one.as_mut().take_output() {
                    Some(Ok(answer)) => answers.push(answer),
                    Some(Err(failure)) => return Ok(Err((at, failure))),
                    None => return Ok(Err((at, Failure::Interrupted))),
                }
            }
            Ok(Ok(answers))
        };
        let answers = self.wait(until, work).await.map_err(of_first)?;
        self.note_failure(answers.as_ref().err().map(|(_, failure)| failure));
        answers
    }

    /// Runs a statement and packs its rows. The server's bound is the caller's to set.
    pub async fn run(&mut self, ready: &Ready, until: Instant) -> Result<Answer, Failure> {
        let statement = self.prepared(ready, until).await?;
        let answer = self.wait(until, self.one(ready, &statement)).await;
        self.note_failure(answer.as_ref().err());
        answer
    }

    async fn one(&self, ready: &Ready, statement: &Statement) -> Result<Answer, Failure> {
        let changes = matches!(ready.statement.kind, Kind::Writes | Kind::Deletes);
        let mut stream = pin!(self.client.query_raw(statement, &ready.parameters).await?);
        let mut rows = Rows::of(statement.columns().len());
        while let Some(row) = stream.try_next().await? {
            rows::pack(&mut rows, &row)?;
        }
        let changed = stream.rows_affected().filter(|_| changes).unwrap_or_default();
        Ok(Answer {
            rows: rows.into_bytes(),
            changed,
        })
    }

    /// What is to be done on this connection about a failure.
    fn note_failure(&mut self, failure: Option<&Failure>) {
        match failure {
            Some(failure) if is_stale_plan(failure) => self.prepared.clear(),
            Some(Failure::Database(Common::Unavailable(_))) => self.is_lost.store(true, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Runs a migration's statement, which has no parameters and is not kept, for so long at most.
    pub async fn run_as_it_is(&mut self, statement: &Checked, left: Duration) -> Result<(), Failure> {
        if left.is_zero() {
            return Err(Failure::Interrupted);
        }
        let until = Instant::now() + left + ANSWER_TIMEOUT;
        self.set_bound("SET LOCAL", left, until).await?;
        let work = async { Ok(self.client.batch_execute(&statement.text).await?) };
        self.wait(until, work).await
    }

    /// The rows of a statement of the host's.
    pub async fn rows(&mut self, sql: &str, until: Instant) -> Result<Vec<Vec<Value>>, Failure> {
        let work = async { self.client.query(sql, &[]).await.map_err(Failure::of_host) };
        let rows = self.wait(until, work).await?;
        let values = |row: &tokio_postgres::Row| (0..row.len()).map(|at| Ok(row.try_get(at)?)).collect();
        rows.iter().map(values).collect()
    }

    async fn prepared(&mut self, ready: &Ready, until: Instant) -> Result<Statement, Failure> {
        let statement = &ready.statement;
        if let Some(prepared) = self.prepared.get(&statement.text) {
            check_parameters(prepared, &ready.parameters)?;
            return Ok(prepared.clone());
        }
        let work = async { Ok(self.client.prepare(&statement.text).await?) };
        let prepared = self.wait(until, work).await?;
        rows::check(&prepared)?;
        check_parameters(&prepared, &ready.parameters)?;
        if statement.text.len() <= MAX_KEPT_LENGTH {
            if self.prepared.len() == MAX_STATEMENTS {
                self.prepared.clear();
            }
            self.prepared.insert(statement.text.clone(), prepared.clone());
        }
        Ok(prepared)
    }

    /// Waits for an answer. When it does not come in time, or is too large, the connection is of no use any more.
    async fn wait<T>(&self, until: Instant, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        self.is_busy.store(true, Ordering::Relaxed);
        let answer = match timeout_at(until, self.address.patiently(work)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(away)) => {
                self.is_lost.store(true, Ordering::Relaxed);
                return Err(away.into());
            }
            Err(_) => return Err(Failure::Interrupted),
        };
        match &answer {
            Err(Failure::Database(Common::Unavailable(_))) => self.is_lost.store(true, Ordering::Relaxed),
            // The rest of the rows is still on its way.
            Err(Failure::TooLarge(_)) => return answer,
            _ => {}
        }
        self.is_busy.store(false, Ordering::Relaxed);
        answer
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if !self.is_busy.load(Ordering::Relaxed) {
            return;
        }
        // Nobody waits for the answer any more: the server has to stop, and what it still sends is not read. A commit that waits for
        // standbys must not be told so: it would count as done.
        if let Ok(runtime) = tokio::runtime::Handle::try_current()
            && !self.is_ending.load(Ordering::Relaxed)
        {
            runtime.spawn(self.canceller.clone().cancel());
        }
        self.task.abort();
    }
}

/// The server's bound of a statement that has so long.
pub fn rounded(left: Duration) -> Duration {
    let steps = left.as_millis() / BOUND_STEP.as_millis() + 1;
    BOUND_STEP.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX))
}

fn check_parameters(statement: &Statement, parameters: &[Value]) -> Result<(), Failure> {
    let (expected, given) = (statement.params().len(), parameters.len());
    if expected != given {
        return Err(Failure::parameters(expected, given));
    }
    for parameter in parameters {
        let length = match parameter {
            Value::Text(text) => text.len(),
            Value::Blob(bytes) => bytes.len(),
            _ => 0,
        };
        if length > MAX_VALUE {
            return Err(Failure::large_value());
        }
    }
    Ok(())
}

/// Whether a table was changed under a statement that was prepared before. It is prepared anew the next time.
pub fn is_stale_plan(failure: &Failure) -> bool {
    matches!(failure, Failure::Statement(text) if text.contains("cached plan must not change result type"))
}
