//! While one plugin misbehaves, everything else serves as if nothing were.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// Generous, as the machine may be busy with other tests; still far below the two seconds a stuck worker would cost.
const MAX_LATENCY: Duration = Duration::from_millis(400);

const CALLS: usize = 200;

/// Times of calls, sorted.
fn times(mut call: impl FnMut()) -> Vec<Duration> {
    let time = || {
        let started = Instant::now();
        call();
        started.elapsed()
    };
    let mut times: Vec<Duration> = std::iter::repeat_with(time).take(CALLS).collect();
    times.sort();
    times
}

/// Does a deed on several connections at once, for as long as other routes are measured.
fn unharmed_by(deed: &str) {
    let operator = Operator::with_guest("hostile", 2_000);
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Hello");
    let stop = AtomicBool::new(false);
    let done = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let answer = operator.anonymous().get(&format!("/api/v1/hostile/{deed}"));
                    assert!(matches!(answer.status, 200 | 500 | 503), "{}", answer.head);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // All six are at it: a first one has ended, or they are in their first call.
        let health = times(|| healthy(&operator.server));
        let comments = times(|| drop(ed.get(&comments(&shop)).expect(200)));
        let writes = times(|| drop(comment(&ed, &shop, "Hello")));
        stop.store(true, Ordering::Relaxed);
        for (name, times) in [("health", health), ("list", comments), ("write", writes)] {
            let high = times[CALLS * 99 / 100];
            assert!(
                high < MAX_LATENCY,
                "{name} beside `{deed}`: p50 {:?}, p99 {high:?}",
                times[CALLS / 2]
            );
        }
    });
    assert!(done.load(Ordering::Relaxed) > 0, "`{deed}` was never done");
}

/// How much longer others may wait while a plugin tries slow SQL.
const MAX_FACTOR: u32 = 3;

/// A busy machine lets somebody wait so long by itself.
const MIN_LATENCY: Duration = Duration::from_millis(200);

/// Others' requests alone, and again while a plugin tries every slow statement on several connections.
#[test]
fn by_one_that_tries_all_slow_sql() {
    let operator = Operator::with_guest("hostile", 2_000);
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Hello");
    let measured = || {
        let health = times(|| healthy(&operator.server));
        let comments = times(|| drop(ed.get(&comments(&shop)).expect(200)));
        [("health", health), ("list", comments)].map(|(name, times)| (name, times[CALLS * 99 / 100]))
    };
    let alone = measured();
    let stop = AtomicBool::new(false);
    let beside = std::thread::scope(|scope| {
        for first in 0..6 {
            let (operator, stop) = (&operator, &stop);
            scope.spawn(move || {
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let path = format!("/api/v1/hostile/heavy-sql?times={}", 2 * first + number);
                    let answer = operator.anonymous().get(&path);
                    assert!(matches!(answer.status, 200 | 503), "{}", answer.head);
                }
            });
        }
        std::thread::sleep(Duration::from_millis(200));
        let beside = measured();
        stop.store(true, Ordering::Relaxed);
        beside
    });
    println!("p99 alone {alone:?}, beside slow SQL {beside:?}");
    for ((name, alone), (_, beside)) in alone.into_iter().zip(beside) {
        assert!(
            beside <= (MAX_FACTOR * alone).max(MIN_LATENCY),
            "{name}: p99 {beside:?}, alone {alone:?}"
        );
    }
}

#[test]
fn by_one_that_loops() {
    unharmed_by("spin");
}

#[test]
fn by_one_that_allocates() {
    unharmed_by("allocate");
}

#[test]
fn by_one_that_traps() {
    unharmed_by("panic");
}

#[test]
fn by_one_that_floods_the_log() {
    unharmed_by("flood?times=9000");
}

#[test]
fn by_one_that_sleeps_inside_host_calls() {
    unharmed_by("many-slow-queries");
}

#[test]
fn by_one_that_runs_endless_sql() {
    unharmed_by("endless-query");
}

#[test]
fn by_one_that_holds_its_lock() {
    unharmed_by("hold-the-lock");
}
