//! Where long calls go on: a few threads that give way to everything else, on which slots take turns.
//!
//! A call begins on the thread of its request. When it ran there for [`QUICK`], it moves here at its next tick, with its
//! fiber: other requests of that thread do not share it with long calls any more. A slot's calls take turns of one tick,
//! and slots take turns by the time that theirs used, divided by their share. Waiting does not count.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use async_task::{FallibleTask, Runnable};
use parking_lot::{Condvar, Mutex};

use super::engine::TICK;
use crate::storage::priority::{LOW, PAUSE, give_way};

/// So long a call runs on its request's thread.
pub const QUICK: Duration = Duration::from_millis(4);

/// The share of a slot whose operator set none.
const FULL_SHARE: i64 = 100;

/// How a turn on the request's thread ended.
pub enum Turn<T> {
    /// With the call.
    Ended(T),
    /// It waits.
    Waits,
    /// It used its time up and wants to go on.
    IsLong,
}

/// Polls a call on the request's thread. `ran` is how long it ran there before, and grows.
pub fn quick_turn<F: Future>(call: Pin<&mut F>, context: &mut Context<'_>, ran: &mut Duration) -> Turn<F::Output> {
    let started = Instant::now();
    let answer = call.poll(context);
    *ran += started.elapsed();
    match answer {
        Poll::Ready(answer) => Turn::Ended(answer),
        Poll::Pending if *ran >= QUICK => Turn::IsLong,
        Poll::Pending => Turn::Waits,
    }
}

/// The threads; they end when this is dropped.
pub struct SlowLane {
    turns: Arc<Turns>,
    threads: OnceLock<()>,
}

/// The calls that wait for a turn.
struct Turns {
    waiting: Mutex<Waiting>,
    is_ready: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Of the slots with calls that wait.
    queues: Vec<Queue>,
    /// What the slot whose turn was the last had used.
    clock: i64,
    has_ended: bool,
}

struct Queue {
    share: Arc<Share>,
    calls: VecDeque<Runnable>,
}

/// One slot in the slow lane.
pub struct Share {
    weight: AtomicU32,
    /// Microseconds that its calls used, as if its share were full.
    used: AtomicI64,
}

impl Share {
    /// A slot with this share; [`FULL_SHARE`] is that of most.
    pub fn new(weight: u32) -> Arc<Self> {
        Arc::new(Self {
            weight: AtomicU32::new(weight),
            used: AtomicI64::new(0),
        })
    }

    /// Changes the share.
    pub fn set(&self, weight: u32) {
        self.weight.store(weight, Ordering::Relaxed);
    }

    fn charge(&self, time: Duration, sign: i64) {
        let weight = i64::from(self.weight.load(Ordering::Relaxed).max(1));
        let time = i64::try_from(time.as_micros()).unwrap_or(i64::MAX / FULL_SHARE);
        self.used
            .fetch_add(sign * time * FULL_SHARE / weight, Ordering::Relaxed);
    }
}

impl Turns {
    fn push(&self, share: &Arc<Share>, call: Runnable) {
        let mut waiting = self.waiting.lock();
        if waiting.has_ended {
            // Dropped without the lock: the call's own end may come back here.
            drop(waiting);
            return;
        }
        let of_slot = |queue: &&mut Queue| Arc::ptr_eq(&queue.share, share);
        match waiting.queues.iter_mut().find(of_slot) {
            Some(queue) => queue.calls.push_back(call),
            None => {
                // A slot that was away does not catch up on what it did not use.
                share.used.fetch_max(waiting.clock, Ordering::Relaxed);
                waiting.queues.push(Queue {
                    share: share.clone(),
                    calls: VecDeque::from([call]),
                });
            }
        }
        drop(waiting);
        self.is_ready.notify_one();
    }

    /// The next call, and its slot; waits for one. `None` at the end.
    fn next(&self) -> Option<(Arc<Share>, Runnable)> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.has_ended {
                return None;
            }
            let used = |(_, queue): &(usize, &Queue)| queue.share.used.load(Ordering::Relaxed);
            let Some((index, _)) = waiting.queues.iter().enumerate().min_by_key(used) else {
                self.is_ready.wait(&mut waiting);
                continue;
            };
            let queue = &mut waiting.queues[index];
            let share = queue.share.clone();
            let call = queue.calls.pop_front();
            if queue.calls.is_empty() {
                waiting.queues.swap_remove(index);
            }
            waiting.clock = waiting.clock.max(share.used.load(Ordering::Relaxed));
            if let Some(call) = call {
                return Some((share, call));
            }
        }
    }

    /// Runs turns until the end.
    fn work(&self) {
        while let Some((share, call)) = self.next() {
            // Charged before, so that another thread does not take the same slot again.
            share.charge(TICK, 1);
            let started = Instant::now();
            // The call's own end says what a panic in it was.
            let _ = catch_unwind(AssertUnwindSafe(|| call.run()));
            share.charge(TICK, -1);
            share.charge(started.elapsed(), 1);
            std::thread::sleep(PAUSE);
        }
    }
}

impl Default for SlowLane {
    fn default() -> Self {
        let turns = Turns {
            waiting: Mutex::default(),
            is_ready: Condvar::new(),
        };
        Self {
            turns: Arc::new(turns),
            threads: OnceLock::new(),
        }
    }
}

impl SlowLane {
    /// Goes on with a call. The call ends when the answer is dropped; the answer is `None` when the call panicked.
    ///
    /// Called on a thread of the async runtime, whose timers and input the call keeps using.
    pub fn go_on<T: Send + 'static>(
        &self,
        share: &Arc<Share>,
        call: impl Future<Output = T> + Send + 'static,
    ) -> FallibleTask<T> {
        self.threads.get_or_init(|| start(&self.turns));
        let (turns, share) = (self.turns.clone(), share.clone());
        let (runnable, task) = async_task::spawn(call, move |runnable| turns.push(&share, runnable));
        runnable.schedule();
        task.fallible()
    }
}

/// Starts the threads: a quarter of the cores.
fn start(turns: &Arc<Turns>) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Handle::current();
    for number in 0..(cores / 4).max(1) {
        let (turns, runtime) = (turns.clone(), runtime.clone());
        let work = move || {
            give_way(LOW);
            let _runtime = runtime.enter();
            turns.work();
        };
        if let Err(error) = std::thread::Builder::new().name(format!("slow-{number}")).spawn(work) {
            tracing::error!("a thread for long calls could not be started: {error}");
        }
    }
}

impl Drop for SlowLane {
    fn drop(&mut self) {
        let mut waiting = self.turns.waiting.lock();
        waiting.has_ended = true;
        let left = std::mem::take(&mut waiting.queues);
        drop(waiting);
        self.turns.is_ready.notify_all();
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// How many turns are looked at.
    const TURNS: usize = 200;

    /// Works for whole ticks until it is dropped.
    async fn works(ticks: Arc<AtomicUsize>) {
        loop {
            let started = Instant::now();
            while started.elapsed() < TICK {
                std::hint::spin_loop();
            }
            ticks.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    }

    async fn ticks_of(lane: &SlowLane, slots: &[(u32, usize)]) -> Vec<usize> {
        let mut tasks = Vec::new();
        let counts: Vec<_> = slots
            .iter()
            .map(|(weight, calls)| {
                let (share, count) = (Share::new(*weight), Arc::new(AtomicUsize::new(0)));
                tasks.extend((0..*calls).map(|_| lane.go_on(&share, works(count.clone()))));
                count
            })
            .collect();
        // Counted in turns: beside other work these threads get little time, and each turn may be cut up.
        let ticks = || {
            counts
                .iter()
                .map(|count| count.load(Ordering::Relaxed))
                .collect::<Vec<_>>()
        };
        let all = async {
            while ticks().iter().sum::<usize>() < TURNS {
                tokio::time::sleep(TICK).await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(60), all).await;
        drop(tasks);
        ticks()
    }

    #[tokio::test]
    async fn slots_take_turns_whatever_the_number_of_their_calls() {
        let ticks = ticks_of(&SlowLane::default(), &[(100, 1), (100, 15)]).await;
        let (few, many) = (ticks[0] as f64, ticks[1] as f64);
        assert!(few > 5.0 && (0.6..1.7).contains(&(few / many)), "{ticks:?}");
    }

    #[tokio::test]
    async fn a_smaller_share_gets_less() {
        let ticks = ticks_of(&SlowLane::default(), &[(100, 2), (25, 2)]).await;
        let (full, quarter) = (ticks[0] as f64, ticks[1] as f64);
        assert!(quarter >= 1.0 && (2.5..6.5).contains(&(full / quarter)), "{ticks:?}");
    }

    #[tokio::test]
    async fn calls_wait_for_timers_there_and_give_way() {
        let lane = SlowLane::default();
        let share = Share::new(100);
        let call = async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            tokio::spawn(async { 1 }).await.unwrap() + rustix::process::getpriority_process(None).unwrap()
        };
        let before = rustix::process::getpriority_process(None).unwrap();
        let niceness = lane.go_on(&share, call).await.unwrap() - 1;
        assert_eq!(niceness, LOW.max(before));
    }

    #[tokio::test]
    async fn a_panic_ends_its_call_alone() {
        let lane = SlowLane::default();
        let share = Share::new(100);
        let panics = async { panic!("on purpose") };
        let answer: Option<()> = lane.go_on(&share, panics).await;
        assert_eq!(answer, None);
        assert_eq!(lane.go_on(&share, async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn a_call_is_long_after_its_time_on_the_first_thread() {
        let mut ran = Duration::ZERO;
        let mut call = Box::pin(async {
            for _ in 0..2 {
                std::thread::sleep(QUICK / 2);
                tokio::task::yield_now().await;
            }
        });
        let turns = std::future::poll_fn(|context| {
            let mut turn = || quick_turn(call.as_mut(), context, &mut ran);
            Poll::Ready([turn(), turn()])
        });
        assert!(matches!(turns.await, [Turn::Waits, Turn::IsLong]));
    }
}
