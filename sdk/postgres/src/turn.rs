//! A write that waits for its turn, and the one who waits for its answer: who leaves knows whether anything may have happened.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use crate::failure::Failure;

/// The same as [`Turn::ANSWER_TIMEOUT`] for others, as long as the write waits for those before it. Then it has time.
const TURN_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a commit may take before its caller is told that nobody knows.
const COMMIT_TIMEOUT: Duration = Duration::from_millis(1_200);
/// How often it is looked how far a write is that takes long.
const LOOK_PAUSE: Duration = Duration::from_millis(50);

/// It waits for those before it.
const QUEUES: u8 = 0;
/// It waits for a connection, for a lock, or to be tried again.
const WAITS: u8 = 1;
/// Its statements run.
const RUNS: u8 = 2;
/// It is being committed.
const ENDS: u8 = 3;
/// Nobody waits for it any more: what is not there yet will not be.
const LEFT: u8 = 4;

/// How far a write is. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Turn(Arc<State>);

#[derive(Debug)]
struct State {
    made: Instant,
    at: AtomicU8,
    /// When its commit began, in milliseconds after it was made; 0 when it did not.
    committing: AtomicU64,
    /// Whether what is committed changes anything.
    changes: AtomicBool,
}

impl Default for Turn {
    fn default() -> Self {
        Self(Arc::new(State {
            made: Instant::now(),
            at: AtomicU8::new(QUEUES),
            committing: AtomicU64::new(0),
            changes: AtomicBool::new(false),
        }))
    }
}

/// How long somebody waits for a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Less than 2 s for all that is not the work of its statements.
    Short,
    /// Until it is known what became of it, once it has begun.
    Long,
}

impl Turn {
    /// How long an answer is waited for by who has to answer within 2 s.
    pub const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);

    /// Its statements run from now on. `false` when nobody waits any more: then they must not.
    pub fn begin(&self) -> bool {
        self.go_on(RUNS)
    }

    /// It is committed from now on. `false` when nobody waits any more: then it must not be.
    pub fn end(&self) -> bool {
        let now = u64::try_from(self.0.made.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.0.committing.store(now.max(1), Ordering::Relaxed);
        self.go_on(ENDS)
    }

    /// It is its turn, the first time or again, and nothing of it is there. `false` when nobody waits any more.
    pub fn again(&self) -> bool {
        self.0.committing.store(0, Ordering::Relaxed);
        self.go_on(WAITS)
    }

    /// Notes whether what is about to be committed changes anything.
    pub(crate) fn note_changes(&self, changes: bool) {
        self.0.changes.store(changes, Ordering::Relaxed);
    }

    /// Whether what it committed changes anything: only such a commit waits for standbys.
    pub fn has_changes(&self) -> bool {
        self.0.changes.load(Ordering::Relaxed)
    }

    /// Whether its commit has not been answered for long.
    pub(crate) fn is_stuck(&self) -> bool {
        self.commits_for().is_some_and(|time| time >= COMMIT_TIMEOUT)
    }

    /// Whether nobody waits any more.
    pub fn is_left(&self) -> bool {
        self.0.at.load(Ordering::Acquire) == LEFT
    }

    fn go_on(&self, to: u8) -> bool {
        let step = |at| (at != LEFT).then_some(to);
        self.0
            .at
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, step)
            .is_ok()
    }

    /// How long it has been committing.
    fn commits_for(&self) -> Option<Duration> {
        let began = self.0.committing.load(Ordering::Relaxed);
        (began > 0).then(|| self.0.made.elapsed().saturating_sub(Duration::from_millis(began)))
    }

    /// Leaves a write that is exactly so far.
    fn leave(&self, at: u8) -> bool {
        self.0
            .at
            .compare_exchange(at, LEFT, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// Waits for the answer to the write. [`Failure::Unavailable`] when it did not happen and will not, [`Failure::InDoubt`] when it
    /// is being committed and nobody knows.
    pub async fn wait<T>(&self, mut answer: oneshot::Receiver<T>, wait: Wait) -> Result<T, Failure> {
        let closed = |_| Failure::Unavailable("it is closed".to_owned());
        let first = match wait {
            Wait::Short => Self::ANSWER_TIMEOUT,
            Wait::Long => TURN_TIMEOUT,
        };
        if let Ok(answered) = timeout(first, &mut answer).await {
            return answered.map_err(closed);
        }
        loop {
            match self.0.at.load(Ordering::Acquire) {
                at @ (QUEUES | WAITS) if (at == QUEUES || wait == Wait::Short) && self.leave(at) => {
                    return Err(Failure::Unavailable("writes wait for others".to_owned()));
                }
                ENDS if wait == Wait::Short && self.is_stuck() && self.leave(ENDS) => {
                    return Err(Failure::InDoubt);
                }
                _ => {}
            }
            if let Ok(answered) = timeout_at(Instant::now() + LOOK_PAUSE, &mut answer).await {
                return answered.map_err(closed);
            }
        }
    }
}
