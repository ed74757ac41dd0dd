//! How often a slot may reach the outside. Servers of one database count together.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::core::{Core, Precision};

/// A slot's outbound requests are counted in windows of this length.
const WINDOW: Duration = Duration::from_secs(60);

/// The outbound requests of one slot.
#[derive(Debug, Default)]
pub struct OutboundRate(Mutex<Option<(Instant, u32)>>);

impl OutboundRate {
    /// Counts a request of a slot; `false` when `most` were sent in this minute.
    pub async fn take(&self, core: &Core, slot: &str, most: u32) -> bool {
        match core.limits() {
            None => self.take_at(most, Instant::now()),
            Some(limits) => {
                let name = format!("outbound {slot}");
                limits.take(&name, most, Precision::Near).await.is_ok()
            }
        }
    }

    fn take_at(&self, most: u32, now: Instant) -> bool {
        let mut window = self.0.lock();
        let (since, sent) = window.get_or_insert((now, 0));
        if now.saturating_duration_since(*since) >= WINDOW {
            (*since, *sent) = (now, 0);
        }
        let may_send = *sent < most;
        *sent += u32::from(may_send);
        may_send
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_waits_for_the_next_minute() {
        let rate = OutboundRate::default();
        let now = Instant::now();
        assert_eq!([2, 2, 2].map(|most| rate.take_at(most, now)), [true, true, false]);
        assert!(rate.take_at(3, now), "more are allowed at once");
        assert!(!rate.take_at(3, now + WINDOW / 2));
        assert!(rate.take_at(1, now + WINDOW));
        assert!(!rate.take_at(0, now + 2 * WINDOW));
    }
}
