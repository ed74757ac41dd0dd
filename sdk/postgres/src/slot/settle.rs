//! Transactions of a slot: their beginning under the slot's lock, and their commits, which are settled when the answer was lost.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::bounds::Bounds;
use super::connection::Connection;
use super::failure::Failure;
use super::generation::{self, Noted};
use super::pool::Pool;
use super::provision::LOCK_FUNCTION;
use crate::failure::Failure as Common;
use crate::receipt::{Fate, Receipt};

/// The table of receipts.
pub const RECEIPTS: &str = "public._galley_receipts";

/// How long an answer may be on its way once the server has stopped a statement at its bound.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// The pause between two questions for a lost commit.
const SETTLE_PAUSE: Duration = Duration::from_millis(200);

/// The bounds of a transaction.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// How long the slot's lock is waited for.
    pub wait: Duration,
    /// The server undoes the transaction when nothing comes for so long.
    pub idle: Duration,
    /// How long its first statement may run.
    pub bound: Duration,
    /// What it notes in the [generation] when it writes.
    pub writes: Option<Noted>,
}

/// Begins a transaction that holds the slot's lock. Answers its receipt, which has a row when it writes. [`Failure::Superseded`] when the
/// data are of another edition by now.
///
/// All who write to the slot hold this lock, on whatever server: so each statement sees what was committed before, and numbers
/// that are given follow the order of the commits.
pub async fn begin(connection: &mut Connection, times: Times) -> Result<Receipt, Failure> {
    let until = Instant::now() + times.wait + ANSWER_TIMEOUT;
    // 0 would be no bound.
    let [wait, idle, bound] = [times.wait, times.idle, times.bound].map(|bound| bound.as_millis().max(1));
    let answer = match times.writes {
        Some(noted) => generation::grow(noted, RECEIPTS),
        None => "SELECT pg_current_xact_id()::text".to_owned(),
    };
    let sql = format!(
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = {wait};
         SET LOCAL idle_in_transaction_session_timeout = {idle};
         SELECT {LOCK_FUNCTION}(); {answer}; SET LOCAL statement_timeout = {bound}"
    );
    // Without a receipt the last row is the lock's, which is empty.
    let answer = connection.begin(&sql, times.bound, until).await?;
    match answer.filter(|answer| !answer.is_empty()) {
        Some(answer) => Ok(Receipt::of(&answer)),
        None if times.writes.is_some() => Err(Failure::Superseded),
        None => Err(Common::Statement("a transaction has no id".to_owned()).into()),
    }
}

/// How a commit ended.
#[derive(Debug)]
pub enum End {
    /// The changes are durable.
    Committed,
    /// The connection was lost, and the transaction with it: it may be run again.
    Undone,
}

/// Commits. When the answer is lost, the database that is there then is asked what became of it.
pub async fn commit(
    connection: &mut Connection,
    receipt: &Receipt,
    pool: &Arc<Pool>,
    bounds: &Bounds,
) -> Result<End, Failure> {
    // No bound of the server's may hold here: told to stop waiting for standbys, it answers that it has committed.
    let until = Instant::now() + bounds.commit;
    match connection.end("SET LOCAL statement_timeout = 0; COMMIT", until).await {
        Ok(()) => Ok(End::Committed),
        Err(Failure::Interrupted | Failure::Database(Common::Unavailable(_))) => settle(receipt, pool, bounds).await,
        Err(failure) => Err(failure),
    }
}

/// What is told of a transaction that was undone because its connection was lost.
pub fn lost() -> Failure {
    Common::Unavailable("the connection was lost".to_owned()).into()
}

async fn settle(receipt: &Receipt, pool: &Arc<Pool>, bounds: &Bounds) -> Result<End, Failure> {
    let end = Instant::now() + bounds.settle;
    let mut inquiry = receipt.clone().inquire();
    let sql = inquiry.question(RECEIPTS);
    loop {
        let until = end.min(Instant::now() + bounds.connect);
        let asked = async { pool.lease(until).await?.batch(&sql, until).await };
        match asked.await.map(|answer| inquiry.fate(&answer.unwrap_or_default())) {
            Ok(Fate::Committed) => return Ok(End::Committed),
            Ok(Fate::Undone) => return Ok(End::Undone),
            Ok(Fate::Unclear) => {}
            _ if Instant::now() >= end => return Err(Common::InDoubt.into()),
            _ => tokio::time::sleep(SETTLE_PAUSE).await,
        }
    }
}
