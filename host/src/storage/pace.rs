//! How quick the statements of a slot are, which chooses the threads they run on.
//!
//! A slot that was slow comes back after a number of quick statements, which doubles each time it is slow again and is halved
//! while it stays quick.

use std::sync::atomic::{AtomicU32, Ordering};

/// Quick statements after which a slot is quick again: the first time, and at most.
const FIRST_PROBATION: u32 = 64;
const MAX_PROBATION: u32 = 8_192;

/// Quick statements of a quick slot that halve its next probation.
const FORGIVENESS: u32 = 1_024;

/// How quick a slot's statements are.
#[derive(Default)]
pub struct Pace {
    /// Quick statements that are missing until the slot is quick.
    missing: AtomicU32,
    /// What was missing when it was slow last.
    probation: AtomicU32,
    /// Quick statements since then, up to [`FORGIVENESS`].
    good: AtomicU32,
}

impl Pace {
    /// Whether the slot is quick.
    pub fn is_quick(&self) -> bool {
        self.missing.load(Ordering::Relaxed) == 0
    }

    /// Counts one statement.
    pub fn note(&self, was_slow: bool) {
        if was_slow {
            let before = self.probation.load(Ordering::Relaxed);
            let probation = (before * 2).clamp(FIRST_PROBATION, MAX_PROBATION);
            self.good.store(0, Ordering::Relaxed);
            self.probation.store(probation, Ordering::Relaxed);
            self.missing.store(probation, Ordering::Relaxed);
            return;
        }
        // A slot that was never slow writes nothing here: its threads share no cache line.
        if self.probation.load(Ordering::Relaxed) == 0 {
            return;
        }
        let less = |missing: u32| missing.checked_sub(1);
        let counted = self.missing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if counted.is_err() && self.good.fetch_add(1, Ordering::Relaxed) >= FORGIVENESS {
            self.good.store(0, Ordering::Relaxed);
            let half = self.probation.load(Ordering::Relaxed) / 2;
            self.probation.store(half, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_slot_comes_back_later_each_time() {
        let pace = Pace::default();
        assert!(pace.is_quick());
        for probation in [64, 128, 256] {
            pace.note(true);
            for _ in 0..probation {
                assert!(!pace.is_quick());
                pace.note(false);
            }
            assert!(pace.is_quick());
        }
    }
}
