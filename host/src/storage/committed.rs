//! Whether the work under way has committed a change: what fails after that does not leave everything as it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

tokio::task_local! {
    static COMMITTED: Arc<Committed>;
}

/// Whether something was committed.
#[derive(Debug, Default)]
pub struct Committed(AtomicBool);

impl Committed {
    /// Whether anything was, so far.
    pub fn is_anything(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does work whose commits are noted.
pub async fn noting<T>(committed: Arc<Committed>, work: impl Future<Output = T>) -> T {
    COMMITTED.scope(committed, work).await
}

/// Notes that the work under way has committed something.
pub fn note() {
    let _ = COMMITTED.try_with(|committed| committed.0.store(true, Ordering::Relaxed));
}
