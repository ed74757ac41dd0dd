//! The first attempts to send mails, for callers that wait for one.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::storage::id::hash_secret;

/// The waiting callers, by the key of the mail.
#[derive(Default)]
pub(super) struct Attempts(Mutex<HashMap<String, oneshot::Sender<()>>>);

/// A first attempt that is still to come.
pub(super) struct Attempt(oneshot::Receiver<()>);

impl Attempts {
    /// Registers a caller. Call it before the mail is queued, so that its attempt cannot be missed.
    pub fn expect(&self, key: &str) -> Attempt {
        let (sender, receiver) = oneshot::channel();
        let mut waiting = self.0.lock();
        // Callers whose timeout has passed.
        waiting.retain(|_, sender| !sender.is_closed());
        waiting.insert(key.to_owned(), sender);
        Attempt(receiver)
    }

    /// Call it when an attempt to send the mail was made and recorded.
    pub fn made(&self, key: &str) {
        if let Some(waiting) = self.0.lock().remove(key) {
            let _ = waiting.send(());
        }
    }

    /// The same of an attempt that another server made, with the hash of the key: keys have addresses in them, which others of the
    /// database need not read.
    pub fn made_elsewhere(&self, hash: &str) {
        let mut waiting = self.0.lock();
        let key = waiting.keys().find(|key| hash_secret(key) == hash).cloned();
        if let Some(sender) = key.and_then(|key| waiting.remove(&key)) {
            let _ = sender.send(());
        }
    }

    /// Call it when the mail server cannot be used: all callers stop waiting.
    pub fn none_can_be_made(&self) {
        self.0.lock().clear();
    }
}

impl Attempt {
    /// Waits until the attempt was made or cannot be made, for `timeout` at most.
    pub async fn made_within(self, timeout: Duration) {
        let _ = tokio::time::timeout(timeout, self.0).await;
    }
}
