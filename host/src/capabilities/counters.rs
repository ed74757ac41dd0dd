//! What is counted of a slot, since the server's start and over all plugins that filled it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts of one slot.
#[derive(Debug, Default)]
pub struct Counters {
    /// Calls that ended in a trap, but for want of memory.
    pub traps: AtomicU64,
    /// Calls that ended because their memory was used up.
    pub out_of_memory: AtomicU64,
    /// Calls that ran out of time.
    pub timeouts: AtomicU64,
    /// Calls that found no place until their deadline.
    pub busy: AtomicU64,
    /// Calls that were refused while the slot was tripped.
    pub refused: AtomicU64,
    /// How often the slot tripped.
    pub trips: AtomicU64,
    /// Calls that went on in the slow lane.
    pub slow: AtomicU64,
    /// Uses of an interface that was not granted.
    pub denied: AtomicU64,
    /// Jobs that ran to their end.
    pub jobs: AtomicU64,
    /// Jobs that failed.
    pub failed_jobs: AtomicU64,
    /// Log lines dropped.
    pub dropped_lines: AtomicU64,
    /// How long requests and deliveries took, failed ones and their wait for a place included.
    pub calls: Histogram,
    /// Instances that live, idle ones included.
    pub instances: AtomicU64,
    /// Bytes of their linear memory.
    pub memory: AtomicU64,
}

impl Counters {
    /// Calls that failed: traps, memory, deadlines.
    pub fn failures(&self) -> u64 {
        let causes = [&self.traps, &self.out_of_memory, &self.timeouts];
        causes.into_iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// What a slot did since the server's start, in short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Calls that began.
    pub calls: u64,
    /// Calls that failed: traps, memory, deadlines.
    pub errors: u64,
    /// Milliseconds within which 99 of 100 calls ended; `None` without calls.
    pub p99_ms: Option<f64>,
    /// Bytes of linear memory of its instances now.
    pub memory_bytes: u64,
    /// Its instances now.
    pub instances: u64,
}

impl Counters {
    /// The figures as they are now.
    pub fn figures(&self) -> Figures {
        Figures {
            calls: self.calls.total(),
            errors: self.failures(),
            p99_ms: self.calls.quantile(0.99).map(|time| time.as_secs_f64() * 1e3),
            memory_bytes: self.memory.load(Ordering::Relaxed),
            instances: self.instances.load(Ordering::Relaxed),
        }
    }
}

/// Adds one to a count.
pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Linear memory of one instance, as its slot counts it.
pub struct Counted {
    counters: Arc<Counters>,
    bytes: usize,
}

impl Counted {
    /// An instance without memory.
    pub fn new(counters: Arc<Counters>) -> Self {
        count(&counters.instances);
        Self { counters, bytes: 0 }
    }

    /// Bytes of the instance.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets the bytes of the instance.
    pub fn set(&mut self, bytes: usize) {
        let total = &self.counters.memory;
        if bytes >= self.bytes {
            total.fetch_add((bytes - self.bytes) as u64, Ordering::Relaxed);
        } else {
            total.fetch_sub((self.bytes - bytes) as u64, Ordering::Relaxed);
        }
        self.bytes = bytes;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.set(0);
        self.counters.instances.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Times are sorted into steps, four to each doubling: a quantile is at most a quarter too high.
const STEPS: usize = 4 * DOUBLINGS as usize;
/// From 16 µs to 67 s.
const DOUBLINGS: u32 = 22;
/// Shorter times are in the first step.
const FIRST_BITS: u32 = 4;

/// How long calls took.
#[derive(Debug)]
pub struct Histogram {
    steps: [AtomicU64; STEPS],
    microseconds: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            steps: std::array::from_fn(|_| AtomicU64::new(0)),
            microseconds: AtomicU64::new(0),
        }
    }
}

impl Histogram {
    /// Counts a call.
    pub fn record(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        count(&self.steps[step(took)]);
        self.microseconds.fetch_add(took, Ordering::Relaxed);
    }

    /// The number of calls.
    pub fn total(&self) -> u64 {
        self.steps.iter().map(|step| step.load(Ordering::Relaxed)).sum()
    }

    /// The time of all calls together.
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.microseconds.load(Ordering::Relaxed))
    }

    /// The time within which `share` of the calls ended; `None` without calls.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = (self.total() as f64 * share).ceil() as u64;
        let mut so_far = 0;
        for (index, step) in self.steps.iter().enumerate() {
            so_far += step.load(Ordering::Relaxed);
            if so_far > 0 && so_far >= wanted {
                return Some(Duration::from_micros(end(index)));
            }
        }
        None
    }

    /// For each doubling its end, and the calls that took at most so long.
    pub fn cumulative(&self) -> Vec<(Duration, u64)> {
        let mut so_far = 0;
        let mut rows = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            so_far += step.load(Ordering::Relaxed);
            if index % 4 == 3 {
                rows.push((Duration::from_micros(end(index)), so_far));
            }
        }
        rows
    }
}

/// The step of a time in microseconds.
fn step(microseconds: u64) -> usize {
    let Some(bits) = microseconds.max(1 << FIRST_BITS).ilog2().checked_sub(FIRST_BITS) else {
        return 0;
    };
    let quarter = (microseconds.max(1 << FIRST_BITS) >> (bits + FIRST_BITS - 2)) & 3;
    (4 * bits as usize + quarter as usize).min(STEPS - 1)
}

/// Where a step ends.
fn end(step: usize) -> u64 {
    (5 + step as u64 % 4) << (step / 4) << (FIRST_BITS - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_step_that_ends_behind_it() {
        for microseconds in [0, 1, 15, 16, 19, 20, 100, 999, 1_000, 123_456, 60_000_000] {
            let index = step(microseconds);
            assert!(microseconds < end(index), "{microseconds} in {index}");
            assert!(
                index == 0 || microseconds >= end(index - 1),
                "{microseconds} in {index}"
            );
        }
        assert_eq!(step(u64::MAX), STEPS - 1);
    }

    #[test]
    fn quantiles_are_at_most_a_quarter_too_high() {
        let histogram = Histogram::default();
        assert_eq!(histogram.quantile(0.99), None);
        for milliseconds in 1..=1_000 {
            histogram.record(Duration::from_millis(milliseconds));
        }
        for (share, exact) in [(0.5, 500.0), (0.99, 990.0)] {
            let found = histogram.quantile(share).unwrap().as_secs_f64() * 1e3;
            assert!((exact..=exact * 1.26).contains(&found), "{share}: {found}");
        }
        assert_eq!(histogram.total(), 1_000);
        assert_eq!(histogram.cumulative().last().unwrap().1, 1_000);
    }

    #[test]
    fn instances_give_back_what_they_counted() {
        let counters = Arc::new(Counters::default());
        let (mut one, mut two) = (Counted::new(counters.clone()), Counted::new(counters.clone()));
        one.set(10);
        two.set(20);
        one.set(4);
        let now = || [&counters.instances, &counters.memory].map(|count| count.load(Ordering::Relaxed));
        assert_eq!(now(), [2, 24]);
        drop((one, two));
        assert_eq!(now(), [0, 0]);
    }
}
