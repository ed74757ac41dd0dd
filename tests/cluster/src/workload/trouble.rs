//! Faults, one after the other, until the time is over; and how long nobody was answered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use galley_harness::poll::within;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::client::Common;
use crate::checker::history::Moment;
use crate::cluster::{Fault, KINDS};

/// How long everything is well between two faults, in milliseconds.
const CALM: std::ops::Range<u64> = 500..3_000;
/// How long a fault lasts before it is put right, in milliseconds.
const TROUBLE: std::ops::Range<u64> = 200..5_000;
/// How soon all servers have to be well again once it was put right.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);

/// How long nobody was answered.
#[derive(Debug, Default)]
pub struct Silence {
    last: AtomicU64,
    longest: AtomicU64,
}

impl Silence {
    /// Somebody was answered.
    pub fn ends(&self, now: Moment) {
        let last = self.last.fetch_max(now, Ordering::Relaxed);
        self.longest.fetch_max(now.saturating_sub(last), Ordering::Relaxed);
    }

    /// The longest so far.
    pub fn longest(&self) -> Duration {
        Duration::from_micros(self.longest.load(Ordering::Relaxed))
    }
}

/// Makes trouble until `end`, and leaves everything well. How often there was what.
pub fn make(common: &Common, random: &mut StdRng, end: Instant) -> BTreeMap<&'static str, u32> {
    let mut struck: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut kinds = Vec::new();
    loop {
        let calm = Duration::from_millis(random.random_range(CALM));
        if Instant::now() + calm >= end {
            std::thread::sleep(end.saturating_duration_since(Instant::now()));
            return struck;
        }
        std::thread::sleep(calm);
        if kinds.is_empty() {
            // Each kind once, then each again.
            kinds = (0..KINDS).collect();
            kinds.shuffle(random);
        }
        let node = random.random_range(0..common.cluster.nodes().len());
        let fault = Fault::of_kind(kinds.pop().unwrap_or_default(), node);
        *struck.entry(fault.name()).or_default() += 1;
        eprintln!("{:>8.3}  {fault}", common.clock.now() as f64 / 1e6);
        fault.strike(&common.cluster);
        std::thread::sleep(Duration::from_millis(random.random_range(TROUBLE)));
        fault.mend(&common.cluster);
        let mended = common.clock.now();
        let is_well = are_well(common);
        let seconds = |from: Moment| (common.clock.now() - from) as f64 / 1e6;
        eprintln!(
            "{:>10}put right {:.1} s ago, at {:.3}",
            "",
            seconds(mended),
            mended as f64 / 1e6
        );
        if !is_well {
            let log = format!(
                "{fault}: put right at {:.6}, and not all servers are well",
                mended as f64 / 1e6
            );
            common.wrong.add(log);
            return struck;
        }
    }
}

/// Waits until all servers are well.
fn are_well(common: &Common) -> bool {
    let mut nodes = common.cluster.nodes().iter();
    nodes.all(|node| within(RECOVERY_TIMEOUT, || node.is_well().then_some(())).is_some())
}
