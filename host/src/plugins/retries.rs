//! When slots whose start failed are tried again: after 1, 2, 4 … 60 s.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::breaker::{FIRST_PAUSE, next_pause};

/// The slots whose start failed.
#[derive(Debug, Default)]
pub struct Retries {
    slots: HashMap<String, Retry>,
}

#[derive(Debug)]
struct Retry {
    at: Instant,
    pause: Duration,
}

impl Retries {
    /// Notes which slots' starts failed in the load that ended now.
    pub fn note<'s>(&mut self, failed: impl Iterator<Item = &'s str>, now: Instant) {
        let mut before = std::mem::take(&mut self.slots);
        for slot in failed {
            let retry = match before.remove(slot) {
                // Another slot's change was the reason to load.
                Some(retry) if now < retry.at => retry,
                Some(Retry { pause, .. }) => Retry::after(next_pause(pause), now),
                None => Retry::after(FIRST_PAUSE, now),
            };
            self.slots.insert(slot.to_owned(), retry);
        }
    }

    /// The slots that are to be tried again now.
    pub fn due(&self, now: Instant) -> Vec<&str> {
        let due = self.slots.iter().filter(|(_, retry)| retry.at <= now);
        let mut due: Vec<_> = due.map(|(slot, _)| slot.as_str()).collect();
        due.sort_unstable();
        due
    }
}

impl Retry {
    fn after(pause: Duration, now: Instant) -> Self {
        Self { at: now + pause, pause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_until_the_start_succeeds() {
        let mut retries = Retries::default();
        let mut now = Instant::now();
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            retries.note(["a"].into_iter(), now);
            let pause = Duration::from_secs(pause);
            assert!(
                retries.due(now + pause - Duration::from_millis(1)).is_empty(),
                "{pause:?}"
            );
            // A load for another reason does not change when.
            retries.note(["a"].into_iter(), now + pause / 2);
            now += pause;
            assert_eq!(retries.due(now), ["a"]);
        }
        retries.note(std::iter::empty(), now);
        assert!(retries.due(now + 2 * Duration::from_secs(60)).is_empty());
    }
}
