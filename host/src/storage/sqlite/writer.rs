//! The writer thread of a file: it runs all waiting writes in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::StorageError;

/// The most writes that share one commit.
const MAX_GROUP: usize = 128;

/// A queued write. It is run, perhaps twice; `finish` gets the result of the commit.
pub(super) trait Job: Send {
    /// Runs the write, and answers whether its changes are kept.
    fn run(&mut self, connection: &mut Connection) -> bool;
    fn finish(self: Box<Self>, commit: Result<(), String>);
}

/// A write, with the step that follows it when it is durable.
pub(super) struct Write<T, E, F, N> {
    write: F,
    then: N,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F, N> Write<T, E, F, N> {
    /// The write, and where its result arrives.
    pub fn new(write: F, then: N) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let job = Self {
            write,
            then,
            result: None,
            reply,
        };
        (job, answer)
    }
}

impl<T, E, F, N> Job for Write<T, E, F, N>
where
    T: Send,
    E: From<StorageError> + Send,
    F: FnMut(&mut Connection) -> Result<T, E> + Send,
    N: FnOnce(&T) + Send,
{
    fn run(&mut self, connection: &mut Connection) -> bool {
        let write = &mut self.write;
        let result = catch_unwind(AssertUnwindSafe(|| write(connection)));
        let result = result.unwrap_or_else(|_| Err(StorageError::Gone.into()));
        let stays = result.is_ok();
        self.result = Some(result);
        stays
    }

    fn finish(self: Box<Self>, commit: Result<(), String>) {
        let Self {
            then, result, reply, ..
        } = *self;
        let answer = match (result, commit) {
            (Some(Ok(_)), Err(message)) => Err(StorageError::Commit(message).into()),
            (Some(Ok(value)), Ok(())) => {
                // A panic in a step must not end the writer thread.
                let _ = catch_unwind(AssertUnwindSafe(|| then(&value)));
                Ok(value)
            }
            (Some(Err(error)), _) => Err(error),
            (None, _) => Err(StorageError::Gone.into()),
        };
        // The caller may have gone away; its write is committed all the same.
        let _ = reply.send(answer);
    }
}

/// Runs the queued writes until the queue is closed.
pub(super) fn write_loop(mut connection: Connection, inbox: mpsc::Receiver<Box<dyn Job>>) {
    while let Ok(first) = inbox.recv() {
        let waiting = std::iter::once(first)
            .chain(inbox.try_iter().take(MAX_GROUP - 1))
            .collect();
        run_group(&mut connection, waiting);
    }
}

/// Runs the jobs in one transaction. A statement that is interrupted, or finds the disk full, makes SQLite roll back
/// the whole transaction: then that job is answered, and the others run again without it.
fn run_group(connection: &mut Connection, mut group: Vec<Box<dyn Job>>) {
    'again: loop {
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            return finish(group, Err(error.to_string()));
        }
        let mut at = 0;
        while at < group.len() {
            let savepoint = connection.execute_batch("SAVEPOINT job");
            let stays = savepoint.is_ok() && group[at].run(connection);
            if connection.is_autocommit() {
                group
                    .remove(at)
                    .finish(Err("the transaction was rolled back".to_owned()));
                continue 'again;
            }
            let end = if stays {
                "RELEASE job"
            } else {
                "ROLLBACK TO job; RELEASE job"
            };
            if connection.execute_batch(end).is_err() && connection.is_autocommit() {
                group
                    .remove(at)
                    .finish(Err("the transaction was rolled back".to_owned()));
                continue 'again;
            }
            at += 1;
        }
        let commit = connection.execute_batch("COMMIT").map_err(|error| error.to_string());
        if commit.is_err() && !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        return finish(group, commit);
    }
}

fn finish(group: Vec<Box<dyn Job>>, commit: Result<(), String>) {
    for job in group {
        job.finish(commit.clone());
    }
}
