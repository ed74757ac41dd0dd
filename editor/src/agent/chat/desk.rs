//! What a chat asks of the Editor around it: the same questions and edits that the interface has.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::agent::gate::{Leave, Refusal, Text};
use crate::agent::goal::Preview;
use crate::workspace::Committed;

/// Why an edit was not made.
pub enum Unmade {
    /// The engine refuses it, or it is asked for wrongly: the body of the route's answer.
    Refused(Value),
    /// The gate does not let it through, or asks.
    Blocked {
        /// What the gate says.
        refusal: Box<Refusal>,
        /// What would be written.
        texts: Vec<Text>,
        /// The same for people: files with their diffs.
        diff: Value,
    },
}

/// Answers are those of the API's routes of the same names; errors are their bodies, with `code` and `reason`.
pub trait Desk: Send + Sync {
    /// What is known about an element: `{ src, item? }`.
    ///
    /// # Errors
    /// With a refusal.
    fn inspect(&self, question: &Value) -> Result<Value, Value>;

    /// The elements of a file, or the files that have any.
    ///
    /// # Errors
    /// With a refusal.
    fn tree(&self, path: Option<&str>) -> Result<Value, Value>;

    /// An edit that the engine does for certain and the gate lets through, as a step of the history.
    ///
    /// # Errors
    /// With a refusal of either.
    fn edit(&self, body: Map<String, Value>, leave: Leave) -> Result<Value, Unmade>;

    /// The project's own components.
    ///
    /// # Errors
    /// With a refusal.
    fn components(&self, src: Option<&str>) -> Result<Value, Value>;

    /// The files of a step with their diffs.
    fn diff(&self, done: &Committed) -> Value;

    /// Whether the dev server was given the file as it is now.
    fn is_compiled(&self, path: &str) -> bool;

    /// The page of that path, as far as an interface shows it.
    fn preview(&self, page: &str) -> Arc<dyn Preview>;

    /// Steps that a turn made and that are done, the oldest first.
    fn steps(&self, session: &str, turn: &str) -> Vec<String>;

    /// A session has another status, or came or went.
    fn changed(&self, session: &str, status: &str);
}
