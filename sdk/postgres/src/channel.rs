//! Names that are rung at one client of a database and heard by all others: LISTEN and NOTIFY, on a connection of their own.
//!
//! A transaction that notifies holds a lock of all databases of the server while it commits. So what is rung is sent behind the
//! commits that it is about, in transactions that write nothing.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::stream::{StreamExt, poll_fn};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_postgres::{AsyncMessage, Client, Statement};

use crate::address::{Address, Spoken};
use crate::failure::Failure;
use crate::text::{restored, stored};

/// The longest name, in bytes as it is stored. A longer one is heard as [`Heard::All`]. PostgreSQL takes less than 8,000.
pub(crate) const MAX_NAME: usize = 7_999;

/// Names that wait to be sent. When there are more, [`Heard::All`] is sent in their place.
const MAX_WAITING: usize = 10_000;
/// The name that stands for all. No other one is empty.
const ALL: &str = "";

/// The shortest time between two transactions. What is rung meanwhile is sent by the next one, each name once.
const SEND_PAUSE: Duration = Duration::from_millis(2);
/// How often it is looked whether a connection on which nothing happens still is one.
const LOOK_TIMEOUT: Duration = Duration::from_secs(1);
/// How long connecting, and an answer, may take.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The pause after a connection was lost, and the longest one after several tries.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// What is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<'a> {
    /// Another client rang this name.
    Name(&'a str),
    /// Anything may have been rung: the connection is new, or too much was rung.
    All,
}

type Hearer = dyn Fn(Heard<'_>) + Send + Sync;

/// A channel. What is rung here is heard by all others of its name, not by itself. When the connection was lost a new one is made, by
/// itself; then it hears [`Heard::All`], and what was rung meanwhile is sent. Dropped, it ends at once.
pub struct Channel {
    waiting: Arc<Waiting>,
    task: AbortHandle,
}

/// What waits to be sent.
#[derive(Default)]
struct Waiting {
    names: Mutex<Names>,
    rung: Notify,
}

#[derive(Default)]
struct Names {
    next: HashSet<String>,
    /// They are on their way, and not known to have arrived.
    sending: HashSet<String>,
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Channel {
    pub(crate) fn open(
        address: Address,
        name: &'static str,
        heard: impl Fn(Heard<'_>) + Send + Sync + 'static,
    ) -> Self {
        let waiting = Arc::new(Waiting::default());
        let task = tokio::spawn(follow(address, name, waiting.clone(), Arc::new(heard)));
        Self {
            waiting,
            task: task.abort_handle(),
        }
    }

    /// Rings a name at all others. It waits for nothing.
    pub fn ring(&self, name: &str) {
        self.waiting.add(name);
    }
}

impl Waiting {
    fn names(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, name: &str) {
        let name = stored(name);
        let mut names = self.names();
        if names.next.contains(ALL) {
            return;
        }
        if name.len() > MAX_NAME || names.next.len() >= MAX_WAITING {
            names.next.clear();
            names.next.insert(ALL.to_owned());
        } else if !names.next.contains(name.as_ref()) {
            names.next.insert(name.into_owned());
        }
        drop(names);
        self.rung.notify_one();
    }

    /// What is to be sent, with what did not arrive before.
    fn take(&self) -> Vec<String> {
        let mut names = self.names();
        let next = std::mem::take(&mut names.next);
        names.sending.extend(next);
        names.sending.iter().cloned().collect()
    }

    /// What was taken has arrived.
    fn sent(&self) {
        self.names().sending.clear();
    }
}

/// Keeps a connection, until the channel is dropped.
async fn follow(address: Address, name: &'static str, waiting: Arc<Waiting>, heard: Arc<Hearer>) {
    let mut pause = FIRST_PAUSE;
    loop {
        if let Ok((client, connection)) = address.open(ANSWER_TIMEOUT).await {
            let is_heard = speak(client, connection, name, &waiting, &heard).await;
            if is_heard {
                pause = FIRST_PAUSE;
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

/// Hears and sends until the connection ends; answers whether it ever heard.
async fn speak(client: Client, mut connection: Spoken, name: &str, waiting: &Waiting, heard: &Arc<Hearer>) -> bool {
    // The server's process of this connection, once it is known. What came from it was rung here.
    let own = AtomicI32::new(0);
    let hear = async {
        let mut messages = poll_fn(|context| connection.poll_message(context));
        while let Some(Ok(message)) = messages.next().await {
            match message {
                AsyncMessage::Notification(note) if note.process_id() != own.load(Ordering::Relaxed) => {
                    match note.payload() {
                        ALL => heard(Heard::All),
                        name => heard(Heard::Name(&restored(name))),
                    }
                }
                _ => {}
            }
        }
    };
    // Why it ended does not matter: the next connection says what is the matter with it.
    tokio::select! {
        _failed = send(&client, name, waiting, &own, heard) => {}
        () = hear => {}
    }
    own.load(Ordering::Relaxed) != 0
}

/// Begins to listen, and sends what is rung.
async fn send(
    client: &Client,
    name: &str,
    waiting: &Waiting,
    own: &AtomicI32,
    heard: &Arc<Hearer>,
) -> Result<Infallible, Failure> {
    let (process, notify) = answered(listen(client, name)).await?;
    own.store(process, Ordering::Relaxed);
    heard(Heard::All);
    loop {
        // What did not arrive by the connection before comes first.
        let names = waiting.take();
        if names.is_empty() {
            if tokio::time::timeout(LOOK_TIMEOUT, waiting.rung.notified())
                .await
                .is_err()
            {
                answered(client.batch_execute("")).await?;
            }
            continue;
        }
        answered(client.execute(&notify, &[&name, &names])).await?;
        waiting.sent();
        tokio::time::sleep(SEND_PAUSE).await;
    }
}

/// Listens; answers the server's process, and the statement that notifies.
async fn listen(client: &Client, name: &str) -> Result<(i32, Statement), tokio_postgres::Error> {
    // Nothing is written, so there is nothing to wait for.
    client
        .batch_execute(&format!("SET synchronous_commit = off; LISTEN {name}"))
        .await?;
    let process = client.query_one("SELECT pg_backend_pid()", &[]).await?.try_get(0)?;
    let sql = "SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name";
    Ok((process, client.prepare(sql).await?))
}

async fn answered<T>(work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Failure> {
    match tokio::time::timeout(ANSWER_TIMEOUT, work).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(Failure::Unavailable("it did not answer in time".to_owned())),
    }
}
