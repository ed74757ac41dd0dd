//! What a running build says and is not written yet, where its log is rows of a database.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::Notify;

/// The text that is not written yet. A transcript bounds it.
#[derive(Debug, Default)]
pub struct Unwritten {
    text: Mutex<String>,
    is_closed: AtomicBool,
    bell: Notify,
}

impl Unwritten {
    /// Adds text, which is written soon.
    pub fn add(&self, text: &str) {
        self.text.lock().push_str(text);
        self.bell.notify_one();
    }

    /// Nothing more is said.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.bell.notify_one();
    }

    /// Whether nothing more is said. Asked before [`take`](Self::take): then that gets all there was.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Takes the text.
    pub fn take(&self) -> String {
        std::mem::take(&mut *self.text.lock())
    }

    /// Waits until text was added since the last wait, or it was closed.
    pub async fn rung(&self) {
        self.bell.notified().await;
    }
}
