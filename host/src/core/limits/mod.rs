//! What the servers of one database count together: uses in a minute, and places that are held. A server alone counts in memory.
//!
//! Each server counts in memory what it may decide by itself, and exchanges that with the others soon after. Near a bound, and where
//! the count must be exact, whoever asks waits for an exchange. One exchange answers all who asked before it began. While the database
//! is away each server goes by its own counts.
//!
//! The rows are in tables that are not logged: what they cost the database is a round trip, and nothing is synced.

mod book;
mod exchange;
mod margin;
mod places;
mod presence;
mod uses;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use super::wakes::Wakes;
use crate::storage::engine::Shared;

pub(super) use presence::PRESENCE;
pub use uses::Precision;

use book::Book;
use uses::Decision;

/// How long whoever asks waits for an exchange.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// The limits of one server.
pub struct Limits {
    book: Arc<Book>,
    task: AbortHandle,
}

/// A place that is held until this is dropped.
pub struct Place {
    book: Arc<Book>,
    name: String,
}

impl Drop for Limits {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Limits {
    /// Begins to exchange. `server` is what this start of the server is called among the others.
    pub(super) fn start(database: &Shared, server: String, wakes: Arc<Wakes>) -> Arc<Self> {
        let book = Arc::new(Book::default());
        let task = tokio::spawn(exchange::run(database.autocommit(), server, book.clone(), wakes));
        Arc::new(Self {
            book,
            task: task.abort_handle(),
        })
    }

    /// Ends the exchanges.
    pub(super) fn end(&self) {
        self.task.abort();
    }

    /// Counts a use of something, at most `most` in a minute. The error is how long to wait.
    pub async fn take(&self, name: &str, most: u32, precision: Precision) -> Result<(), Duration> {
        let decision = self.book.uses.lock().decide(name, most, precision, Instant::now());
        let answer = match decision {
            Decision::Taken => {
                self.book.soon.notify_one();
                return Ok(());
            }
            Decision::Refused(wait) => return Err(wait),
            Decision::Ask(answer) => answer,
        };
        self.book.urgent.notify_one();
        match self.answer(answer).await {
            Some(use_) if use_.rank <= i64::from(most) => Ok(()),
            Some(use_) => Err(use_.rest),
            None => self.book.uses.lock().decide_alone(name, most, Instant::now()),
        }
    }

    /// Takes a place of something of which at most `max` may be held; `None` when they are.
    pub async fn hold(&self, name: String, max: u32) -> Option<Place> {
        let answer = self.book.places.lock().take(&name, max);
        // Made before anything is waited for: the caller may go away.
        let place = Place {
            book: self.book.clone(),
            name,
        };
        let Some(answer) = answer else {
            self.book.soon.notify_one();
            return Some(place);
        };
        self.book.urgent.notify_one();
        match self.answer(answer).await {
            Some(held) if held > i64::from(max) => None,
            _ => Some(place),
        }
    }

    /// What an exchange answered; `None` when there was none in time.
    async fn answer<T>(&self, answer: oneshot::Receiver<T>) -> Option<T> {
        tokio::time::timeout(ANSWER_TIMEOUT, answer).await.ok()?.ok()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.book.places.lock().leave(&self.name);
        self.book.soon.notify_one();
    }
}

#[cfg(test)]
mod tests;
