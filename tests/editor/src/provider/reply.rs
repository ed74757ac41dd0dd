//! What the double answers.

use serde_json::{Value, json};

/// What is answered to one call.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It says something.
    Text(&'static str),
    /// It calls a tool.
    Call(&'static str, Value),
    /// It calls a tool with arguments that are written so.
    Written(&'static str, &'static str),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, &'static str)>, Value),
    /// The status 200, and then exactly these bytes.
    Bytes(Vec<u8>),
    /// A stream that says a word, and then ends without its last event.
    Cut,
    /// A stream that ends in an error before anything was said.
    Overloaded,
    /// Nothing is said for a long time.
    Stall,
    /// The connection is closed without an answer.
    Hangup,
    /// Bytes without end.
    Endless,
}

impl Reply {
    /// A proposal of one change.
    #[must_use]
    pub fn propose(path: &str, old: &str, new: &str) -> Reply {
        Reply::Call(
            "propose",
            json!({ "files": [{ "path": path, "old": old, "new": new }], "why": "as asked" }),
        )
    }
}
