//! A slot most of whose calls fail gets no calls for a while, so that it does not take the others' time and fill the log.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Calls of so many seconds are looked at.
const WINDOW_SECONDS: u64 = 30;
/// With fewer calls in the window a slot does not trip.
pub const MIN_CALLS: u64 = 20;
/// The pause before the first probe; each probe that fails doubles it.
pub const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
pub const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The pause that follows another one.
pub fn next_pause(pause: Duration) -> Duration {
    (2 * pause).min(MAX_PAUSE)
}

/// Counts calls and failures of the last seconds, and says whether a call may begin.
#[derive(Debug)]
pub struct Breaker {
    /// What the seconds of the window are counted from.
    origin: Instant,
    buckets: [Bucket; WINDOW_SECONDS as usize],
    /// Held while a bucket is emptied for a new second.
    turning: Mutex<()>,
    is_tripped: AtomicBool,
    state: Mutex<State>,
}

/// The calls of one second.
#[derive(Debug, Default)]
struct Bucket {
    second: AtomicU64,
    calls: AtomicU64,
    failures: AtomicU64,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Closed,
    /// No call before this moment, then one.
    Open {
        until: Instant,
        pause: Duration,
    },
    /// One call is under way, and decides.
    Probing {
        pause: Duration,
    },
}

/// The right to make one call. A call that is given up decides nothing.
#[derive(Debug)]
pub struct Pass<'b> {
    breaker: &'b Breaker,
    is_probe: bool,
}

/// What a call's end did to the slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// It tripped: so many of so many calls failed.
    Tripped {
        /// Failed calls in the window.
        failures: u64,
        /// Calls in the window.
        calls: u64,
    },
    /// A probe failed; the next one comes after this.
    StaysTripped(Duration),
    /// A probe succeeded.
    Serves,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
            buckets: Default::default(),
            turning: Mutex::default(),
            is_tripped: AtomicBool::new(false),
            state: Mutex::new(State::Closed),
        }
    }
}

impl Breaker {
    /// How long a tripped slot still gets no call; `None` for a slot that serves, or where a probe is due.
    pub fn refuses(&self, now: Instant) -> Option<Duration> {
        if !self.is_tripped.load(Ordering::Relaxed) {
            return None;
        }
        match *self.state.lock() {
            State::Closed => None,
            State::Open { until, .. } => until.checked_duration_since(now).filter(|wait| !wait.is_zero()),
            // Its end comes soon.
            State::Probing { .. } => Some(FIRST_PAUSE),
        }
    }

    /// Whether the slot is tripped.
    pub fn is_tripped(&self) -> bool {
        self.is_tripped.load(Ordering::Relaxed)
    }

    /// The right to make a call; an error with the time to wait while the slot is tripped.
    pub fn admit(&self, now: Instant) -> Result<Pass<'_>, Duration> {
        let mut is_probe = false;
        if self.is_tripped.load(Ordering::Relaxed) {
            let mut state = self.state.lock();
            match *state {
                State::Closed => {}
                State::Open { until, .. } if now < until => return Err(until - now),
                State::Open { pause, .. } => {
                    *state = State::Probing { pause };
                    is_probe = true;
                }
                State::Probing { .. } => return Err(FIRST_PAUSE),
            }
        }
        Ok(Pass {
            breaker: self,
            is_probe,
        })
    }

    fn bucket(&self, now: Instant) -> &Bucket {
        // From 1, as an unused bucket has 0.
        let second = now.saturating_duration_since(self.origin).as_secs() + 1;
        let bucket = &self.buckets[(second % WINDOW_SECONDS) as usize];
        if bucket.second.load(Ordering::Acquire) != second {
            let _turning = self.turning.lock();
            if bucket.second.load(Ordering::Acquire) < second {
                bucket.calls.store(0, Ordering::Relaxed);
                bucket.failures.store(0, Ordering::Relaxed);
                bucket.second.store(second, Ordering::Release);
            }
        }
        bucket
    }

    /// Failures and calls of the window.
    fn window(&self, now: Instant) -> (u64, u64) {
        let second = now.saturating_duration_since(self.origin).as_secs() + 1;
        let oldest = (second + 1).saturating_sub(WINDOW_SECONDS);
        let recent = |bucket: &&Bucket| bucket.second.load(Ordering::Acquire) >= oldest.max(1);
        let buckets = self.buckets.iter().filter(recent);
        buckets.fold((0, 0), |(failures, calls), bucket| {
            (
                failures + bucket.failures.load(Ordering::Relaxed),
                calls + bucket.calls.load(Ordering::Relaxed),
            )
        })
    }

    fn open(&self, state: &mut State, now: Instant, pause: Duration) {
        *state = State::Open {
            until: now + pause,
            pause,
        };
        self.is_tripped.store(true, Ordering::Relaxed);
    }

    /// Forgets the window, so that old failures do not trip the slot again.
    fn close(&self, state: &mut State) {
        let _turning = self.turning.lock();
        for bucket in &self.buckets {
            bucket.calls.store(0, Ordering::Relaxed);
            bucket.failures.store(0, Ordering::Relaxed);
        }
        *state = State::Closed;
        self.is_tripped.store(false, Ordering::Relaxed);
    }
}

impl Pass<'_> {
    /// Notes the end of the call.
    pub fn end(mut self, now: Instant, failed: bool) -> Change {
        let breaker = self.breaker;
        if std::mem::take(&mut self.is_probe) {
            let mut state = breaker.state.lock();
            let State::Probing { pause } = *state else {
                return Change::None;
            };
            if failed {
                let pause = next_pause(pause);
                breaker.open(&mut state, now, pause);
                return Change::StaysTripped(pause);
            }
            breaker.close(&mut state);
            return Change::Serves;
        }
        let bucket = breaker.bucket(now);
        bucket.calls.fetch_add(1, Ordering::Relaxed);
        if !failed {
            return Change::None;
        }
        bucket.failures.fetch_add(1, Ordering::Relaxed);
        let (failures, calls) = breaker.window(now);
        if calls < MIN_CALLS || 2 * failures < calls {
            return Change::None;
        }
        let mut state = breaker.state.lock();
        if !matches!(*state, State::Closed) {
            // Calls that began before it tripped.
            return Change::None;
        }
        breaker.open(&mut state, now, FIRST_PAUSE);
        Change::Tripped { failures, calls }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.is_probe {
            let mut state = self.breaker.state.lock();
            if let State::Probing { pause } = *state {
                // The next call is the probe.
                *state = State::Open {
                    until: Instant::now(),
                    pause,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn call(breaker: &Breaker, now: Instant, failed: bool) -> Change {
        breaker.admit(now).expect("it is not tripped").end(now, failed)
    }

    fn tripped(now: Instant) -> Breaker {
        let breaker = Breaker::default();
        for _ in 1..MIN_CALLS {
            assert_eq!(call(&breaker, now, true), Change::None);
        }
        let change = call(&breaker, now, true);
        assert!(
            matches!(
                change,
                Change::Tripped {
                    failures: 20,
                    calls: 20
                }
            ),
            "{change:?}"
        );
        breaker
    }

    #[test]
    fn half_of_twenty_calls_trip_it() {
        let now = Instant::now();
        let breaker = Breaker::default();
        for _ in 0..10 {
            call(&breaker, now, false);
        }
        for _ in 1..10 {
            assert_eq!(call(&breaker, now, true), Change::None);
        }
        assert!(!breaker.is_tripped());
        assert!(matches!(
            call(&breaker, now, true),
            Change::Tripped {
                failures: 10,
                calls: 20
            }
        ));
        assert!(breaker.admit(now).is_err());
    }

    #[test]
    fn less_than_half_do_not() {
        let now = Instant::now();
        let breaker = Breaker::default();
        for _ in 0..500 {
            call(&breaker, now, false);
            call(&breaker, now, false);
            assert_eq!(call(&breaker, now, true), Change::None);
        }
    }

    #[test]
    fn calls_leave_the_window_after_thirty_seconds() {
        let breaker = Breaker::default();
        let start = Instant::now();
        for second in 0..120 {
            // Nineteen in any thirty seconds.
            let now = start + second * SECOND;
            if second % 30 < 19 {
                assert_eq!(call(&breaker, now, true), Change::None, "second {second}");
            }
        }
        assert!(!breaker.is_tripped());
    }

    #[test]
    fn one_probe_after_one_two_four_and_at_most_sixty_seconds() {
        let mut now = Instant::now();
        let breaker = tripped(now);
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            let pause = pause * SECOND;
            assert_eq!(breaker.refuses(now), Some(pause));
            now += pause;
            assert_eq!(breaker.refuses(now), None);
            let probe = breaker.admit(now).expect("the probe");
            assert!(breaker.admit(now).is_err(), "one at a time");
            let next = next_pause(pause);
            assert_eq!(probe.end(now, true), Change::StaysTripped(next));
        }
        now += MAX_PAUSE;
        let probe = breaker.admit(now).expect("the probe");
        assert_eq!(probe.end(now, false), Change::Serves);
        assert_eq!(call(&breaker, now, true), Change::None, "the window is empty again");
        assert!(!breaker.is_tripped());
    }

    #[test]
    fn a_probe_that_is_given_up_leaves_its_place() {
        let now = Instant::now();
        let breaker = tripped(now);
        let later = now + 2 * SECOND;
        drop(breaker.admit(later).expect("the probe"));
        assert!(breaker.admit(Instant::now() + 2 * SECOND).is_ok());
    }
}
