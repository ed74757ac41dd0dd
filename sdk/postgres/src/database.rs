//! Transactions: SERIALIZABLE, tried again when another one was in the way, and settled when the connection was lost in a
//! commit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{Mutex, Semaphore};
use tokio_postgres::{Config, NoTls};

use crate::failure::Failure;
use crate::session::Session;

/// How often a transaction is tried that others were in the way of.
const MAX_ATTEMPTS: u32 = 8;
/// The pause behind the first attempt; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// How long a lost commit is asked for, at the server that is there then.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(30);
const SETTLE_PAUSE: Duration = Duration::from_millis(200);

/// Bounds of a database's use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Open connections.
    pub connections: usize,
    /// How long one statement may run.
    pub statement: Duration,
    /// How long connecting may take.
    pub connect: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 8,
            statement: Duration::from_secs(10),
            connect: Duration::from_secs(2),
        }
    }
}

/// A database. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

struct Shared {
    config: Config,
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

impl Database {
    /// A database at an address such as `postgresql://user:password@host/name`. Nothing is connected yet.
    pub fn new(address: &str, bounds: Bounds) -> Result<Self, Failure> {
        // The text may hold a password.
        let unusable = |_| Failure::Statement("the address of the database is none".to_owned());
        let mut config: Config = address.parse().map_err(unusable)?;
        config.connect_timeout(bounds.connect);
        Ok(Self {
            shared: Arc::new(Shared {
                config,
                bounds,
                idle: Mutex::default(),
                places: Semaphore::new(bounds.connections),
            }),
        })
    }

    /// Runs a read in a transaction of its own, which sees one state of the database.
    pub async fn read<T, E>(&self, mut read: impl FnMut(&mut Session) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
    {
        let place = self.place().await?;
        let (mut session, answer) = self
            .on_thread(move |session| {
                session.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
                let answer = read(session);
                // Nothing was written: an end that is not answered changes nothing.
                let _ = session.batch("ROLLBACK");
                Ok(answer)
            })
            .await?;
        self.give_back(&mut session).await;
        drop(place);
        answer
    }

    /// Runs a write in a SERIALIZABLE transaction, which is durable when this resolves. The closure may run several times,
    /// so it must have no effect but on the database; an `Err` undoes what it did.
    pub async fn write<T, E>(&self, write: impl FnMut(&mut Session) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
    {
        let place = self.place().await?;
        let write = Arc::new(std::sync::Mutex::new(write));
        let mut pause = FIRST_PAUSE;
        let mut attempt = 1;
        loop {
            let last = match self.attempt(write.clone()).await? {
                End::Over(answer) => {
                    drop(place);
                    return answer;
                }
                End::Again(failure) => failure,
            };
            if attempt == MAX_ATTEMPTS {
                return Err(last.into());
            }
            attempt += 1;
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    /// One attempt. `Err` when it is over without success.
    async fn attempt<T, E, F>(&self, write: Arc<std::sync::Mutex<F>>) -> Result<End<Result<T, E>>, Failure>
    where
        T: Send + 'static,
        E: From<Failure> + Send + 'static,
        F: FnMut(&mut Session) -> Result<T, E> + Send + 'static,
    {
        let (mut session, done) = self
            .on_thread(move |session| {
                session.batch("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")?;
                session.take_failure();
                let answer = (write.lock().unwrap_or_else(std::sync::PoisonError::into_inner))(session);
                match (session.take_failure(), answer.is_ok()) {
                    (None, true) => {}
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
                let id = session.transaction_id()?;
                match session.batch("COMMIT") {
                    Ok(()) => Ok((End::Over(answer), None)),
                    Err(Failure::Unavailable(_)) => Ok((End::Over(answer), id)),
                    Err(failure @ Failure::Conflict) => Ok((End::Again(failure), None)),
                    Err(failure) => Err(failure),
                }
            })
            .await?;
        self.give_back(&mut session).await;
        match done {
            (end, None) => Ok(end),
            (end, Some(id)) => match self.settle(&id).await? {
                true => Ok(end),
                false => Ok(End::Again(Failure::Unavailable("the connection was lost".to_owned()))),
            },
        }
    }

    /// Whether a transaction whose commit was not answered is committed.
    async fn settle(&self, id: &str) -> Result<bool, Failure> {
        let end = Instant::now() + SETTLE_TIMEOUT;
        loop {
            let id = id.to_owned();
            let asked = self.on_thread(move |session| session.transaction_status(&id)).await;
            match asked.map(|(_, status)| status) {
                Ok(Some(status)) if status == "committed" => return Ok(true),
                Ok(Some(status)) if status == "aborted" => return Ok(false),
                // So long ago that nobody knows.
                Ok(None) => return Err(Failure::InDoubt),
                _ if Instant::now() >= end => return Err(Failure::InDoubt),
                _ => tokio::time::sleep(SETTLE_PAUSE).await,
            }
        }
    }

    /// Runs work on a connection, on a thread that may block.
    async fn on_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<T, Failure> + Send + 'static,
    ) -> Result<(Option<Session>, T), Failure> {
        let mut session = self.session().await?;
        let worked = tokio::task::spawn_blocking(move || {
            let done = work(&mut session);
            (session, done)
        });
        let (session, done) = worked
            .await
            .map_err(|error| Failure::Statement(format!("the work on the database ended badly: {error}")))?;
        Ok((Some(session), done?))
    }

    async fn session(&self) -> Result<Session, Failure> {
        let idle = self.shared.idle.lock().await.pop();
        if let Some(session) = idle.filter(|session| !session.is_closed()) {
            return Ok(session);
        }
        let bounds = self.shared.bounds;
        let connecting = async {
            let (client, connection) = self.shared.config.connect(NoTls).await?;
            // It ends with the client; why it ended is told to whoever waits for an answer.
            tokio::spawn(connection);
            let timeout = bounds.statement.as_millis();
            client
                .batch_execute(&format!(
                    "SET statement_timeout = {timeout}; SET idle_in_transaction_session_timeout = {timeout}"
                ))
                .await?;
            Ok::<_, Failure>(Session::new(client, Handle::current()))
        };
        match tokio::time::timeout(bounds.connect, connecting).await {
            Ok(session) => session,
            Err(_) => Err(Failure::Unavailable("it did not answer in time".to_owned())),
        }
    }

    async fn give_back(&self, session: &mut Option<Session>) {
        if let Some(session) = session.take().filter(|session| !session.is_closed()) {
            self.shared.idle.lock().await.push(session);
        }
    }

    async fn place(&self) -> Result<tokio::sync::SemaphorePermit<'_>, Failure> {
        let place = self.shared.places.acquire().await;
        place.map_err(|_| Failure::Unavailable("it is closed".to_owned()))
    }
}
