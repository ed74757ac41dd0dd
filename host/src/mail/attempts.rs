//! First attempts to send a mail, for whoever waits to hear how one went.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Who waits, by the key of the mail.
#[derive(Default)]
pub(super) struct Attempts(Mutex<HashMap<String, oneshot::Sender<()>>>);

/// A first attempt that is still to come.
pub(super) struct Attempt(oneshot::Receiver<()>);

impl Attempts {
    /// Before the mail is queued, so that its attempt cannot be missed.
    pub fn expect(&self, key: &str) -> Attempt {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.0.lock();
        // Those whose time was over.
        waiting.retain(|_, sender| !sender.is_closed());
        waiting.insert(key.to_owned(), sender);
        Attempt(receiver)
    }

    /// An attempt to send the mail was made, and is written down.
    pub fn made(&self, key: &str) {
        if let Some(waiting) = self.0.lock().remove(key) {
            let _ = waiting.send(());
        }
    }

    /// The mail server cannot be used: nobody's attempt comes soon.
    pub fn none_can_be_made(&self) {
        self.0.lock().clear();
    }
}

impl Attempt {
    /// Waits until the attempt was made, or none can be, at most this long.
    pub async fn made_within(self, timeout: Duration) {
        let _ = tokio::time::timeout(timeout, self.0).await;
    }
}
