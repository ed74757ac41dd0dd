//! Where the reads of a slot run: on the thread of the call while they are quick, else on threads of the slot's own.
//!
//! The threads of calls serve everybody. One slow read there delays all requests of that thread, so a slot whose read took
//! [`SLOW`] leaves them at once. It comes back after a number of quick reads, which doubles each time it is slow again and is
//! halved while it stays quick.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// A read that takes so long is slow.
pub const SLOW: Duration = Duration::from_millis(5);

/// The threads of a slot. They are started by its first slow read.
const THREADS: usize = 2;

/// What the threads leave to others: with every core busy, about a tenth of a share.
const NICENESS: i32 = 10;

/// Quick reads after which a slot is quick again: the first time, and at most.
const FIRST_PROBATION: u32 = 64;
const MAX_PROBATION: u32 = 8_192;

/// Quick reads on the threads of calls that halve the next probation.
const FORGIVENESS: u32 = 1_024;

type Job = Box<dyn FnOnce() + Send>;

/// The reads of one slot.
#[derive(Default)]
pub struct Reads {
    pace: Arc<Pace>,
    jobs: OnceLock<mpsc::Sender<Job>>,
}

/// How quick a slot's reads are.
#[derive(Default)]
struct Pace {
    /// Quick reads that are missing until the slot is quick.
    missing: AtomicU32,
    /// What was missing when it was slow last.
    probation: AtomicU32,
    /// Quick reads since then, up to [`FORGIVENESS`].
    good: AtomicU32,
}

impl Pace {
    fn note(&self, took: Duration) {
        if took >= SLOW {
            let before = self.probation.load(Ordering::Relaxed);
            let probation = (before * 2).clamp(FIRST_PROBATION, MAX_PROBATION);
            self.good.store(0, Ordering::Relaxed);
            self.probation.store(probation, Ordering::Relaxed);
            self.missing.store(probation, Ordering::Relaxed);
            return;
        }
        // A slot that was never slow writes nothing here: its threads share no cache line.
        if self.probation.load(Ordering::Relaxed) == 0 {
            return;
        }
        let less = |missing: u32| missing.checked_sub(1);
        let counted = self.missing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if counted.is_err() && self.good.fetch_add(1, Ordering::Relaxed) >= FORGIVENESS {
            self.good.store(0, Ordering::Relaxed);
            let half = self.probation.load(Ordering::Relaxed) / 2;
            self.probation.store(half, Ordering::Relaxed);
        }
    }
}

impl Reads {
    /// Whether the slot's reads may run on the thread of a call.
    pub fn are_quick(&self) -> bool {
        self.pace.missing.load(Ordering::Relaxed) == 0
    }

    /// Runs a read on this thread.
    pub fn here<T>(&self, read: impl FnOnce() -> T) -> T {
        timed(&self.pace, read)
    }

    /// Runs a read on a thread of the slot's own. `None` when it panicked, or no thread could be started. It does not run at
    /// all when nobody waits for it any more.
    pub async fn elsewhere<T: Send + 'static>(
        &self,
        slot: &str,
        read: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (reply, answer) = oneshot::channel();
        let pace = self.pace.clone();
        let job = move || {
            if !reply.is_closed() {
                let _ = reply.send(timed(&pace, read));
            }
        };
        let jobs = self.jobs.get_or_init(|| start(slot));
        jobs.send(Box::new(job)).ok()?;
        answer.await.ok()
    }
}

fn timed<T>(pace: &Pace, read: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let answer = read();
    pace.note(started.elapsed());
    answer
}

/// Starts the threads. They end when the sender is dropped.
fn start(slot: &str) -> mpsc::Sender<Job> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let inbox = Arc::new(Mutex::new(inbox));
    for _ in 0..THREADS {
        let inbox = inbox.clone();
        let work = move || {
            // On Linux this is the thread's own. It may fail: then slow reads take as much time as quick ones.
            let _ = rustix::process::setpriority_process(None, NICENESS);
            loop {
                let job = inbox.lock().recv();
                let Ok(job) = job else { return };
                // The thread serves the next one; whoever waits is told by the reply that is dropped.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        };
        if let Err(error) = std::thread::Builder::new().name(format!("read-{slot}")).spawn(work) {
            tracing::error!(slot, "a thread for slow reads could not be started: {error}");
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_slot_comes_back_later_each_time() {
        let reads = Reads::default();
        assert!(reads.are_quick());
        for probation in [64, 128, 256] {
            reads.pace.note(SLOW);
            for _ in 0..probation {
                assert!(!reads.are_quick());
                reads.here(|| ());
            }
            assert!(reads.are_quick());
        }
    }

    #[tokio::test]
    async fn reads_go_on_after_one_that_panicked() {
        let reads = Reads::default();
        for _ in 0..5 {
            let answer: Option<()> = reads.elsewhere("slot", || panic!("on purpose")).await;
            assert_eq!(answer, None);
        }
        let name = || std::thread::current().name().map(str::to_owned);
        assert_eq!(reads.elsewhere("slot", name).await, Some(Some("read-slot".into())));
    }
}
