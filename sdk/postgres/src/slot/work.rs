//! What is asked of a slot's database, and what it answers.

use tokio::time::Instant;

use super::checked::{Checked, Kind};
use super::failure::Failure;
use crate::value::Value;

/// One statement of a batch.
#[derive(Debug, Clone)]
pub struct Step {
    /// The statement, with parameters `?1`, `?2` …
    pub sql: String,
    /// Their values, as many as the statement has.
    pub parameters: Vec<Value>,
    /// When set, it must change exactly so many rows.
    pub expected_changes: Option<u64>,
}

/// An event that is published when the transaction commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its topic.
    pub topic: String,
    /// What it says.
    pub data: String,
}

/// A statement with its parameters.
#[derive(Debug)]
pub struct Ready {
    pub statement: Checked,
    pub parameters: Vec<Value>,
    pub expected: Option<u64>,
}

impl Ready {
    /// A plugin's.
    pub fn new(sql: &str, parameters: Vec<Value>) -> Result<Self, Failure> {
        Ok(Self {
            statement: Checked::new(sql)?,
            parameters,
            expected: None,
        })
    }

    /// A plugin's step.
    pub fn of_step(step: Step) -> Result<Self, Failure> {
        Ok(Self {
            expected: step.expected_changes,
            ..Self::new(&step.sql, step.parameters)?
        })
    }

    /// The host's, with parameters `$1`, `$2` …
    pub fn of_host(sql: &str, parameters: Vec<Value>) -> Self {
        Self {
            statement: Checked::of_host(sql, Kind::Deletes),
            parameters,
            expected: None,
        }
    }

    /// The answer, when the step at this index changed as many rows as it had to.
    pub fn expecting(&self, step: usize, answer: Answer) -> Result<Answer, Failure> {
        match self.expected {
            Some(expected) if expected != answer.changed => Err(Failure::Expectation {
                step,
                expected,
                changed: answer.changed,
            }),
            _ => Ok(answer),
        }
    }

    /// Whether statements behind it can be prepared before it has run.
    pub fn keeps_schema(&self) -> bool {
        !matches!(self.statement.kind, Kind::ChangesSchema | Kind::Drops)
    }

    /// Whether it can make the database larger.
    pub fn grows(&self) -> bool {
        matches!(self.statement.kind, Kind::Writes | Kind::ChangesSchema)
    }
}

/// What a statement answered.
#[derive(Debug, Default)]
pub struct Answer {
    /// Its rows, packed.
    pub rows: Vec<u8>,
    /// How many rows it changed.
    pub changed: u64,
}

/// Statements that are run together, or not at all.
#[derive(Debug)]
pub struct Work {
    pub steps: Vec<Ready>,
    pub events: Vec<Event>,
    /// When the call that waits for it ends.
    pub deadline: Instant,
    /// Whether it is the host's, which is no write of the plugin.
    pub is_hosts: bool,
}
