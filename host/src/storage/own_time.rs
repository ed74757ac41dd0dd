//! How long work kept its thread busy. Where all cores are busy, a thread that could go on waits for its turn: that time says
//! nothing of the work, and on a thread of low priority it is most of the time.

use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

/// Work that is not longer than this is not looked at more closely.
const SHORT: Duration = Duration::from_millis(1);

/// Work on this thread, since its beginning.
pub struct OwnTime {
    began: Instant,
    used: Option<Used>,
}

/// What the kernel says of this thread.
struct Used {
    /// Processor time, which the kernel brings up to date every few milliseconds.
    processor: Duration,
    /// How often it waited for something, such as the disk.
    waits: i64,
}

impl OwnTime {
    /// Work begins now. Costs a quarter of a microsecond.
    pub fn begin() -> Self {
        Self {
            began: Instant::now(),
            used: used(),
        }
    }

    /// The time since: all of it where the thread waited for something, else its processor time.
    pub fn elapsed(&self) -> Duration {
        let elapsed = self.began.elapsed();
        if elapsed < SHORT {
            return elapsed;
        }
        match (&self.used, used()) {
            (Some(before), Some(now)) if before.waits == now.waits => {
                elapsed.min(now.processor.saturating_sub(before.processor))
            }
            _ => elapsed,
        }
    }
}

fn used() -> Option<Used> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
    let time = [usage.user_time(), usage.system_time()].map(|time| {
        let seconds = u64::try_from(time.tv_sec()).unwrap_or_default();
        let micros = u64::try_from(time.tv_usec()).unwrap_or_default();
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    });
    Some(Used {
        processor: time[0] + time[1],
        waits: usage.voluntary_context_switches(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than the kernel's turns.
    fn long() -> Duration {
        Duration::from_millis(60)
    }

    /// Computes for so much processor time of this thread.
    fn compute(time: Duration) {
        let begun = used().unwrap().processor;
        while used().unwrap().processor - begun < time {
            std::hint::black_box(());
        }
    }

    #[test]
    fn waiting_for_something_counts() {
        let work = OwnTime::begin();
        std::thread::sleep(long());
        assert!(work.elapsed() >= long());
    }

    #[test]
    fn waiting_for_a_turn_does_not_count() {
        let cores = std::thread::available_parallelism().unwrap().get();
        std::thread::scope(|scope| {
            for _ in 0..3 * cores {
                scope.spawn(|| compute(2 * long()));
            }
            // A busy core takes this thread off before it has used so much.
            let (begun, work) = (Instant::now(), OwnTime::begin());
            compute(long());
            let (whole, own) = (begun.elapsed(), work.elapsed());
            assert!(own >= long() && own < long() * 3 / 2, "{own:?} of {whole:?}");
        });
    }
}
