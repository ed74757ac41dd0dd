//! JSON documents as people write them: comments and trailing commas are fine.

use std::sync::Arc;

use serde_json::Value;

use crate::source::follow::json;

/// The value of a JSON text; `null` when it is broken.
#[must_use]
pub fn document(text: &Arc<str>) -> Value {
    // Most files are strict JSON, which is read faster.
    serde_json::from_str(text).unwrap_or_else(|_| json("a.json", text))
}
