//! Keeping what is held in memory as new as the database, where several servers write it.
//!
//! Whoever is about to decide by the memory asks for a check first. A check reads the generation, and what changed when that has
//! grown. One check answers all who asked before it began, so requests that come at once share it. What was acknowledged anywhere
//! before a request arrived is in memory when its check is over.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use super::changes;
use super::error::CoreError;
use super::memory::Memory;
use crate::storage::engine::{Rows, Shared, Watch, away};
use crate::storage::outage;
use crate::storage::sqlite::StorageError;

/// How long a check is waited for: whoever asks is told within 2 s that the database is away.
const CHECK_TIMEOUT: Duration = Duration::from_millis(1_700);

/// How long a check waits for others to join: requests that never end to come must not keep it from beginning.
const GATHER_TIMEOUT: Duration = Duration::from_micros(250);

/// Why there is no check after that time.
const LATE: &str = "it did not answer in time";

/// Why there is no check: others that wait for the same one are told the same.
type Checked = Result<(), String>;

/// One who asked.
struct Asker {
    asked: Instant,
    answer: oneshot::Sender<Checked>,
}

/// Reads something that is held elsewhere, in the transaction that reads what changed; what it answers puts it in place.
pub(super) type Reader = Arc<dyn Fn(&mut Rows<'_>) -> Result<Box<dyn FnOnce() + Send>, CoreError> + Send + Sync>;

/// The checks of one server. Dropped, they end.
pub struct Freshness {
    asked: mpsc::UnboundedSender<Asker>,
    common: Arc<Common>,
}

/// What those who ask have in common with the task that answers.
#[derive(Default)]
struct Common {
    /// How many checks began.
    checks: AtomicU64,
    /// Who holds the mail server, once somebody does.
    mail_server: Mutex<Option<Reader>>,
    /// Whether that is to be read, whatever has changed.
    is_new: AtomicBool,
}

/// The task that answers.
struct Follower {
    database: Shared,
    watch: Watch,
    memory: Arc<Memory>,
    /// The generation that is in memory.
    known: i64,
    common: Arc<Common>,
}

impl Freshness {
    /// Follows a database from the generation on that is in memory.
    pub(super) fn start(database: Shared, memory: Arc<Memory>, known: i64) -> Self {
        let (asked, inbox) = mpsc::unbounded_channel();
        let common = Arc::new(Common::default());
        let follower = Follower {
            watch: database.watch(changes::GENERATION),
            database,
            memory,
            known,
            common: common.clone(),
        };
        tokio::spawn(follower.run(inbox));
        Self { asked, common }
    }

    /// Waits for a check that begins now or later.
    pub async fn check(&self) -> Result<(), StorageError> {
        let (answer, checked) = oneshot::channel();
        let asked = Instant::now();
        self.asked
            .send(Asker { asked, answer })
            .map_err(|_| StorageError::Gone)?;
        match checked.await {
            Ok(checked) => checked.map_err(|reason| away(&reason)),
            Err(_) => Err(StorageError::Gone),
        }
    }

    /// How many checks began so far.
    pub fn checks(&self) -> u64 {
        self.common.checks.load(Ordering::Relaxed)
    }

    /// Reads the mail server with the next check, and whenever it has changed.
    pub(crate) fn follow_mail_server(&self, reader: Reader) {
        *self.common.mail_server.lock() = Some(reader);
        self.common.is_new.store(true, Ordering::Release);
    }
}

/// Lets those join whose requests are there: what is read already may ask, too, and a check costs as much for many as for one.
async fn gather(inbox: &mut mpsc::UnboundedReceiver<Asker>, waiting: &mut Vec<Asker>) {
    let until = Instant::now() + GATHER_TIMEOUT;
    let mut asked = 0;
    while waiting.len() > asked && Instant::now() < until {
        asked = waiting.len();
        tokio::task::yield_now().await;
        while let Ok(asker) = inbox.try_recv() {
            waiting.push(asker);
        }
    }
}

/// Waits for a check. Meanwhile it tells those who have waited for too long, perhaps for the one before as well. One timer serves all.
async fn while_telling_the_late<T>(check: impl Future<Output = T>, waiting: &mut Vec<Asker>) -> T {
    let mut check = pin!(check);
    // In the order they asked.
    while let Some(first) = waiting.first() {
        if let Ok(checked) = timeout_at(first.asked + CHECK_TIMEOUT, check.as_mut()).await {
            return checked;
        }
        let now = Instant::now();
        let late = waiting.iter().take_while(|asker| asker.asked + CHECK_TIMEOUT <= now);
        let late = late.count();
        for asker in waiting.drain(..late) {
            let _ = asker.answer.send(Err(LATE.to_owned()));
        }
    }
    check.await
}

impl Follower {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Asker>) {
        let mut waiting = Vec::new();
        while inbox.recv_many(&mut waiting, usize::MAX).await > 0 {
            gather(&mut inbox, &mut waiting).await;
            self.common.checks.fetch_add(1, Ordering::Relaxed);
            let checked = while_telling_the_late(self.check(), &mut waiting).await;
            match &checked {
                Err(reason) => outage::DATABASE.away("what has changed cannot be asked for", reason),
                Ok(()) => outage::DATABASE.back(),
            }
            for asker in waiting.drain(..) {
                // It may have gone away meanwhile.
                let _ = asker.answer.send(checked.clone());
            }
        }
    }

    async fn check(&mut self) -> Checked {
        let is_new = self.common.is_new.swap(false, Ordering::AcqRel);
        // Those who come meanwhile wait for the next one, so this one has to end.
        let checked = match timeout(CHECK_TIMEOUT, self.follow(is_new)).await {
            Ok(checked) => checked.map_err(|error| error.to_string()),
            Err(_) => Err(LATE.to_owned()),
        };
        if checked.is_err() && is_new {
            self.common.is_new.store(true, Ordering::Release);
        }
        checked
    }

    async fn follow(&mut self, is_new: bool) -> Result<(), CoreError> {
        if self.watch.ask().await? == self.known && !is_new {
            return Ok(());
        }
        let (known, reader) = (self.known, self.common.mail_server.lock().clone());
        let read = move |rows: &mut Rows<'_>| {
            let news = changes::since(rows, known)?;
            let put = match &reader {
                Some(reader) if news.mail_server || is_new => Some(reader(rows)?),
                _ => None,
            };
            Ok::<_, CoreError>((news, put))
        };
        let (news, put) = self.database.read(read).await?;
        self.known = news.generation;
        self.memory.take(news);
        if let Some(put) = put {
            put();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(waited: Duration) -> (Asker, oneshot::Receiver<Checked>) {
        let (answer, checked) = oneshot::channel();
        let asked = Instant::now() - waited;
        (Asker { asked, answer }, checked)
    }

    #[tokio::test]
    async fn who_waits_for_too_long_is_told_and_who_came_later_goes_on_waiting() {
        let (first, mut late) = asker(CHECK_TIMEOUT - Duration::from_millis(50));
        let (second, mut in_time) = asker(Duration::ZERO);
        let mut waiting = vec![first, second];
        let check = tokio::time::sleep(Duration::from_millis(200));
        while_telling_the_late(check, &mut waiting).await;
        assert_eq!(late.try_recv(), Ok(Err(LATE.to_owned())));
        assert!(in_time.try_recv().is_err(), "it has waited for 0.2 s");
        assert_eq!(waiting.len(), 1);
    }

    #[tokio::test]
    async fn a_check_ends_though_nobody_waits_any_more() {
        let (first, mut late) = asker(CHECK_TIMEOUT);
        let mut waiting = vec![first];
        let check = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            7
        };
        assert_eq!(while_telling_the_late(check, &mut waiting).await, 7);
        assert_eq!(late.try_recv(), Ok(Err(LATE.to_owned())));
    }
}
