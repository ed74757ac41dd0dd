//! An open database of a slot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::bounds::Bounds;
use super::cache::Cache;
use super::checked::Kind;
use super::closing::Closing;
use super::connection::is_stale_plan;
use super::failure::Failure;
use super::gauge::Gauge;
use super::generation::{Generation, edition};
use super::group::{Job, Writer};
use super::labels::{HOST_TIMEOUT, Labels, soon};
use super::pool::Pool;
use super::schema::{Change, Changed, Changing, SchemaError};
use super::settle::{End, RECEIPTS, Times, begin, commit, lost};
use super::stage::{Stage, Staged};
use super::steps::{Schema, Wanted};
use super::transaction::Transaction;
use super::work::{Answer, Event, Ready, Step, Work};
use crate::address::Address;
use crate::failure::Failure as Common;
use crate::receipt::{self, Receipt};
use crate::turn::{Turn, Wait};
use crate::value::Value;

/// Connections of the writes: one runs them, and one asks what became of a commit without an answer.
const WRITERS: usize = 2;

/// Transactions of this server at once: one, as one holds the slot's lock.
const TRANSACTIONS: usize = 1;

/// How long a server waits for another one that changes the schema, beside the time of the steps.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a plugin's start may be silent between two statements of a staged transaction.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How long reading or deleting events may take.
const EVENTS_TIMEOUT: Duration = Duration::from_secs(2);

/// An open database of a slot. Dropping it ends it after the writes that were handed over.
pub struct Database {
    readers: Arc<Pool>,
    writers: Arc<Pool>,
    transactions: Arc<Pool>,
    gauge: Arc<Gauge>,
    stage: Arc<Stage>,
    generation: Generation,
    cache: Cache,
    bounds: Bounds,
    address: Address,
    /// The edition in which it was opened.
    edition: i64,
    is_superseded: AtomicBool,
    jobs: mpsc::UnboundedSender<Job>,
}

/// A database that was opened.
pub struct Opened {
    /// It.
    pub database: Database,
    /// What was done to the data.
    pub change: Change,
    /// The database whose data were taken over: it has to be closed before the change is committed.
    pub closing: Option<Closing>,
    /// Whether the data come into use in place of others, which have to be closed in the same way.
    pub replaces: bool,
}

impl Database {
    /// The same as [`open_for`](Self::open_for) for a plugin's schema alone.
    pub async fn open(
        address: &Address,
        bounds: Bounds,
        schema: &Schema,
        limit: Duration,
    ) -> Result<(Self, Change), SchemaError> {
        let opened = Self::open_for(address, bounds, &schema.clone().into(), limit).await?;
        Ok((opened.database, opened.change))
    }

    /// Opens a database that was [provisioned](super::Provision::run), as the slot's role, and brings it to what is wanted within the
    /// limit. When it changed, reads and writes are parts of the change's transaction until [`promote`](Self::promote); dropping the
    /// database rolls it back.
    pub async fn open_for(
        address: &Address,
        bounds: Bounds,
        wanted: &Wanted,
        limit: Duration,
    ) -> Result<Opened, SchemaError> {
        let readers = Pool::new(address, true, bounds.connect, bounds.readers);
        let writers = Pool::new(address, false, bounds.connect, WRITERS);
        let transactions = Pool::new(address, false, bounds.connect, TRANSACTIONS);
        let mut connection = writers.lease_for_change().await?;
        let times = Times {
            wait: LOCK_TIMEOUT,
            idle: START_TIMEOUT,
            bound: HOST_TIMEOUT,
            writes: None,
        };
        let mut receipt = begin(&mut connection, times).await?;
        let changing = Changing {
            wanted,
            bounds,
            until: Instant::now() + limit,
            limit,
        };
        let Changed {
            change,
            edition,
            closing,
            replaces,
        } = changing.run(&mut connection).await?;
        let stage = match change {
            Change::Used if !replaces => {
                // The host's tables may be new. They are made again if they are lost, so no standby is waited for.
                let alone = "SET LOCAL synchronous_commit = local";
                connection.batch(alone, soon()).await?;
                match commit(&mut connection, &receipt, &writers, &bounds).await? {
                    End::Committed => Stage::default(),
                    End::Undone => return Err(lost().into()),
                }
            }
            _ => {
                // The table is there now.
                let left = connection.batch(&receipt::leave(RECEIPTS), soon()).await?;
                receipt = left.map_or(receipt, |answer| Receipt::of(&answer));
                Stage::of(Staged { connection, receipt })
            }
        };
        let gauge = Arc::new(Gauge::default());
        let (jobs, inbox) = mpsc::unbounded_channel();
        let writer = Writer {
            pool: writers.clone(),
            gauge: gauge.clone(),
            bounds,
            edition,
        };
        tokio::spawn(writer.work(inbox));
        let database = Self {
            readers,
            writers,
            transactions,
            gauge,
            stage: Arc::new(stage),
            generation: Generation::new(address),
            cache: Cache::new(bounds.cache),
            bounds,
            address: address.clone(),
            edition,
            is_superseded: AtomicBool::new(false),
            jobs,
        };
        Ok(Opened {
            database,
            change,
            closing,
            replaces,
        })
    }

    /// What data that were [provisioned](super::Provision::run) need. Nothing is changed, and nobody waits.
    pub async fn look(address: &Address, bounds: Bounds, wanted: &Wanted) -> Result<Change, SchemaError> {
        wanted.change_of(&Self::labels(address, bounds).await?)
    }

    /// What a database says of itself.
    pub async fn labels(address: &Address, bounds: Bounds) -> Result<Labels, Failure> {
        let readers = Pool::new(address, true, bounds.connect, 1);
        let mut connection = readers.lease_for_change().await?;
        Labels::look(&mut connection).await
    }

    /// Commits what is staged; the database is an ordinary one then. Without anything staged nothing happens.
    pub async fn promote(&self) -> Result<(), Failure> {
        self.stage.promote(&self.writers, &self.bounds).await
    }

    /// Rolls back what is staged: from now on the database refuses reads and writes. Without anything staged nothing happens.
    pub fn abandon(&self) {
        self.stage.abandon();
    }

    /// Bounds the tables with their indexes, in bytes, from about a second later on. When they are larger, nothing is added or
    /// changed; rows can be deleted.
    pub fn set_max_bytes(&self, bytes: u64) {
        self.gauge.set(bytes);
    }

    /// Runs a statement that reads, until the deadline, and answers its rows, packed.
    pub async fn query(
        &self,
        sql: &str,
        parameters: Vec<Value>,
        deadline: std::time::Instant,
    ) -> Result<Vec<u8>, Failure> {
        let ready = Ready::new(sql, parameters)?;
        if ready.statement.kind != Kind::Reads {
            return Err(Failure::Refused("the statement must only read".to_owned()));
        }
        let reading = self.rows(&ready, deadline.into());
        self.address.patiently(reading).await?
    }

    /// Rows that were read before, where the data are the same since; else they are read now.
    async fn rows(&self, ready: &Ready, until: Instant) -> Result<Vec<u8>, Failure> {
        if self.stage.is_there() {
            return Ok(self.stage.read(ready, until).await?.rows);
        }
        let generation = self.generation(until).await?;
        let key = self.cache.key(ready);
        if let Some(rows) = key.and_then(|key| self.cache.get(&key, generation)) {
            return Ok(rows);
        }
        let rows = match self.read(ready, until).await {
            Ok(answer) => answer.rows,
            // It may be the statement of a plugin from before a change that came in between.
            Err(failure @ Failure::Statement(_)) => {
                self.generation(until).await?;
                return Err(failure);
            }
            Err(failure) => return Err(failure),
        };
        if let Some(key) = key {
            self.cache.put(key, generation, &rows);
        }
        Ok(rows)
    }

    /// The generation of the data, while they are of the edition in which they were opened.
    async fn generation(&self, until: Instant) -> Result<i64, Failure> {
        let generation = self.generation.now(until).await?;
        match edition(generation) == self.edition {
            true => Ok(generation),
            false => Err(self.noted(Failure::Superseded)),
        }
    }

    /// Whether somebody was told that the data are another plugin's by now. It has to be opened anew.
    pub fn is_superseded(&self) -> bool {
        self.is_superseded.load(Ordering::Relaxed)
    }

    fn noted(&self, failure: Failure) -> Failure {
        if failure == Failure::Superseded {
            self.is_superseded.store(true, Ordering::Relaxed);
        }
        failure
    }

    async fn read(&self, ready: &Ready, until: Instant) -> Result<Answer, Failure> {
        let mut answer = self.readers.lease(until).await?.read(ready, until).await;
        // An idle connection may have been lost, and a table changed under a prepared statement.
        if answer
            .as_ref()
            .is_err_and(|failure| failure.is_loss() || is_stale_plan(failure))
        {
            answer = self.readers.lease(until).await?.read(ready, until).await;
        }
        answer
    }

    /// Runs one statement and answers how many rows it changed. Durable when this resolves.
    pub async fn execute(
        &self,
        sql: &str,
        parameters: Vec<Value>,
        deadline: std::time::Instant,
    ) -> Result<u64, Failure> {
        let work = Work {
            steps: vec![Ready::new(sql, parameters)?],
            events: Vec::new(),
            deadline: deadline.into(),
            is_hosts: false,
        };
        let answers = self.write(work).await?;
        Ok(answers.first().map_or(0, |answer| answer.changed))
    }

    /// Runs the steps in one transaction, all or nothing, and answers the rows of each. The events are stored with it. Durable when
    /// this resolves.
    pub async fn batch(
        &self,
        steps: Vec<Step>,
        events: Vec<Event>,
        deadline: std::time::Instant,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let steps = steps.into_iter().map(Ready::of_step).collect::<Result<_, _>>()?;
        let work = Work {
            steps,
            events,
            deadline: deadline.into(),
            is_hosts: false,
        };
        let answers = self.write(work).await?;
        Ok(answers.into_iter().map(|answer| answer.rows).collect())
    }

    async fn write(&self, work: Work) -> Result<Vec<Answer>, Failure> {
        if self.stage.is_there() {
            return self.stage.write(&work, &self.gauge, &self.bounds).await;
        }
        let ((reply, answer), turn) = (oneshot::channel(), Turn::default());
        let job = Job {
            work,
            reply,
            turn: turn.clone(),
        };
        let closed = |_| Common::Unavailable("it is closed".to_owned());
        self.jobs.send(job).map_err(closed)?;
        let answer = turn.wait(answer, Wait::Short).await?;
        answer.map_err(|failure| self.noted(failure))
    }

    /// Begins a transaction that spans more than one call and ends at a time, and waits so long for the slot's writers.
    pub async fn begin(&self, until: std::time::Instant) -> Result<Transaction, Failure> {
        match self.stage.is_there() {
            true => Transaction::inside(&self.stage, &self.gauge, self.bounds, until.into()).await,
            false => {
                let pools = (&self.transactions, &self.writers);
                let begun = Transaction::begin(pools, &self.gauge, (self.bounds, self.edition), until.into()).await;
                begun.map_err(|failure| self.noted(failure))
            }
        }
    }

    /// The events that are stored, in order, each with its number.
    pub async fn events(&self) -> Result<Vec<(i64, Event)>, Failure> {
        let until = Instant::now() + EVENTS_TIMEOUT;
        let sql = "SELECT id, topic, data FROM public._galley_events ORDER BY id";
        let rows = self.readers.lease(until).await?.rows(sql, until).await?;
        let event = |row| match <[Value; 3]>::try_from(row) {
            Ok([Value::Integer(id), Value::Text(topic), Value::Text(data)]) => Some((id, Event { topic, data })),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(event).collect())
    }

    /// Deletes the stored events up to a number.
    pub async fn forget_events(&self, last: i64) -> Result<(), Failure> {
        let sql = "DELETE FROM public._galley_events WHERE id <= $1";
        let work = Work {
            steps: vec![Ready::of_host(sql, vec![Value::Integer(last)])],
            events: Vec::new(),
            deadline: Instant::now() + EVENTS_TIMEOUT,
            is_hosts: true,
        };
        self.write(work).await.map(drop)
    }
}
