//! How long nothing was heard.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::checker::history::Moment;

/// Times between one sign of life and the next.
#[derive(Debug, Default)]
pub struct Silence {
    last: AtomicU64,
    longest: AtomicU64,
    /// The longest one that ended since somebody looked.
    recent: AtomicU64,
}

impl Silence {
    /// There was a sign of life.
    pub fn ends(&self, now: Moment) {
        let last = self.last.fetch_max(now, Ordering::Relaxed);
        let time = now.saturating_sub(last);
        self.longest.fetch_max(time, Ordering::Relaxed);
        self.recent.fetch_max(time, Ordering::Relaxed);
    }

    /// When the last one was.
    pub fn last(&self) -> Moment {
        self.last.load(Ordering::Relaxed)
    }

    /// The longest time so far.
    pub fn longest(&self) -> Duration {
        Duration::from_micros(self.longest.load(Ordering::Relaxed))
    }

    /// The longest time that ended since the last look, or goes on now.
    pub fn look(&self, now: Moment) -> Duration {
        let ended = self.recent.swap(0, Ordering::Relaxed);
        Duration::from_micros(ended.max(now.saturating_sub(self.last())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_time_is_told_of_all_and_since_the_last_look() {
        let silence = Silence::default();
        let time = Duration::from_micros;
        [10, 70, 75].into_iter().for_each(|now| silence.ends(now));
        assert_eq!(silence.look(80), time(60));
        // It goes on, then it ends; what comes late is no new sign.
        assert_eq!(silence.look(95), time(20));
        [105, 100, 110].into_iter().for_each(|now| silence.ends(now));
        assert_eq!((silence.look(110), silence.last()), (time(30), 110));
        assert_eq!(silence.longest(), time(60));
    }
}
