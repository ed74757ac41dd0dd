//! The normal way to write: several statements in one host call, all or nothing.

use serde::Serialize;

use super::{Rows, Value};
use crate::bindings::galley::events::types::Event;
use crate::bindings::galley::sql::sql::Step;
use crate::error::Problem;
use crate::host;

/// The host function that publishes without a transaction.
type Publish = fn(&[Event]) -> Result<(), Problem>;

/// A batch that is being put together.
#[derive(Debug, Default)]
pub struct Batch {
    steps: Vec<Step>,
    events: Vec<Event>,
    /// How events are published without a transaction. Set where events are added and nowhere else: a component imports
    /// `galley:events`, and asks its operator for it, if and only if it publishes.
    publish: Option<Publish>,
    /// The first event that could not be written as JSON.
    failed: Option<Problem>,
}

/// Starts a batch.
pub fn batch() -> Batch {
    Batch::default()
}

impl Batch {
    /// Adds a statement.
    pub fn step<'a>(mut self, sql: &str, params: impl IntoIterator<Item = Value<'a>>) -> Batch {
        self.steps.push(Step {
            sql: sql.to_owned(),
            params: params.into_iter().map(Value::into_owned).collect(),
            expect_changes: None,
        });
        self
    }

    /// The last added statement must change exactly `rows` rows; otherwise the whole batch is undone (`expectation`).
    pub fn expect(mut self, rows: u64) -> Batch {
        if let Some(step) = self.steps.last_mut() {
            step.expect_changes = Some(rows);
        }
        self
    }

    /// Publishes an event if and only if the batch commits.
    pub fn publish<T: Serialize + ?Sized>(mut self, topic: &str, data: &T) -> Batch {
        self.publish = Some(host::events::publish);
        match crate::events::event(topic, data) {
            Ok(event) => self.events.push(event),
            Err(problem) => self.failed = self.failed.or(Some(problem)),
        }
        self
    }

    /// Runs it. Answers the rows of each step (those of a `RETURNING`, else none). Durable when it returns.
    pub fn run(self) -> Result<Vec<Rows>, Problem> {
        if let Some(problem) = self.failed {
            return Err(problem);
        }
        if let Some(publish) = self.publish.filter(|_| self.steps.is_empty()) {
            return publish(&self.events).map(|()| Vec::new());
        }
        let rows = host::sql::batch(&self.steps, &self.events)?;
        Ok(rows.into_iter().map(Rows::new).collect())
    }
}
