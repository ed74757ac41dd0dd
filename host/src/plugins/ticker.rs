//! The clock of the epoch: it ticks while guest code may run and rests while none does, so that an idle server sleeps and
//! one that serves files keeps its cores for them.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex};

/// Ticks without a guest before the clock rests. Starting it again costs a system call, which a busy server never meets.
const TICKS_TO_REST: u32 = 200;

/// The clock of this process, which all engines share.
pub static TICKER: Ticker = Ticker::new();

/// Counts the guests that may run.
pub struct Ticker {
    guests: AtomicUsize,
    resting: AtomicUsize,
    lock: Mutex<()>,
    wanted: Condvar,
}

/// A guest that may run: the clock ticks until this is dropped.
pub struct Running(&'static Ticker);

/// What the thread that ticks knows of the last ticks.
#[derive(Default)]
pub struct Rest {
    quiet: u32,
}

impl Ticker {
    const fn new() -> Self {
        Self {
            guests: AtomicUsize::new(0),
            resting: AtomicUsize::new(0),
            lock: Mutex::new(()),
            wanted: Condvar::new(),
        }
    }

    /// Before guest code is entered. What runs without this is never interrupted.
    pub fn run(&'static self) -> Running {
        // Both sides first say what they do and then look at the other: one of them sees it.
        self.guests.fetch_add(1, Ordering::SeqCst);
        if self.resting.load(Ordering::SeqCst) > 0 {
            drop(self.lock.lock());
            self.wanted.notify_all();
        }
        Running(self)
    }

    /// Called after each tick: returns at once while guests run, and rests when none did for a while.
    pub fn rest(&self, rest: &mut Rest) {
        if self.guests.load(Ordering::SeqCst) > 0 {
            rest.quiet = 0;
            return;
        }
        rest.quiet += 1;
        if rest.quiet < TICKS_TO_REST {
            return;
        }
        rest.quiet = 0;
        let mut lock = self.lock.lock();
        self.resting.fetch_add(1, Ordering::SeqCst);
        while self.guests.load(Ordering::SeqCst) == 0 {
            self.wanted.wait(&mut lock);
        }
        self.resting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.guests.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    /// A clock with a thread that counts its ticks.
    fn ticking() -> (&'static Ticker, &'static AtomicU32) {
        let ticker: &'static Ticker = Box::leak(Box::new(Ticker::new()));
        let ticks: &'static AtomicU32 = Box::leak(Box::default());
        std::thread::spawn(move || {
            let mut rest = Rest::default();
            loop {
                ticks.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(100));
                ticker.rest(&mut rest);
            }
        });
        (ticker, ticks)
    }

    fn until(what: &str, done: impl Fn() -> bool) {
        for _ in 0..2_000 {
            if done() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("never: {what}");
    }

    #[test]
    fn it_rests_without_guests_and_ticks_again_for_each() {
        let (ticker, ticks) = ticking();
        let rests = || ticker.resting.load(Ordering::SeqCst) == 1;
        for _ in 0..5 {
            until("it rests", rests);
            let before = ticks.load(Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            assert_eq!(ticks.load(Ordering::SeqCst), before, "it ticks for nobody");
            let running = ticker.run();
            until("it ticks", || ticks.load(Ordering::SeqCst) > before + 2 * TICKS_TO_REST);
            assert!(!rests());
            drop(running);
        }
    }

    #[test]
    fn one_of_several_guests_keeps_it_ticking() {
        let (ticker, ticks) = ticking();
        let (long, short) = (ticker.run(), ticker.run());
        drop(short);
        let before = ticks.load(Ordering::SeqCst);
        until("it ticks on", || {
            ticks.load(Ordering::SeqCst) > before + 2 * TICKS_TO_REST
        });
        drop(long);
        until("it rests", || ticker.resting.load(Ordering::SeqCst) == 1);
    }
}
