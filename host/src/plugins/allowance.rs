//! How much of the requests' threads the longer calls of a slot get.
//!
//! A call that is done in a moment harms nobody there. Many that take some milliseconds each have those threads for
//! themselves, and everybody else waits, though none of them is long enough to move to the slow lane. So their time is
//! counted: a slot that used up what it may begins its calls in the slow lane until time has given it more.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

/// A call that takes no longer on its request's thread is not counted: ten times what a list of 20 rows takes.
const SHORT: Duration = Duration::from_micros(250);

/// A slot's part of the time of all cores: one in so many.
const PART: u64 = 20;

/// So much may be used at once by a slot that used nothing for a while.
const BURST: Duration = Duration::from_millis(100);

/// The allowance of one slot.
pub struct Allowance {
    began: Instant,
    cores: u64,
    /// When all that was used will have been given back: nanoseconds after `began`, 0 while nothing was used.
    whole_at: AtomicU64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self::of(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Allowance {
    fn of(cores: usize) -> Self {
        Self {
            began: Instant::now(),
            cores: cores as u64,
            whole_at: AtomicU64::new(0),
        }
    }

    /// Whether a call may begin on its request's thread.
    pub fn is_left(&self) -> bool {
        self.owes().is_none_or(|owes| owes <= self.to_give_back(BURST))
    }

    /// Measures a call.
    pub fn measure(&self) -> Measured<'_> {
        Measured {
            allowance: self,
            used: Duration::ZERO,
        }
    }

    fn charge(&self, time: Duration) {
        let (now, longer) = (self.now(), self.to_give_back(time));
        let charged = |whole_at: u64| Some(whole_at.max(now).saturating_add(longer));
        let _ = self
            .whole_at
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, charged);
    }

    /// The nanoseconds until all is given back. A slot without longer calls has no clock read for this.
    fn owes(&self) -> Option<u64> {
        match self.whole_at.load(Ordering::Relaxed) {
            0 => None,
            whole_at => whole_at.checked_sub(self.now()),
        }
    }

    /// The nanoseconds in which time gives so much back.
    fn to_give_back(&self, time: Duration) -> u64 {
        nanos(time).saturating_mul(PART) / self.cores
    }

    fn now(&self) -> u64 {
        nanos(self.began.elapsed())
    }
}

/// What a call takes of the allowance: the time of its turns on its request's thread.
pub struct Measured<'a> {
    allowance: &'a Allowance,
    used: Duration,
}

impl Measured<'_> {
    /// Runs a turn. `ran` is how long the call's turns took by the clock, which the turn makes longer.
    pub fn turn<T>(&mut self, ran: &mut Duration, turn: impl FnOnce(&mut Duration) -> T) -> T {
        // On a busy machine a turn lasts longer than it works. The processor's own clock costs a system call, so it is asked
        // once the other one had said that a call was long.
        let before = self.allowance.owes().map(|_| processor_time());
        let ran_before = *ran;
        let ended = turn(ran);
        let lasted = ran.saturating_sub(ran_before);
        let worked = match before {
            Some(before) if lasted > SHORT => lasted.min(processor_time().saturating_sub(before)),
            _ => lasted,
        };
        let counted = self.used > SHORT;
        self.used += worked;
        if self.used > SHORT {
            self.allowance.charge(if counted { worked } else { self.used });
        }
        ended
    }
}

/// What processors spent on this thread.
fn processor_time() -> Duration {
    let Ok(time) = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) else {
        return Duration::ZERO;
    };
    let seconds = Duration::from_secs(time.tv_sec().try_into().unwrap_or_default());
    seconds + Duration::from_nanos(time.tv_nsec().try_into().unwrap_or_default())
}

fn nanos(time: Duration) -> u64 {
    time.as_nanos().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn that says it lasted so long by the clock.
    fn lasts(measured: &mut Measured<'_>, time: Duration) {
        let mut ran = Duration::ZERO;
        measured.turn(&mut ran, |ran| *ran += time);
    }

    /// A turn that lasts so long by the clock, and works as long.
    fn works(measured: &mut Measured<'_>, time: Duration) {
        let mut ran = Duration::ZERO;
        measured.turn(&mut ran, |ran| {
            let started = Instant::now();
            while started.elapsed() < time {
                std::hint::spin_loop();
            }
            *ran += started.elapsed();
        });
    }

    #[test]
    fn short_calls_take_nothing() {
        let allowance = Allowance::of(2);
        for _ in 0..10_000 {
            lasts(&mut allowance.measure(), SHORT);
        }
        assert!(allowance.owes().is_none() && allowance.is_left());
    }

    #[test]
    fn many_long_ones_use_it_up_and_time_gives_it_back() {
        let allowance = Allowance::of(2);
        let calls = (0..100).take_while(|_| allowance.is_left()).map(|_| {
            works(&mut allowance.measure(), Duration::from_millis(5));
        });
        let calls = calls.count();
        assert!((20..100).contains(&calls), "{calls}");
        let started = Instant::now();
        while !allowance.is_left() {
            assert!(started.elapsed() < Duration::from_secs(5));
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn the_turns_of_a_call_are_one_time() {
        let allowance = Allowance::of(2);
        let mut call = allowance.measure();
        for _ in 0..3 {
            lasts(&mut call, SHORT / 2);
        }
        assert!(allowance.owes().is_some());
    }

    #[test]
    fn waiting_for_a_core_is_not_work() {
        let allowance = Allowance::of(1);
        allowance.charge(Duration::from_millis(50));
        // Nothing works here but the clock.
        for _ in 0..10 {
            lasts(&mut allowance.measure(), Duration::from_secs(1));
        }
        assert!(allowance.is_left());
    }
}
