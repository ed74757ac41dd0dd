//! Transactions: SERIALIZABLE, tried again when another one was in the way, and settled when the connection was lost in a
//! commit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, Semaphore};

use crate::address::Address;
use crate::autocommit::Autocommit;
use crate::bounds::Bounds;
use crate::channel::{Channel, Heard};
use crate::failure::Failure;
use crate::probe::Probe;
use crate::receipt::{self, Fate, Receipt};
use crate::session::{RECEIPTS, Session};
use crate::turn::Turn;

/// How often a transaction is tried that others were in the way of.
const MAX_ATTEMPTS: u32 = 8;
/// The pause behind the first attempt; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The pause between two questions for a lost commit.
const SETTLE_PAUSE: Duration = Duration::from_millis(200);

/// A database. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

struct Shared {
    address: Address,
    bounds: Bounds,
    idle: Mutex<Vec<Session>>,
    places: Semaphore,
}

/// What became of a transaction's end.
enum End<T> {
    /// Its changes are durable, or undone by itself: this is the answer.
    Over(T),
    /// Nothing of it is there; the same one may be tried again.
    Again(Failure),
}

/// Work on a connection that may be done more than once.
type Shareable<F> = Arc<std::sync::Mutex<F>>;

impl Database {
    /// A database at an address such as `postgresql://user:password@host/name`. Nothing is connected yet.
    pub fn new(address: &str, bounds: Bounds) -> Result<Self, Failure> {
        Ok(Self::at(Address::parse(address, None)?, bounds))
    }

    /// A database at an address. Nothing is connected yet.
    pub fn at(address: Address, bounds: Bounds) -> Self {
        Self {
            shared: Arc::new(Shared {
                address,
                bounds,
                idle: Mutex::default(),
                places: Semaphore::new(bounds.connections),
            }),
        }
    }

    /// Runs a read in a transaction of its own, which sees one state of the database. The closure runs again when the
    /// connection was lost.
    pub async fn read<T, E>(&self, read: impl FnMut(&mut Session) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
    {
        let read = shareable(read);
        let reading = self.trying(|| self.attempt_to_read(read.clone()));
        self.shared.address.patiently(reading).await?
    }

    /// Runs a write in a SERIALIZABLE transaction, which is durable when this resolves. The closure may run several times,
    /// so it must have no effect but on the database; an `Err` undoes what it did.
    pub async fn write<T, E>(&self, write: impl FnMut(&mut Session) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
    {
        self.write_in_turn(&Turn::default(), write).await
    }

    /// The same for somebody who may leave meanwhile. What is not committed then will not be.
    pub async fn write_in_turn<T, E>(
        &self,
        turn: &Turn,
        write: impl FnMut(&mut Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
    {
        let write = shareable(write);
        self.trying(|| self.attempt_to_write(turn.clone(), write.clone())).await
    }

    /// Forgets receipts that nobody asks for any more.
    pub async fn forget_receipts(&self) -> Result<(), Failure> {
        self.on_thread(|session| session.batch(&receipt::forget(RECEIPTS)))
            .await
    }

    /// A statement without parameters that answers one integer, on a connection of its own.
    pub fn probe(&self, sql: &'static str) -> Probe {
        Probe::new(self.shared.address.clone(), sql)
    }

    /// A connection of its own for statements that are transactions of their own.
    pub fn autocommit(&self) -> Autocommit {
        Autocommit::new(self.shared.address.clone())
    }

    /// A channel of this database, which is heard from now on: see [`Channel`].
    pub fn channel(&self, name: &'static str, heard: impl Fn(Heard<'_>) + Send + Sync + 'static) -> Channel {
        Channel::open(self.shared.address.clone(), name, heard)
    }

    /// Makes attempts until one is over, or enough of them.
    async fn trying<T, E, A>(&self, attempt: impl Fn() -> A) -> Result<T, E>
    where
        E: From<Failure>,
        A: Future<Output = Result<End<Result<T, E>>, Failure>>,
    {
        let place = self.shared.places.acquire().await;
        let _place = place.map_err(|_| Failure::Unavailable("it is closed".to_owned()))?;
        let mut pause = FIRST_PAUSE;
        let mut attempts = 1;
        loop {
            let last = match attempt().await? {
                End::Over(answer) => return answer,
                End::Again(failure) => failure,
            };
            if attempts == MAX_ATTEMPTS {
                return Err(last.into());
            }
            attempts += 1;
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    async fn attempt_to_read<T, E, F>(&self, read: Shareable<F>) -> Result<End<Result<T, E>>, Failure>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
        F: FnMut(&mut Session) -> Result<T, E> + Send + 'static,
    {
        let read = move |session: &mut Session| {
            if let Err(failure) = session.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                return lost(session, failure);
            }
            session.take_failure();
            let answer = run(&read, session);
            if let Some(failure) = session.take_failure().filter(|_| session.is_closed()) {
                return Ok(End::Again(failure));
            }
            // Nothing was written: an end that is not answered changes nothing.
            let _ = session.batch("ROLLBACK");
            Ok(End::Over(answer))
        };
        self.on_thread(read).await
    }

    /// `Err` when the write is over without success.
    async fn attempt_to_write<T, E, F>(&self, turn: Turn, write: Shareable<F>) -> Result<End<Result<T, E>>, Failure>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
        F: FnMut(&mut Session) -> Result<T, E> + Send + 'static,
    {
        if !turn.again() {
            return Err(left());
        }
        let write = move |session: &mut Session| {
            if let Err(failure) = session.batch("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE") {
                return Ok((lost(session, failure)?, None));
            }
            if !turn.begin() {
                session.batch("ROLLBACK")?;
                return Err(left());
            }
            session.take_failure();
            let answer = run(&write, session);
            match (session.take_failure(), answer.is_ok()) {
                (None, true) => {}
                // It was not told to commit.
                (Some(failure), _) if session.is_closed() => return Ok((End::Again(failure), None)),
                (Some(failure @ Failure::Conflict), _) => {
                    session.batch("ROLLBACK")?;
                    return Ok((End::Again(failure), None));
                }
                // After a failure PostgreSQL answers COMMIT with a rollback and no error: a closure that went on would be
                // told that its changes are there.
                (Some(failure), true) => return Err(failure),
                (_, false) => {
                    session.batch("ROLLBACK")?;
                    return Ok((End::Over(answer), None));
                }
            }
            let receipt = match session.leave_receipt() {
                Ok(receipt) => receipt,
                // Whoever else writes there has no receipts that are read.
                Err(failure @ Failure::Conflict) => {
                    session.batch("ROLLBACK")?;
                    return Ok((End::Again(failure), None));
                }
                Err(failure) => return Ok((lost(session, failure)?, None)),
            };
            turn.note_changes(receipt.is_some());
            if !turn.end() {
                session.batch("ROLLBACK")?;
                return Err(left());
            }
            match session.commit() {
                Ok(()) => Ok((End::Over(answer), None)),
                Err(Failure::Unavailable(_)) => Ok((End::Over(answer), receipt)),
                Err(failure @ Failure::Conflict) => Ok((End::Again(failure), None)),
                Err(failure) => Err(failure),
            }
        };
        match self.on_thread(write).await? {
            (end, None) => Ok(end),
            (end, Some(receipt)) => match self.settle(receipt).await? {
                true => Ok(end),
                false => Ok(End::Again(Failure::Unavailable("the connection was lost".to_owned()))),
            },
        }
    }

    /// Whether a transaction whose commit was not answered is committed.
    pub(crate) async fn settle(&self, receipt: Receipt) -> Result<bool, Failure> {
        let end = Instant::now() + self.shared.bounds.settle;
        let mut inquiry = receipt.inquire();
        let question = inquiry.question(RECEIPTS);
        loop {
            let question = question.clone();
            let asked = self.on_thread(move |session| session.ask(&question)).await;
            match asked.map(|answer| inquiry.fate(&answer.unwrap_or_default())) {
                Ok(Fate::Committed) => return Ok(true),
                Ok(Fate::Undone) => return Ok(false),
                Ok(Fate::Unclear) => {}
                _ if Instant::now() >= end => return Err(Failure::InDoubt),
                _ => tokio::time::sleep(SETTLE_PAUSE).await,
            }
        }
    }

    /// Runs work on a connection, on a thread that may block. The connection is kept for others when the work succeeds.
    pub(crate) async fn on_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let mut session = self.session().await?;
        let worked = tokio::task::spawn_blocking(move || {
            let done = work(&mut session);
            (session, done)
        });
        let (session, done) = worked
            .await
            .map_err(|error| Failure::Statement(format!("the work on the database ended badly: {error}")))?;
        let done = done?;
        let mut idle = self.shared.idle.lock().await;
        match session.is_closed() {
            false => idle.push(session),
            // What happened to this one happened to those beside it, too.
            true => idle.clear(),
        }
        Ok(done)
    }

    async fn session(&self) -> Result<Session, Failure> {
        let idle = self.shared.idle.lock().await.pop();
        match idle.filter(|session| !session.is_closed() && !session.is_old()) {
            Some(session) => Ok(session),
            None => self.connect().await,
        }
    }

    /// For each idle connection, whether it is not used again.
    #[cfg(test)]
    pub(crate) async fn idle(&self) -> Vec<bool> {
        let idle = self.shared.idle.lock().await;
        idle.iter()
            .map(|session| session.is_closed() || session.is_old())
            .collect()
    }

    /// A connection of its own, which no other work gets.
    pub(crate) async fn connect(&self) -> Result<Session, Failure> {
        let bounds = self.shared.bounds;
        let connecting = async {
            let connected = self.shared.address.connect(bounds.connect).await?;
            let timeout = bounds.statement.as_millis();
            connected
                .0
                .batch_execute(&format!(
                    "SET client_min_messages = warning; SET statement_timeout = {timeout};
                     SET idle_in_transaction_session_timeout = {timeout}"
                ))
                .await?;
            Ok::<_, Failure>(Session::new(connected, &self.shared.address, bounds))
        };
        match tokio::time::timeout(bounds.connect, connecting).await {
            Ok(session) => session,
            Err(_) => Err(Failure::Unavailable("it did not answer in time".to_owned())),
        }
    }
}

fn shareable<F>(work: F) -> Shareable<F> {
    Arc::new(std::sync::Mutex::new(work))
}

fn run<T, F: FnMut(&mut Session) -> T>(work: &Shareable<F>, session: &mut Session) -> T {
    (work.lock().unwrap_or_else(std::sync::PoisonError::into_inner))(session)
}

/// What is told of a write that nobody waited for any more.
fn left() -> Failure {
    Failure::Unavailable("nobody waits for it any more".to_owned())
}

/// A transaction that is not committed: one whose connection is gone, perhaps while it was idle, is tried on another one.
fn lost<T>(session: &Session, failure: Failure) -> Result<End<T>, Failure> {
    match session.is_closed() {
        true => Ok(End::Again(failure)),
        false => Err(failure),
    }
}
