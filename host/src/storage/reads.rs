//! Where the reads of a slot run: on the thread of the call while they are quick, else on threads of the slot's own, which
//! give way to all others.
//!
//! The threads of calls serve everybody. One slow read there delays all requests of that thread, so a slot whose read took
//! [`SLOW`] leaves them at once, and comes back when its reads were quick for some time ([`Pace`]).

use std::sync::Arc;
use std::time::Duration;

use super::low_priority::Threads;
use super::own_time::OwnTime;
use super::pace::Pace;

/// A read that keeps its thread busy for so long is slow.
pub const SLOW: Duration = Duration::from_millis(5);

/// The threads of a slot. They are started by its first slow read.
const THREADS: usize = 2;

/// The reads of one slot.
pub struct Reads {
    pace: Arc<Pace>,
    threads: Threads,
}

impl Default for Reads {
    fn default() -> Self {
        Self {
            pace: Arc::default(),
            threads: Threads::new(THREADS),
        }
    }
}

impl Reads {
    /// Whether the slot's reads may run on the thread of a call.
    pub fn are_quick(&self) -> bool {
        self.pace.is_quick()
    }

    /// Runs a read on this thread.
    pub fn here<T>(&self, read: impl FnOnce() -> T) -> T {
        timed(&self.pace, read)
    }

    /// Runs a read on a thread of the slot's own. `None` when it panicked, or no thread could be started. It does not run at
    /// all when nobody waits for it any more.
    pub async fn elsewhere<T: Send + 'static>(
        &self,
        slot: &str,
        read: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let pace = self.pace.clone();
        self.threads
            .run(&format!("read-{slot}"), move || timed(&pace, read))
            .await
    }
}

fn timed<T>(pace: &Pace, read: impl FnOnce() -> T) -> T {
    let work = OwnTime::begin();
    let answer = read();
    pace.note(work.elapsed() >= SLOW);
    answer
}
