//! Work that blocks, for asynchronous code.

use std::io;

/// Runs what blocks on a thread that may.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|error| Err(io::Error::other(error)))
}
