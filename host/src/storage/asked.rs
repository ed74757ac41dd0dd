//! Whether somebody waits for an answer: a request has one within 2 s, also when the database of a cluster gives none. Other work of
//! the server, tasks of their own among it, waits until it knows what became of a write.

use galley_postgres::Wait;

tokio::task_local! {
    static ASKED: ();
}

/// Does work for somebody who waits for an answer.
pub async fn asked<T>(work: impl Future<Output = T>) -> T {
    ASKED.scope((), work).await
}

/// How long the work under way waits for a write.
pub(super) fn wait() -> Wait {
    match ASKED.try_with(|()| ()) {
        Ok(()) => Wait::Short,
        Err(_) => Wait::Long,
    }
}
