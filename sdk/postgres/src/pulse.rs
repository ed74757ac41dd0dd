//! Whether the database's server answers at all. Whoever waits for long asks: so a server that is gone without a word is told from
//! one that works on a statement that takes long.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::failure::Failure;

/// How long an answer is waited for before the server is asked whether it is there.
const PATIENCE_TIMEOUT: Duration = Duration::from_millis(500);
/// How long that answer may take, with a new connection if one is needed. Both together are less than 2 s.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_200);

/// A connection, and the task that speaks with the server.
type Connected = Result<(Client, AbortHandle), Failure>;
pub(crate) type Connecting = Pin<Box<dyn Future<Output = Connected> + Send>>;
/// Connects within a time.
pub(crate) type Connect = Arc<dyn Fn(Duration) -> Connecting + Send + Sync>;

type Asker = oneshot::Sender<Result<(), Failure>>;

/// The pulse of a server. Nothing is connected until somebody has waited for long.
#[derive(Default)]
pub(crate) struct Pulse {
    askers: OnceLock<mpsc::UnboundedSender<Asker>>,
    /// Whom to ask, where that is not whoever asks first: the database of a slot may be deleted.
    base: OnceLock<Connect>,
    beats: Arc<Beats>,
}

/// What was found out.
#[derive(Default)]
struct Beats {
    is_away: AtomicBool,
    losses: AtomicU64,
}

impl Pulse {
    /// Asks in this way, whoever asks first.
    pub fn settle_on(&self, connect: impl FnOnce() -> Connect) {
        self.base.get_or_init(connect);
    }

    /// How often the server did not answer. A connection from before the last time may be to a machine that is gone.
    pub fn losses(&self) -> u64 {
        self.beats.losses.load(Ordering::Relaxed)
    }

    /// Waits for work that the server answers; [`Failure::Unavailable`] when the server is found not to answer anything.
    pub async fn patiently<T>(
        &self,
        connect: impl Fn() -> Connect,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let mut work = std::pin::pin!(work);
        loop {
            // What is away already is asked at once.
            let patience = match self.beats.is_away.load(Ordering::Relaxed) {
                true => Duration::ZERO,
                false => PATIENCE_TIMEOUT,
            };
            if let Ok(done) = timeout(patience, work.as_mut()).await {
                return Ok(done);
            }
            tokio::select! {
                biased;
                done = work.as_mut() => return Ok(done),
                there = self.ask(&connect) => there?,
            }
        }
    }

    /// Whether the server answers. All who ask at once share a question.
    async fn ask(&self, connect: &impl Fn() -> Connect) -> Result<(), Failure> {
        let askers = self.askers.get_or_init(|| {
            let (askers, inbox) = mpsc::unbounded_channel();
            let base = self.base.get_or_init(connect);
            tokio::spawn(answer(base.clone(), self.beats.clone(), inbox));
            askers
        });
        let (asker, answer) = oneshot::channel();
        match askers.send(asker) {
            Ok(()) => answer.await.unwrap_or(Ok(())),
            // The runtime of the task has ended, and nobody knows.
            Err(_) => Ok(()),
        }
    }
}

/// A connection, and the task that speaks with the server.
struct Open(Client, AbortHandle);

impl Drop for Open {
    fn drop(&mut self) {
        self.1.abort();
    }
}

/// Answers until nobody can ask any more.
async fn answer(connect: Connect, beats: Arc<Beats>, mut inbox: mpsc::UnboundedReceiver<Asker>) {
    let (mut open, mut waiting) = (None, Vec::new());
    while inbox.recv_many(&mut waiting, usize::MAX).await > 0 {
        let asked = timeout(ANSWER_TIMEOUT, question(&connect, &mut open)).await;
        let answered = asked.unwrap_or_else(|_| Err(Failure::Unavailable("it did not answer in time".to_owned())));
        beats.is_away.store(answered.is_err(), Ordering::Relaxed);
        if answered.is_err() {
            open = None;
            beats.losses.fetch_add(1, Ordering::Relaxed);
            // It is as good an answer to those who asked meanwhile.
            while let Ok(asker) = inbox.try_recv() {
                waiting.push(asker);
            }
        }
        for asker in waiting.drain(..) {
            // It may have gone away meanwhile.
            let _ = asker.send(answered.clone());
        }
    }
}

async fn question(connect: &Connect, open: &mut Option<Open>) -> Result<(), Failure> {
    if let Some(Open(client, _)) = open {
        match client.batch_execute("SELECT 1").await.map_err(Failure::from) {
            // It may have ended long ago, while nobody asked.
            Err(Failure::Unavailable(_)) => *open = None,
            answered => return answered,
        }
    }
    let (client, task) = connect(ANSWER_TIMEOUT).await?;
    let Open(client, _) = open.insert(Open(client, task));
    Ok(client.batch_execute("SELECT 1").await?)
}
