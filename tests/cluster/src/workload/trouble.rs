//! Faults, one after the other, until the time is over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use galley_harness::poll::within;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::client::Common;
use crate::checker::history::Moment;
use crate::cluster::Fault;

/// How long everything is well between two faults, in milliseconds.
const CALM: std::ops::Range<u64> = 500..3_000;
/// How long a fault lasts before it is put right, in milliseconds.
const TROUBLE: std::ops::Range<u64> = 200..5_000;
/// How soon all servers have to be well again once it was put right.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);

/// How soon somebody's write has to be taken once a machine of a database with standbys is gone.
const TAKEOVER_TIMEOUT: Duration = Duration::from_secs(120);

/// How late an answer may come that was on its way when a machine was killed, in microseconds.
const ON_ITS_WAY: Moment = 500_000;

/// What one kind of faults came to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Struck {
    /// How often there was one.
    pub count: u32,
    /// The longest time without an answer.
    pub silence: Duration,
    /// The longest time in which no write was acknowledged.
    pub no_write: Duration,
}

/// Makes trouble until `end`, and leaves everything well. What there was of each kind.
pub fn make(common: &Common, random: &mut StdRng, end: Instant) -> BTreeMap<&'static str, Struck> {
    let mut struck: BTreeMap<&'static str, Struck> = BTreeMap::new();
    let mut round = Vec::new();
    loop {
        let calm = Duration::from_millis(random.random_range(CALM));
        if Instant::now() + calm >= end {
            std::thread::sleep(end.saturating_duration_since(Instant::now()));
            return struck;
        }
        std::thread::sleep(calm);
        if round.is_empty() {
            let nodes = common.cluster.nodes().len();
            round = Fault::round(common.cluster.has_standbys(), || random.random_range(0..nodes));
            round.shuffle(random);
        }
        let Some(fault) = round.pop() else { continue };
        let is_well = let_it_be(common, random, fault, struck.entry(fault.name()).or_default());
        if let Err(said) = is_well {
            common.wrong.add(said);
            return struck;
        }
    }
}

/// Lets a fault be for a while, and puts it right. What is not well afterwards.
fn let_it_be(common: &Common, random: &mut StdRng, fault: Fault, sum: &mut Struck) -> Result<(), String> {
    sum.count += 1;
    let now = || common.clock.now();
    let seconds = |moment: Moment| moment as f64 / 1e6;
    eprintln!("{:>8.3}  {fault}", seconds(now()));
    // Whether a write was acknowledged after this moment.
    let is_taken = |moment: Moment| (common.writes.last() > moment).then_some(());
    common.answers.look(now());
    common.writes.look(now());
    fault.strike(&common.cluster);
    let struck = now();
    std::thread::sleep(Duration::from_millis(random.random_range(TROUBLE)));
    let is_to_be_taken_over = fault == Fault::LeaderKilled && common.cluster.has_standbys();
    if is_to_be_taken_over && within(TAKEOVER_TIMEOUT, || is_taken(struck + ON_ITS_WAY)).is_none() {
        return Err(format!("{fault}: no write was taken for {TAKEOVER_TIMEOUT:?}"));
    }
    fault.mend(&common.cluster);
    let mended = now();
    let is_well = are_well(common) && within(RECOVERY_TIMEOUT, || is_taken(mended)).is_some();
    let (silence, no_write) = (common.answers.look(now()), common.writes.look(now()));
    sum.silence = sum.silence.max(silence);
    sum.no_write = sum.no_write.max(no_write);
    eprintln!(
        "{:>10}put right {:.1} s ago, at {:.3}; up to {:.1} s without an answer, {:.1} s without a write",
        "",
        seconds(now() - mended),
        seconds(mended),
        silence.as_secs_f64(),
        no_write.as_secs_f64()
    );
    match is_well {
        true => Ok(()),
        false => Err(format!(
            "{fault}: put right at {:.6}, and not all servers are well",
            seconds(mended)
        )),
    }
}

/// Waits until all servers are well.
fn are_well(common: &Common) -> bool {
    let mut nodes = common.cluster.nodes().iter();
    nodes.all(|node| within(RECOVERY_TIMEOUT, || node.is_well().then_some(())).is_some())
}
