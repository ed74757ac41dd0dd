//! The writer thread of a file: it runs all waiting writes in one transaction. Statements of a plugin that take long go on
//! without the others, on a thread that gives way ([`SLOW_WRITE_TIMEOUT`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::StorageError;
use crate::storage::low_priority::Threads;
use crate::storage::own_time::OwnTime;
use crate::storage::pace::Pace;

/// The most writes that share one commit.
const MAX_GROUP: usize = 128;

/// A plugin's statements that take so long are slow: the write begins again on a thread that gives way to others, and the
/// next writes of the slot begin there.
const SLOW_WRITE_TIMEOUT: Duration = Duration::from_millis(10);

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
pub(super) fn write_loop(connection: Connection, inbox: mpsc::Receiver<Box<dyn Job>>, name: &str) {
    let pace = Pace::default();
    let threads = Threads::new(1);
    let slow_name = format!("slow-{name}");
    let mut place = Some(connection);
    while let Ok(first) = inbox.recv() {
        let group = std::iter::once(first)
            .chain(inbox.try_iter().take(MAX_GROUP - 1))
            .collect();
        let Some(mut connection) = place.take() else { return };
        let slow = match pace.is_quick() {
            true => {
                let ran = run_group(&mut connection, group, Some(SLOW_WRITE_TIMEOUT));
                pace.note(!ran.slow.is_empty());
                ran.slow
            }
            false => group,
        };
        if slow.is_empty() {
            place = Some(connection);
            continue;
        }
        let work = move || {
            // Each by itself: one that takes long holds nobody's commit up but its own.
            let ran = slow.into_iter().map(|job| run_group(&mut connection, vec![job], None));
            let longest = ran.map(|ran| ran.longest).max().unwrap_or_default();
            (connection, longest)
        };
        // Without a thread, or when a panic took the connection with it, the writer ends and its writes are told so.
        if let Some((connection, longest)) = threads.run_blocking(&slow_name, work) {
            pace.note(longest >= SLOW_WRITE_TIMEOUT);
            place = Some(connection);
        }
    }
}

/// What became of a group.
#[derive(Default)]
struct Ran {
    /// The jobs that need longer than the cap. They were not answered.
    slow: Vec<Box<dyn Job>>,
    /// The time of the longest job, without its commit, which waits for the disk.
    longest: Duration,
}

/// Runs the jobs in one transaction. A statement that is interrupted, or finds the disk full, makes SQLite roll back
/// the whole transaction: then that job is answered, and the others run again without it. With a `cap` for the time of the
/// plugin's statements in a job, those that need longer are not answered but given back.
fn run_group(connection: &mut Connection, mut group: Vec<Box<dyn Job>>, cap: Option<Duration>) -> Ran {
    let mut ran = Ran::default();
    'again: loop {
        if group.is_empty() {
            return ran;
        }
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            finish(group, Err(error.to_string()));
            return ran;
        }
        let mut at = 0;
        while at < group.len() {
            let savepoint = connection.execute_batch("SAVEPOINT job");
            let work = OwnTime::begin();
            let (stays, was_capped) = match savepoint {
                Ok(()) => run_capped(&mut group[at], connection, cap),
                Err(_) => (false, false),
            };
            ran.longest = ran.longest.max(work.elapsed());
            let end = if stays {
                "RELEASE job"
            } else {
                "ROLLBACK TO job; RELEASE job"
            };
            // An interrupted statement may have rolled everything back, the savepoint too.
            let ended = !connection.is_autocommit() && connection.execute_batch(end).is_ok();
            if was_capped {
                ran.slow.push(group.remove(at));
                match ended {
                    true => continue,
                    false => {
                        if !connection.is_autocommit() {
                            let _ = connection.execute_batch("ROLLBACK");
                        }
                        continue 'again;
                    }
                }
            }
            if connection.is_autocommit() {
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
        finish(group, commit);
        return ran;
    }
}

/// Runs one job. Answers whether its changes are kept, and whether it failed because of the cap.
fn run_capped(job: &mut Box<dyn Job>, connection: &mut Connection, cap: Option<Duration>) -> (bool, bool) {
    let Some(cap) = cap else {
        return (job.run(connection), false);
    };
    let end = Instant::now() + cap;
    galley_sql::capped(end, || {
        let stays = job.run(connection);
        (stays, !stays && galley_sql::was_capped())
    })
}

fn finish(group: Vec<Box<dyn Job>>, commit: Result<(), String>) {
    for job in group {
        job.finish(commit.clone());
    }
}
