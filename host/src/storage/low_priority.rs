//! Threads that give way to everything else: for the slow statements of slots.
//!
//! They have the lowest priority there is, so that a request that arrives while every core runs slow statements does not
//! wait for one of them. So many statements run at once: two reads, one write and one transaction of a slot (their threads),
//! and [`MAX_RUNNING`] of all slots.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock, mpsc};

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::priority::{LOWEST, PAUSE, TURN, give_way};

/// The most statements of all slots that run at once on such threads. Two slots take all places, one never does.
const MAX_RUNNING: usize = 8;

type Job = Box<dyn FnOnce() + Send>;

/// Threads of one slot, which are started by their first job.
pub struct Threads {
    count: usize,
    jobs: OnceLock<mpsc::Sender<Job>>,
}

impl Threads {
    /// So many threads.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            jobs: OnceLock::new(),
        }
    }

    /// Runs work on one of the threads, which are called as `name`. `None` when it panicked, or no thread could be started.
    /// It does not run at all when nobody waits for it any more.
    pub async fn run<T: Send + 'static>(&self, name: &str, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.hand_over(name, work)?.await.ok()
    }

    /// The same for a thread outside the async runtime.
    pub fn run_blocking<T: Send + 'static>(&self, name: &str, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.hand_over(name, work)?.blocking_recv().ok()
    }

    fn hand_over<T: Send + 'static>(
        &self,
        name: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<oneshot::Receiver<T>> {
        let (reply, answer) = oneshot::channel();
        let job = move || {
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        };
        let jobs = self.jobs.get_or_init(|| start(name, self.count));
        jobs.send(Box::new(job)).ok()?;
        Some(answer)
    }
}

/// Starts threads. They end when the sender is dropped.
fn start(name: &str, count: usize) -> mpsc::Sender<Job> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let inbox = Arc::new(Mutex::new(inbox));
    for _ in 0..count {
        let inbox = inbox.clone();
        let work = move || {
            give_way(LOWEST);
            galley_sql::pause_here(TURN, PAUSE);
            loop {
                let job = inbox.lock().recv();
                let Ok(job) = job else { return };
                let _place = Place::take();
                // The thread serves the next one; the caller sees that the reply was dropped.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        };
        if let Err(error) = std::thread::Builder::new().name(name.to_owned()).spawn(work) {
            tracing::error!("the thread {name} for slow statements could not be started: {error}");
        }
    }
    jobs
}

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// One of the [`MAX_RUNNING`] places.
struct Place;

impl Place {
    fn take() -> Self {
        let mut running = RUNNING.lock();
        ENDED.wait_while(&mut running, |running| *running >= MAX_RUNNING);
        *running += 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *RUNNING.lock() -= 1;
        ENDED.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn threads_go_on_after_work_that_panicked() {
        let threads = Threads::new(2);
        for _ in 0..5 {
            let answer: Option<()> = threads.run("read-slot", || panic!("on purpose")).await;
            assert_eq!(answer, None);
        }
        let name = || std::thread::current().name().map(str::to_owned);
        assert_eq!(threads.run("read-slot", name).await, Some(Some("read-slot".into())));
    }

    #[test]
    fn they_give_way_and_their_creator_does_not() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        assert_eq!(Threads::new(1).run_blocking("slow", niceness), Some(LOWEST));
        assert_eq!(niceness(), before);
    }

    #[test]
    fn so_many_run_at_once_and_all_get_their_turn() {
        static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let slots: Vec<Threads> = (0..5).map(|_| Threads::new(4)).collect();
        let waiting: Vec<_> = (0..60)
            .map(|number| {
                let work = || {
                    MOST.fetch_max(1 + AT_ONCE.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    AT_ONCE.fetch_sub(1, Ordering::SeqCst);
                };
                slots[number % 5].hand_over("slow", work).unwrap()
            })
            .collect();
        for answer in waiting {
            answer.blocking_recv().unwrap();
        }
        assert!(MOST.load(Ordering::SeqCst) <= MAX_RUNNING);
    }
}
