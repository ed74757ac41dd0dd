//! Questions to the page in the preview, until they are answered.

use std::collections::HashMap;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::oneshot;

/// Questions that wait for an answer, by name.
#[derive(Default)]
pub(super) struct Readings(Mutex<HashMap<String, Waiting>>);

struct Waiting {
    sender: oneshot::Sender<Value>,
    /// How many pages may still answer.
    left: usize,
}

impl Readings {
    /// Waits for an answer of as many pages.
    pub(super) fn expect(&self, id: &str, left: usize) -> oneshot::Receiver<Value> {
        let (sender, answer) = oneshot::channel();
        let mut all = self.0.lock();
        // Whoever is dropped while it waits forgets nothing.
        all.retain(|_, waiting| !waiting.sender.is_closed());
        all.insert(id.to_owned(), Waiting { sender, left });
        answer
    }

    /// Takes an answer; that a page cannot say it counts when no other is left. Whether somebody hears it.
    pub(super) fn take(&self, id: &str, answer: Value) -> bool {
        let mut all = self.0.lock();
        let Some(waiting) = all.get_mut(id) else { return false };
        waiting.left = waiting.left.saturating_sub(1);
        if answer.is_null() && waiting.left > 0 {
            return false;
        }
        let waiting = all.remove(id);
        waiting.is_some_and(|waiting| waiting.sender.send(answer).is_ok())
    }

    /// Waits no longer.
    pub(super) fn forget(&self, id: &str) {
        self.0.lock().remove(id);
    }
}
