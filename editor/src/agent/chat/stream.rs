//! What pages are told of a session, each event with its number. A page that lost its connection goes on from the number it has.

use std::collections::VecDeque;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::watch;

/// Events that are kept for pages that come back.
const MAX_EVENTS: usize = 4_096;
/// The bytes of all of them.
const MAX_BYTES: usize = 8 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its number, from 1.
    pub seq: u64,
    /// Its name.
    pub name: &'static str,
    /// JSON.
    pub data: String,
}

/// The events of a session.
#[derive(Debug)]
pub(super) struct Stream {
    kept: Mutex<Ring>,
    newest: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Ring {
    events: VecDeque<Told>,
    bytes: usize,
    seq: u64,
}

impl Stream {
    pub(super) fn new() -> Stream {
        Stream {
            kept: Mutex::default(),
            newest: watch::Sender::new(0),
        }
    }

    /// Tells everybody.
    pub(super) fn tell(&self, name: &'static str, data: &Value) {
        let data = data.to_string();
        let mut ring = self.kept.lock();
        ring.seq += 1;
        ring.bytes += data.len();
        let seq = ring.seq;
        ring.events.push_back(Told { seq, name, data });
        while ring.events.len() > MAX_EVENTS || (ring.bytes > MAX_BYTES && ring.events.len() > 1) {
            let gone = ring.events.pop_front().map_or(0, |event| event.data.len());
            ring.bytes -= gone;
        }
        self.newest.send_replace(seq);
    }

    /// The number of the last event.
    pub(super) fn seq(&self) -> u64 {
        self.kept.lock().seq
    }

    /// What came after a number; `None` where that is not known any more.
    pub(super) fn after(&self, seq: u64) -> Option<Vec<Told>> {
        let ring = self.kept.lock();
        let first = ring.events.front().map_or(ring.seq + 1, |event| event.seq);
        if seq > ring.seq || seq + 1 < first {
            return None;
        }
        let skipped = usize::try_from(seq + 1 - first).unwrap_or(usize::MAX);
        Some(ring.events.iter().skip(skipped).cloned().collect())
    }

    /// Rings at each event.
    pub(super) fn bell(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_goes_on_from_the_number_it_has() {
        let stream = Stream::new();
        assert_eq!(stream.after(0), Some(Vec::new()));
        for number in 1..=3 {
            stream.tell("item", &json!({ "number": number }));
        }
        let numbers = |after| {
            stream
                .after(after)
                .map(|events| events.iter().map(|event| event.seq).collect::<Vec<_>>())
        };
        assert_eq!(numbers(0), Some(vec![1, 2, 3]));
        assert_eq!(numbers(2), Some(vec![3]));
        assert_eq!(numbers(3), Some(Vec::new()));
        // Of another run of the program.
        assert_eq!(numbers(4), None);
    }

    #[test]
    fn who_stayed_away_too_long_begins_again() {
        let stream = Stream::new();
        for _ in 0..MAX_EVENTS + 10 {
            stream.tell("item", &json!({}));
        }
        assert_eq!(stream.after(9), None);
        assert_eq!(stream.after(10).map(|events| events.len()), Some(MAX_EVENTS));
    }
}
