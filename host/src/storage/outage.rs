//! What the log says of the database and the object store while they are away: one line when one goes, one when it is back, and one a
//! minute in between, whoever notices and how often.

use std::fmt::Display;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The shortest time between two lines that say that something is away.
const PAUSE: Duration = Duration::from_secs(60);

/// The database of a cluster.
pub static DATABASE: Outage = Outage::new(
    "requests are refused until the database is back",
    "the database is back",
);
/// The object store.
pub static OBJECTS: Outage = Outage::new(
    "uploads are refused, and nothing is served that is not here, until the object store is back",
    "the object store is back",
);

/// Something that may be away.
pub struct Outage {
    while_away: &'static str,
    once_back: &'static str,
    state: Mutex<State>,
}

struct State {
    is_away: bool,
    /// Whether the log says that it is away.
    is_told: bool,
    /// When it said so last.
    told: Option<Instant>,
}

impl Outage {
    const fn new(while_away: &'static str, once_back: &'static str) -> Self {
        Self {
            while_away,
            once_back,
            state: Mutex::new(State {
                is_away: false,
                is_told: false,
                told: None,
            }),
        }
    }

    /// Notes that it is away. `what` is what cannot be done now.
    pub fn away(&self, what: &str, error: &dyn Display) {
        match self.state.lock().is_worth_a_line(Instant::now()) {
            true => tracing::warn!("{}: {error} ({what})", self.while_away),
            false => tracing::debug!("{what}: {error}"),
        }
    }

    /// Notes that it answers.
    pub fn back(&self) {
        let mut state = self.state.lock();
        if !state.is_away {
            return;
        }
        state.is_away = false;
        if std::mem::take(&mut state.is_told) {
            tracing::info!("{}", self.once_back);
        }
    }
}

impl State {
    fn is_worth_a_line(&mut self, now: Instant) -> bool {
        self.is_away = true;
        let is_due = self.told.is_none_or(|told| now.duration_since(told) >= PAUSE);
        if is_due {
            (self.is_told, self.told) = (true, Some(now));
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_once_and_once_a_minute_while_it_lasts() {
        let outage = Outage::new("away", "back");
        let begin = Instant::now();
        let at = |seconds| {
            outage
                .state
                .lock()
                .is_worth_a_line(begin + Duration::from_secs(seconds))
        };
        assert_eq!([0, 1, 59, 60, 61].map(at), [true, false, false, true, false]);
        outage.back();
        assert!(!outage.state.lock().is_told);
        // What comes and goes is not told each time.
        assert!(!at(62) && !outage.state.lock().is_told);
        outage.back();
        assert!(at(120));
    }
}
